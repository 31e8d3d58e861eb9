import type { IContextObject, INode } from 'n8n-workflow';
import { toError } from '../../../nodes/MessagingGateway/output/nodeError';
import { firstFailure, type Result } from '../../../nodes/MessagingGateway/delivery/result';
import { isFailure } from '../../../nodes/MessagingGateway/gateway/outcome';
import { deliver, FakeHistory, stored, type Answer, type Mode, type Wish } from './deliver';

/** What goes wrong in one execution. */
export interface Fate {
	/** What the gateway says to its requests, one after another; then it accepts. */
	answers: Array<Answer | 'lostAnswer'>;
	/** n8n ends after so many events (reads, requests). */
	endsAfter?: number;
}

/** What the person changes in the node before a Retry, besides what the error asks for. */
export type Edit = 'replaceNode' | 'changeOperation' | 'changeText' | 'addKey';

export interface Plot {
	mode: Mode;
	keyed: boolean;
	/** Numbers of each item; nobody is in two items. */
	items: number[];
	/** A loop has several turns with these items in each, a second node sends to the same people. */
	turns: number;
	nodes: number;
	isSubWorkflow: boolean;
	/** A person runs it in the editor. */
	isManual: boolean;
	/** Items whose number is wrong in the data. */
	wrong: number[];
	/** Items whose message the gateway refuses, every time. */
	refused: number[];
	/** A value in the node is wrong, until the person saves another one. */
	isNodeWrong: boolean;
	fates: Fate[];
	edits: Array<Edit | undefined>;
}

/** An execution that n8n offers to retry. */
interface Stored {
	id: string;
	/** How many steps, of all turns and nodes, it has behind it. */
	step: number;
	contexts: Record<number, IContextObject>;
	token: string;
	/** What n8n shows; nothing if n8n ended in the middle of it. */
	error: string;
	/** The retry of it that was begun last. */
	retriedBy?: Stored;
}

