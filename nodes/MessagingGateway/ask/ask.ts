import { createHash } from 'crypto';
import {
	NodeOperationError,
	WAIT_INDEFINITELY,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Question, WaitLimit } from '../shared/question';
import { onlyPlaceOf, pathInFront } from './reach';
import { assertNoQuestionIsOff, withholdEarlierReplies } from './unanswered';

/** Kept word for word for the page: an expression may have another value by then. */
export interface AskedQuestion {
	question: Question;
	/** Part of the link, and covered by n8n's signature. */
	id: string;
	/** Until when the execution waits, in milliseconds since 1970; without it, there is no limit. */
	until?: number;
	/** The turn of the node in which the execution waits for the reply, from 0; without it, it does not wait yet. */
	waitsIn?: number;
}

/** The parameter of the link that says which question it belongs to. */
export const QUESTION_PARAMETER = 'question';

/** Asks one question in one run of the node, and puts the execution on hold until the reply comes. */
export class Ask {
	private link = '';
	private limit: WaitLimit | undefined;
	private asked: AskedQuestion | undefined;

	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * Whether the reply has come, and n8n has put it in the place of the input, from which it took earlier replies. If what
	 * follows fails, *Retry with currently saved workflow* runs the node again.
	 */
	get isAnswered(): boolean {
		const { question } = this.context.getContext('node');
		if (this.context.getMode() !== 'retry' || typeof question !== 'string') return false;
		const { waitsIn } = JSON.parse(question) as AskedQuestion;
		const reply = this.context.getInputData()[0]?.json.data as IDataObject | undefined;
		return waitsIn === this.runIndex && typeof reply?.respondedAt === 'string';
	}

	/**
	 * Keeps the question for the page, and returns the link to it.
	 *
	 * @throws InputError if the question must not be asked in this execution
	 */
	openPage(question: Question, limit: WaitLimit | undefined): string {
		assertNoQuestionIsOff(this.context);
		const id = this.idOf(question);
		this.keep({ question, id });
		this.limit = limit;
		this.link = this.context.getSignedResumeUrl({ [QUESTION_PARAMETER]: id });
		return this.link;
	}

	/**
	 * Puts the execution to wait, once the question has gone out.
	 *
	 * @param shown what the node puts out while it waits
	 */
	async wait(shown?: INodeExecutionData): Promise<void> {
		if (this.context.getExecutionCancelSignal?.()?.aborted) {
			throw new NodeOperationError(
				this.context.getNode(),
				'The question is queued, but the execution was stopped, so nobody can answer.',
				{
					itemIndex: 0,
					description:
						"n8n's editor offers no Retry of an execution that was stopped. To ask again, start a new execution; if this node has a Send-Once Key, it needs another key.",
				},
			);
		}
		this.warn();
		const { waitTill } = this;
		if (this.asked) {
			const until = this.limit && { until: waitTill.getTime() };
			this.keep({ ...this.asked, ...until, waitsIn: this.runIndex });
		}
		withholdEarlierReplies(this.context);
		// n8n takes this for a failure, and would run the node again, without what is withheld.
		if (shown?.json.error !== undefined) shown.json = { response: shown.json };
		await this.context.putExecutionToWait(waitTill);
	}

	private keep(asked: AskedQuestion): void {
		this.asked = asked;
		this.context.getContext('node').question = JSON.stringify(asked);
	}

	/** Tells of a link that cannot be opened, or that n8n will not take for its own. */
	private warn(): void {
		const place = onlyPlaceOf(this.link);
		if (place) {
			const { origin } = new URL(this.link);
			const where = place === 'computer' ? 'on the computer that runs n8n' : 'in your own network';
			this.context.addExecutionHints?.({
				message: `The link in the question starts with ${origin}, which opens only ${where}. Set n8n's environment variable WEBHOOK_URL to the address of your n8n on the internet, restart n8n, and send the question again.`,
				location: 'outputPane',
			});
		}
		const path = pathInFront(this.link);
		if (path) {
			this.context.addExecutionHints?.({
				message: `The link in the question has the path ${path}. If a proxy in front of n8n takes this path off, n8n answers “Invalid Form Link” and takes no answer. Set WEBHOOK_URL to an address without a path, such as https://n8n.example.com/.`,
				location: 'outputPane',
			});
		}
	}

	private get runIndex(): number {
		return Number(this.context.getWorkflowDataProxy(0).$runIndex);
	}

	private get waitTill(): Date {
		if (!this.limit) return WAIT_INDEFINITELY;
		return 'until' in this.limit
			? this.limit.until
			: new Date(Date.now() + this.limit.milliseconds);
	}

	/**
	 * In a loop, all questions of an execution have the same address but for this: without it, the
	 * page of one question, left open, would answer the next one.
	 */
	private idOf(question: Question): string {
		return createHash('sha256')
			.update(JSON.stringify([String(this.runIndex), question]))
			.digest('base64url')
			.slice(0, 16);
	}
}
