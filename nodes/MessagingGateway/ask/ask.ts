/** Asks a question: keeps it for its page, and puts the execution on hold until the reply. */

import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
	SEND_AND_WAIT_OPERATION,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import type { Question, WaitLimit } from '../shared/question';
import { durationText, hashOf, webAddress } from '../shared/text';

/** A question as it was asked. It is kept for the page, because an expression may have another value by then. */
export interface AskedQuestion {
	question: Question;
	/** Part of the link, which n8n signs. */
	id: string;
	/** The deadline in milliseconds since 1970. Absent if there is none. */
	until?: number;
	/** The run of the node, from 0, that waits for the reply. Absent until the question is sent. */
	waitsIn?: number;
}

/** The query parameter of the link with the ID of its question. */
export const QUESTION_PARAMETER = 'question';

/** Asks one question in one run of the node, and puts the execution on hold until the reply comes. */
export class Ask {
	private link = '';
	private limit: WaitLimit | undefined;
	private asked: AskedQuestion | undefined;

	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * Whether the input is already the reply. n8n replaces the input with it, and runs the node again in a *Retry with
	 * currently saved workflow* if a later node failed.
	 */
	get isAnswered(): boolean {
		const { question } = this.context.getContext('node');
		if (this.context.getMode() !== 'retry' || typeof question !== 'string') return false;
		const { waitsIn } = JSON.parse(question) as AskedQuestion;
		const reply = this.context.getInputData()[0]?.json.data as IDataObject | undefined;
		return waitsIn === this.runIndex && typeof reply?.respondedAt === 'string';
	}

	/**
	 * Keeps the question for its page, and returns the link to the page.
	 *
	 * @throws InputError if the question must not be asked in this execution
	 */
	openPage(question: Question, limit: WaitLimit | undefined): string {
		assertNoQuestionIsOff(this.context);
		const id = this.idOf(question);
		this.keep({ question, id });
		this.limit = limit;
		this.link = linkOf(this.context, id);
		return this.link;
	}

	/**
	 * Puts the execution on hold after the question was sent.
	 *
	 * @param shown the output of the node while it waits
	 */
	async wait(shown?: INodeExecutionData): Promise<void> {
		if (this.context.getExecutionCancelSignal?.()?.aborted) {
			throw new NodeOperationError(
				this.context.getNode(),
				'The question is queued, but the execution was stopped, so nobody can answer.',
				{
					itemIndex: 0,
					description:
						"n8n's editor cannot retry a stopped execution. To ask again, start a new execution; if this node has a Send-Once Key, use a different key.",
				},
			);
		}
		const { waitTill } = this;
		this.warn(waitTill);
		if (this.asked) {
			const until = this.limit && { until: waitTill.getTime() };
			this.keep({ ...this.asked, ...until, waitsIn: this.runIndex });
		}
		withholdEarlierReplies(this.context);
		// n8n takes an `error` for a failure, and would run the node again, without the input that was withheld.
		if (shown?.json.error !== undefined) shown.json = { response: shown.json };
		await this.context.putExecutionToWait(waitTill);
	}

	private keep(asked: AskedQuestion): void {
		this.asked = asked;
		this.context.getContext('node').question = JSON.stringify(asked);
	}