const NODE: INode = {
	id: '',
	name: 'Messaging Gateway',
	type: '',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/**
 * The advice that the person understands, and what it makes them do. A text that advises anything else is not
 * covered, which `advice.test.ts` notices.
 */
export const UNDERSTOOD = {
	newest: /retry the most recent one/,
	retry: /retry: Executions → .*? → ↷/,
	errorOutput: /set Settings → On Error to 'Continue \(using error output\)'/,
	byItself: /before you send it again|Send the missing messages separately/,
	notAgain: /set the option 'Uncertain Messages on Retry' to 'Do Not Send Again'/,
	/** What is wrong is in the node, or in the data: a person knows. */
	correct: /'Retry with currently saved workflow'/,
};

const MOST_STEPS = 14;
let lives = 0;

/** Lives through a plot with a person who does what n8n shows, and returns what should not have happened. */
export async function obey(plot: Plot): Promise<string[]> {
	const life = new Life(plot);
	return await life.live();
}

class Life {
	private readonly complaints: string[] = [];
	private readonly histories = new Map<string, FakeHistory>();
	/** How often each person got the message of each node and turn. */
	private readonly outbox = new Map<string, number>();
	private readonly ids: string[];
	private readonly settings = { continueOnFail: false, resendUncertain: false };
	private readonly name = `obedient ${++lives}`;
	private mode: Mode;
	private text = 'Hello';
	private keyed: boolean;
	private isNodeWrong: boolean;
	private executions = 0;
	private edits = 0;

	constructor(private readonly plot: Plot) {
		this.mode = plot.mode;
		this.keyed = plot.keyed;
		this.isNodeWrong = plot.isNodeWrong;
		this.ids = Array.from({ length: plot.nodes }, (_, node) => `node ${node}`);
	}

	async live(): Promise<string[]> {
		let failed = await this.execute();
		for (let steps = 0; failed && steps < MOST_STEPS; steps++) failed = await this.followed(failed);
		if (!failed) this.checkThatEverybodyHasIt();
		return this.complaints;
	}

	/** Does what n8n shows of a failed execution, and returns what has failed then. */
	private async followed(failed: Stored): Promise<Stored | undefined> {
		const { error } = failed;
		const says = (what: keyof typeof UNDERSTOOD) => UNDERSTOOD[what].test(error);
		this.edit(failed);
		if (says('newest')) return await this.retry(newestOf(failed));
		const missing = this.missing(error);
		if (says('byItself')) missing.forEach((name) => this.sendByItself(name));
		if (says('correct') && this.isNodeWrong) this.isNodeWrong = false;
		else if (says('errorOutput')) this.settings.continueOnFail = true;
		if (says('notAgain')) this.settings.resendUncertain = false;
		if (error !== '' && !says('retry')) return await this.goOnAlone(error);
		return await this.retryAs(error, failed);
	}

	/** One item, run by hand: once it is corrected, the person runs it again, unless its message may be queued. */
	private async goOnAlone(error: string): Promise<Stored | undefined> {
		const { isManual, items, wrong, refused } = this.plot;
		if (!isManual || items.length > 1) this.complaints.push(`nothing to do: ${error}`);
		if (UNDERSTOOD.byItself.test(error)) return undefined;
		wrong.length = refused.length = 0;
		return await this.execute();
	}

	private async retryAs(error: string, failed: Stored): Promise<Stored | undefined> {
		// Retry of the parent starts the sub-workflow from its beginning, as an execution of its own.
		const isOfParent = this.plot.isSubWorkflow && error !== '' && !error.includes(failed.id);
		return isOfParent ? await this.execute() : await this.retry(failed);
	}

	private async retry(failed: Stored): Promise<Stored | undefined> {
		const retried = await this.execute(failed);
		failed.retriedBy = retried;
		return retried;
	}

	/** Runs the workflow, or what is left of an execution. Returns it if it has failed. */
	private async execute(from?: Stored): Promise<Stored | undefined> {
		const { turns, nodes, fates, isSubWorkflow, items } = this.plot;
		const { answers, endsAfter } = fates[this.executions++] ?? { answers: [] };
		const id = `${this.name}, execution ${this.executions}`;
		const token = from?.token ?? `token ${id}`;
		const contexts: Stored['contexts'] = {};
		for (const [node, context] of Object.entries(from?.contexts ?? {})) {
			contexts[Number(node)] = stored(context);
		}
		let events = 0;
		let requests = 0;
		let isDead = false;
		const happen = () => void (isDead ||= ++events === endsAfter);
		for (let step = from?.step ?? 0; step < turns * nodes; step++) {
			const [turn, node] = [Math.floor(step / nodes), step % nodes];
			const context = (contexts[node] ??= {});
			const results = await deliver(this.mode, this.wishes(), {
				context,
				token,
				isRetry: from !== undefined,
				runKey: String(turn),
				nodeId: this.ids[node],
				node: `${id}, node ${node}`,
				history: this.historyOf(this.ids[node] as string, happen, () => isDead),
				onRead: happen,
				settings: { ...this.settings, maxRetries: 1, maxConcurrency: 2, numbersPerRequest: 2 },
				answer: ({ numbers }) => {
					happen();
					if (isDead) return 'notSent';
					const isRefused = numbers.some((to) => this.plot.refused.includes(Number(to[2])));
					const answer = isRefused ? 'mistake' : (answers[requests++] ?? 'accepted');
					if (answer === 'accepted' || answer === 'lostAnswer') {
						for (const number of numbers) this.deliver(`${turn}.${node} ${number}`);
					}
					return answer === 'lostAnswer' ? 'uncertain' : answer;
				},
			});
			if (isDead) {
				return from ? { ...from, id, error: '' } : { id, step: 0, contexts: {}, token, error: '' };
			}
			const failure = this.settings.continueOnFail ? undefined : firstFailure(results.results);
			if (!failure) {
				this.readRows(results.rows, `${turn}.${node}`);
				continue;
			}
			const run = {
				items: items.length,
				recipients: results.rows,
				resendsUncertain: this.settings.resendUncertain,
				isManual: this.plot.isManual && from === undefined,
				isRetry: from !== undefined,
				isLaterRun: turn > 0,
				execution: id,
				isSubWorkflow,
			};
			const { description } = toError(NODE, failure, results.results, run);
			const error = `${description} <${turn}.${node}>`;
			return { id, step, contexts, token, error };
		}
		return undefined;
	}

	/** Each node of n8n has a history of its own, which outlives n8n. */
	private historyOf(id: string, happen: () => void, isDead: () => boolean): FakeHistory {
		const history = this.histories.get(id) ?? new FakeHistory();
		this.histories.set(id, history);
		const seen = Object.create(history) as FakeHistory;
		return Object.assign(seen, {
			checkProcessedAndRecord: (async (...given) => {
				happen();
				if (isDead()) return { new: given[0], processed: [] };
				return await history.checkProcessedAndRecord(...given);
			}) as FakeHistory['checkProcessedAndRecord'],
			removeProcessed: (async (...given) => {
				if (!isDead()) await history.removeProcessed(...given);
			}) as FakeHistory['removeProcessed'],
		});
	}

	private wishes(): Wish[] {
		return this.plot.items.map((size, item) => {
			const numbers = Array.from({ length: size }, (_, at) => `62${item}${at}`);
			const wrong = this.isNodeWrong || this.plot.wrong.includes(item);
			return { numbers, text: this.text, wrong, ...(this.keyed && { key: `key ${item}` }) };
		});
	}

	private edit({ error }: Stored): void {
		const edit = this.plot.edits[this.edits++];
		// Nothing tells a node that took the place of one during whose run n8n ended.
		if (edit === 'replaceNode' && error !== '') this.ids[0] = `node 0, pasted ${this.edits}`;
		// A single text has only one recipient.
		if (edit === 'changeOperation' && this.mode !== 'list') {
			this.mode = this.mode === 'singles' ? 'items' : 'singles';
		}
		if (edit === 'changeText') this.text += '!';
		if (edit === 'addKey') this.keyed = true;
	}

	private deliver(name: string): void {
		const times = (this.outbox.get(name) ?? 0) + 1;
		this.outbox.set(name, times);
		if (times > 1) this.complaints.push(`twice: ${name}`);
	}

	/** What comes out says for each recipient whether anything was sent, or may have been. */
	private readRows(rows: Result[], place: string): void {
		for (const { items, to, outcome } of rows) {
			const isTaken = outcome.outcome === 'skipped' && outcome.why === 'sendOnceKey';
			if (!isFailure(outcome) && !isTaken) continue;
			const names = to === undefined ? this.namesOf(items, place) : [`${place} ${to}`];
			for (const name of names) {
				if (outcome.outcome === 'notSent' || !this.outbox.has(name)) this.sendByItself(name);
			}
		}
	}

	private namesOf(items: number[], place: string): string[] {
		const all = this.wishes();
		return items.flatMap((item) => all[item]?.numbers ?? []).map((to) => `${place} ${to}`);
	}

	/** Whom the error names, as far as the outbox does not have the message. */
	private missing(error: string): string[] {
		const place = /<(.+)>/.exec(error)?.[1];
		return namedIn(error)
			.map((number) => `${place} ${number}`)
			.filter((name) => !this.outbox.has(name));
	}

	private sendByItself(name: string): void {
		this.deliver(name);
	}

	private checkThatEverybodyHasIt(): void {
		const { turns, nodes, items } = this.plot;
		for (let step = 0; step < turns * nodes; step++) {
			const place = `${Math.floor(step / nodes)}.${step % nodes}`;
			const all = this.namesOf(
				items.map((_, item) => item),
				place,
			);
			const without = all.filter((name) => !this.outbox.has(name));
			this.complaints.push(...without.map((name) => `nobody knows of: ${name}`));
		}
	}
}

function newestOf(failed: Stored): Stored {
	return failed.retriedBy ? newestOf(failed.retriedBy) : failed;
}

/** The recipients whose messages are uncertain. */
function namedIn(error: string): string[] {
	return (/ (?:was|were) for ([\d, ]+)/.exec(error)?.[1] ?? '').match(/\d+/g) ?? [];
}
