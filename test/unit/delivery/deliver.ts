import type { IContextObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { Delivery } from '../../../nodes/MessagingGateway/delivery/delivery';
import { Journal } from '../../../nodes/MessagingGateway/delivery/memory/journal';
import type {
	Message,
	ReadItem,
	Recipient,
} from '../../../nodes/MessagingGateway/delivery/message';
import {
	byRecipient,
	byRequest,
	type Result,
} from '../../../nodes/MessagingGateway/delivery/result';
import { KeyHistory } from '../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import {
	type Failure,
	LOOK_FIRST,
	notSentBecauseOf,
	type Outcome,
} from '../../../nodes/MessagingGateway/gateway/outcome';
import type { Gateway, GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import { getOrAdd } from '../../../nodes/MessagingGateway/shared/getOrAdd';
import type { Upload } from '../../../nodes/MessagingGateway/shared/file';
import { hintsOf } from '../../../nodes/MessagingGateway/output/hints';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { runOf, type RunSettings } from './runOf';

type Helpers = IExecuteFunctions['helpers'];

/** n8n's history of keys, as small as it can be: a whole list, read, changed and written. */
export class FakeHistory {
	calls = 0;
	/** Makes each call fail until it is taken away. */
	broken = false;
	/** Called in the middle of each call. */
	onCall: () => void = () => undefined;
	private readonly keys: Set<string>;
	private busy = false;

	constructor(...known: string[]) {
		this.keys = new Set(known);
	}

	has(key: string): boolean {
		return this.keys.has(key);
	}

	/** Whether "Remove Duplicates" has the row of the workflow, so that there is no lock. */
	lacksLock = false;
	/** Whether a process has the lock. */
	private isTaken = false;

	readonly clearAllProcessedItems = (async (scope) => {
		expect(scope).toBe('workflow');
		this.isTaken = false;
		await Promise.resolve();
	}) as Helpers['clearAllProcessedItems'];

	readonly getProcessedDataCount = (async () =>
		await Promise.resolve(Number(this.isTaken))) as Helpers['getProcessedDataCount'];

	readonly checkProcessedAndRecord = (async (items, scope, options) => {
		if (scope === 'workflow') {
			if (this.lacksLock) throw new Error('… incompatible setting …');
			const processed = this.isTaken ? items : [];
			this.isTaken = true;
			const output = await Promise.resolve({ new: [], processed });
			// As in n8n, read once the row is there.
			expect(options.maxEntries).toBeUndefined();
			return output;
		}
		const asked = items.map(String);
		return await this.exclusively(() => {
			expect([scope, options]).toEqual(['node', { mode: 'entries', maxEntries: 10_000 }]);
			const processed = asked.filter((key) => this.keys.has(key));
			const fresh = asked.filter((key) => !this.keys.has(key));
			fresh.forEach((key) => this.keys.add(key));
			return { new: fresh, processed };
		});
	}) as Helpers['checkProcessedAndRecord'];

	readonly removeProcessed = (async (items, scope, options) => {
		expect([scope, options]).toEqual(['node', { mode: 'entries' }]);
		const freed = items.map(String);
		expect(freed).not.toContain('');
		await this.exclusively(() => {
			freed.forEach((key) => this.keys.delete(key));
		});
	}) as Helpers['removeProcessed'];

	/** Calls that overlap would overwrite each other in n8n's database, so they must not. */
	private async exclusively<T>(work: () => T): Promise<T> {
		if (this.busy) throw new Error('Two calls at once');
		this.busy = true;
		this.calls++;
		await Promise.resolve();
		this.onCall();
		await Promise.resolve();
		this.busy = false;
		if (this.broken) throw new Error('The database is away');
		return work();
	}
}

/** One input item, as a test writes it. */
export interface Wish {
	numbers: string[];
	text: string;
	key?: string;
	/** The numbers as the item has them, where that differs. */
	written?: string[];
	/** Those of the numbers that get nothing. */
	optedOut?: string[];
	/** Only for bulk messages. */
	device?: string;
	/** Milliseconds since 1970, for Send Before. */
	before?: number;
	/** Cannot be read at all. */
	wrong?: boolean;
	/** Only for messages of their own. */
	expectsReply?: boolean;
	/** Names the list of numbers that several items have. */
	list?: string;
	/** Entries of a list that are no numbers. */
	refused?: Message['refusals'];
}

export type Mode = 'singles' | 'list' | 'items';
/**
 * `busy` asks for another try at once, `paused` for one after an hour. `token` is refused for all, `down` is not
 * there for anybody, `number` may be refused for this recipient only.
 */
export type Answer =
	| 'accepted'
	| 'notSent'
	| 'mistake'
	| 'uncertain'
	| 'busy'
	| 'paused'
	| 'token'
	| 'down'
	| 'number';

/** One request as the gateway saw it, and what became of it. */
export interface Sent {
	text: string;
	numbers: string[];
	/** The item, for single messages. */
	item: number;
	answer: Answer;
}

/** One request as the gateway sees it. */
export interface Asked extends Omit<Sent, 'answer'> {
	/** The device, for bulk messages. */
	device: string;
}

const refused = (what: string, more: Partial<Failure> = {}): Failure => ({
	outcome: 'notSent',
	origin: 'gateway',
	what,
	advice: 'Correct it.',
	...more,
});

const OUTCOMES: Record<Answer, Outcome> = {
	accepted: { outcome: 'accepted', envelope: { code: 200, message: 'queued' } },
	notSent: refused('Refused'),
	mistake: refused('Refused for what it says', { httpCode: 400, isMistake: true }),
	token: refused('Wrong token', { httpCode: 401, blame: 'subscription' }),
	down: refused('Not there', { blame: 'gateway', retry: {} }),
	number: refused('Wrong number', { httpCode: 422, blame: 'maybeRecipient', words: 'invalid' }),
	uncertain: { outcome: 'uncertain', origin: 'gateway', what: 'Broken', advice: LOOK_FIRST },
	busy: {
		outcome: 'notSent',
		origin: 'gateway',
		what: 'Busy',
		advice: 'Wait.',
		retry: { afterMs: 0 },
	},
	paused: {
		outcome: 'notSent',
		origin: 'gateway',
		what: 'Paused',
		advice: 'Wait.',
		retry: { afterMs: 3_600_000 },
	},
};

/** What a run leaves of an execution. */
export const recordOf = (run: object): IContextObject => ({
	journal: {
		format: 2,
		id: '6',
		execution: '6',
		node: 'node-1',
		generation: 0,
		runs: { 0: run },
	} as never,
});

export interface Delivered {
	results: Result[];
	rows: Result[];
	sent: Sent[];
	delivery: Delivery;
	hints: NodeExecutionHint[];
	journal: Journal;
}

export interface Given {
	settings?: Partial<RunSettings>;
	/** What n8n keeps of the execution; give it again to retry. */
	context?: IContextObject;
	history?: FakeHistory;
	/** What the gateway does with its requests, one after another; then it accepts. */
	answers?: Answer[];
	/** The same, decided when a request arrives. */
	answer?: (request: Asked) => Answer | Outcome | Promise<Answer | Outcome>;
	canceled?: AbortSignal;
	/** Called before an item is read. */
	onRead?: () => void;
	/** Opens the file of a message. */
	onOpen?: (item: number) => Promise<Upload>;
	/** Nothing leaves, as in a dry run. */
	isDry?: boolean;
	/** Called when a request has arrived. */
	onRequest?: (request: Sent) => void;
	/** The same for deliveries that share the limits of a subscription. */
	subscription?: string;
	/** Called with each line for n8n's log. */
	onLog?: (line: string) => void;
	runKey?: string;
	/** The same for tries of n8n's own; every other delivery is an execution of its own. */
	execution?: string;
	/** Whether n8n stores the execution after each node. */
	savesProgress?: boolean;
	/** What an execution and its retries share. */
	token?: string;
	isRetry?: boolean;
	/** The ID of the node, which another one under its name has not. */
	nodeId?: string;
	/** Where the items come from. */
	source?: string;
	/** The same for deliveries of one process that overlap; else each is an n8n of its own. */
	node?: string;
}

const WRONG = notSentBecauseOf(new InputError('Wrong', 'Correct it.'));

let executions = 0;

/** Delivers all wishes through the whole room, to a gateway that answers as it is told to. */
export async function deliver(kind: Mode, wishes: Wish[], given: Given = {}): Promise<Delivered> {
	const { context = {}, history = new FakeHistory(), answers = [], canceled, onRequest } = given;
	const sent: Sent[] = [];
	const mode: RunSettings['mode'] = given.isDry ? 'dryRun' : 'send';
	const run = runOf({
		mode,
		subscription: given.subscription ?? `subscription ${++executions}`,
		retryOnFail: given.execution !== undefined,
		...given.settings,
	});
	const journal = new Journal(context, {
		runKey: given.runKey ?? '0',
		execution: given.execution ?? `execution ${++executions}`,
		node: given.nodeId ?? 'node',
		source: given.source ?? 'Items:0:0',
		token: given.token,
		savesProgress: given.savesProgress,
		isRetry: given.isRetry ?? false,
		resendUncertain: run.options.resendUncertain,
	});
	const sendOnce = new KeyHistory(history, given.node ?? `workflow ${++executions}`, 'node');
	const exchange: Gateway['exchange'] = async ({ fields }, _, onLeaving) => {
		if (!given.isDry) onLeaving();
		const { message, number, item, device } = fields as Record<
			'message' | 'item' | 'device',
			string
		> & {
			number: string[];
		};
		const asked = { text: message, numbers: [...number], item: Number(item) };
		const answer = given.answer?.({ ...asked, device }) ?? answers[sent.length] ?? 'accepted';
		const request = { ...asked, answer: answer as Answer };
		sent.push(request);
		onRequest?.(request);
		const answered = await answer;
		return typeof answered === 'string' ? OUTCOMES[answered] : answered;
	};
	const lists = new Map<string, Message['recipients']>();
	function* items(): Generator<ReadItem> {
		for (const [index, wish] of wishes.entries()) {
			given.onRead?.();
			if (wish.wrong) yield { index, failure: WRONG };
			else {
				const message = messageOf(kind, wish, index, given.onOpen);
				// As the node reads them: items with one list share it.
				if (kind === 'list' && wish.list)
					message.recipients = getOrAdd(lists, wish.list, () => message.recipients);
				const sendBefore =
					wish.before === undefined ? undefined : { at: wish.before, asText: 'noon' };
				yield { index, sendOnceKey: wish.key ?? '', message, timeout: 0, sendBefore };
			}
		}
	}
	const ports = {
		gateway: { exchange },
		journal,
		keyHistory: sendOnce,
		canceled,
		log: given.onLog ?? (() => undefined),
	};
	const delivery = await Delivery.run({ ...run, ports }, wishes.length, items());
	await sendOnce.close();
	const { entries, keys } = delivery;
	const [results, rows] = [await byRequest(entries), await byRecipient(entries)];
	const hints = await hintsOf({
		entries,
		requests: results,
		recipients: rows,
		keys,
		run,
		duration: 0,
		lacksLock: false,
		hasFixedKey: false,
		warnings: [],
		localOptOuts: 0,
		hasNumbers: true,
		isNumberExpression: false,
		missing: [],
		canBeBulk: false,
	});
	return { results, rows, sent, delivery, hints, journal };
}

function messageOf(mode: Mode, wish: Wish, index: number, onOpen: Given['onOpen']): Message {
	const { numbers, text, written = numbers, device = '', refused: refusals = [] } = wish;
	const requestTo = (number: string[]): GatewayRequest => ({
		path: [],
		format: 'json',
		fields: { message: text, number, item: String(index), device },
		answer: 'envelope',
	});
	const all = numbers.map((to, at): Recipient => ({
		to,
		asEntered: written[at] ?? to,
		...(wish.optedOut?.includes(to) && { skip: 'optedOut' }),
	}));
	if (mode !== 'singles') {
		const travels = mode === 'items' ? 'grouped' : 'list';
		const identity = JSON.stringify([device, text]);
		return { travels, identity, recipients: all, refusals, requestTo };
	}
	const first = all[0] as Recipient;
	const { expectsReply } = wish;
	const travels = 'single';
	return {
		travels,
		...(!onOpen && { identity: text }),
		recipients: [first],
		refusals: [],
		expectsReply,
		...(onOpen && { openFile: async () => await onOpen(index) }),
		requestTo,
	};
}

/** What n8n's database keeps of the execution's context. */
export function stored(context: IContextObject): IContextObject {
	return JSON.parse(JSON.stringify(context)) as IContextObject;
}