	/** Warns about a link that cannot be opened, or that n8n will not accept, and about a wait that n8n will end. */
	private warn(waitTill: Date): void {
		const timeLimit = Number(this.context.getWorkflowSettings?.().executionTimeout ?? 0);
		if (timeLimit > 0 && waitTill.getTime() > Date.now() + timeLimit * 1_000) {
			this.context.addExecutionHints?.({
				message: `n8n stops this execution before the time to answer is over, because the workflow may take ${durationText(timeLimit * 1_000)}. Then nothing continues, as if nobody had asked. Raise 'Timeout Workflow' in the workflow settings, or shorten 'Limit Wait Time'.`,
				location: 'outputPane',
			});
		}
		if (!URL.canParse(this.link)) return;
		const { origin, hostname, pathname } = new URL(this.link);
		const place = onlyPlaceOf(hostname);
		if (place) {
			const where = place === 'computer' ? 'on the computer that runs n8n' : 'in your own network';
			this.context.addExecutionHints?.({
				message: `The link in the question starts with ${origin}, which opens only ${where}. Set n8n's environment variable WEBHOOK_URL to the address of your n8n on the internet, restart n8n, and send the question again.`,
				location: 'outputPane',
			});
		}
		// The last three parts are n8n's own: its endpoint, the execution and the node.
		const path = pathname.split('/').slice(0, -3).join('/');
		if (path) {
			this.context.addExecutionHints?.({
				message: `The link in the question has the path ${path}. If a proxy in front of n8n removes this path, n8n shows “Invalid Form Link” and accepts no answer. Set WEBHOOK_URL to an address without a path, such as https://n8n.example.com/.`,
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
	 * Tells the questions of a loop apart, whose links are otherwise equal. Without it, the page of an earlier question
	 * would answer the next one.
	 */
	private idOf(question: Question): string {
		return hashOf(JSON.stringify([String(this.runIndex), question]));
	}
}

/**
 * n8n makes the link from its own address as it was set. Without https://, that is no web address, or one of another kind.
 *
 * @throws InputError if nobody could open the link
 */
function linkOf(context: IExecuteFunctions, id: string): string {
	let link = '';
	try {
		link = context.getSignedResumeUrl({ [QUESTION_PARAMETER]: id });
	} catch (error) {
		if ((error as { code?: unknown }).code !== 'ERR_INVALID_URL') {
			throw new NodeOperationError(context.getNode(), error as Error);
		}
	}
	if (webAddress(link)) return link;
	throw new InputError(
		'The link in the question would not open, because the address of n8n does not start with https://',
		"Set n8n's environment variable N8N_WEBHOOK_URL, or WEBHOOK_URL if that is not set, to an address such as https://n8n.example.com/, and restart n8n.",
	);
}

const OWN_ADDRESS = /^(?:localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|internal|lan|home\.arpa))$/;
const PRIVATE_IPV4 = /^(?:0|10|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/;
const PRIVATE_IPV6 = /^\[(?:f[cd]|fe[89ab])/;

/** Returns where a host can be reached; undefined if it may be anywhere on the internet. */
function onlyPlaceOf(host: string): 'computer' | 'network' | undefined {
	const hostname = host.replace(/\.$/, '');
	if (OWN_ADDRESS.test(hostname)) return 'computer';
	const isLocal = hostname.startsWith('[')
		? PRIVATE_IPV6.test(hostname)
		: LOCAL_NAME.test(hostname) || PRIVATE_IPV4.test(hostname);
	return isLocal ? 'network' : undefined;
}

/**
 * If nobody answers a question (after its deadline; after Stop and Retry), n8n continues with the input of the node. It
 * keeps that input and the node in the waiting element of its stack, and marks this node as disabled:
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/core/src/execution-engine/workflow-execute.ts (`handleWaitingState`).
 * Other elements for this node (from another branch; the second call of a tool) share the node object, so n8n would pass
 * on their input, too, without asking.
 *
 * So this removes earlier replies from that input, and gives the element a node object of its own. No reply to an earlier
 * question can come out as the reply to this one.
 */
function withholdEarlierReplies(context: IExecuteFunctions): void {
	const waiting = context.getExecuteData();
	const isReview = waiting.node.type.endsWith('HitlTool');
	const withheld = (item: INodeExecutionData) => ({
		...item,
		json: isReview ? {} : withoutReply(item.json),
	});
	waiting.data = {
		...waiting.data,
		main: (waiting.data.main ?? []).map((items) => items?.map(withheld) ?? null),
	};
	waiting.node = { ...waiting.node };
}

/** A reply is in `data`. n8n's agent also reads a top-level `approved` as one, so a human review passes on nothing. */
function withoutReply(json: IDataObject): IDataObject {
	const rest = { ...json };
	delete rest.data;
	return rest;
}

/**
 * Retry with the currently saved workflow puts the workflow's own node into that element. The node then stays disabled for
 * the rest of the execution, in a loop for every later question:
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/cli/src/executions/execution.service.ts (`retry`).
 *
 * @throws InputError if n8n would skip another question of the workflow, and use the reply to this one for it
 */
function assertNoQuestionIsOff(context: IExecuteFunctions): void {
	if (context.getMode() !== 'retry') return;
	const { name, type } = context.getNode();
	const withParameters = { includeNodeParameters: true };
	const off = [
		...context.getParentNodes(name, withParameters),
		...context.getChildNodes(name, withParameters),
	].find(
		({ disabled, type: other, parameters }) =>
			disabled && other === type && parameters?.operation === SEND_AND_WAIT_OPERATION,
	);
	if (!off) return;
	throw new InputError(
		`The node '${off.name}' would not ask its question in this execution`,
		'It is deactivated: n8n does this when you retry an execution that was stopped while waiting for an answer.',
		'Use Retry with currently saved workflow in the list of executions. If you deactivated the node yourself, activate or delete it first.',
	);
}
