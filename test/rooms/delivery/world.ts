import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';
import { deliverBulk } from '../../../nodes/MessagingGateway/delivery/bulk';
import { Journal } from '../../../nodes/MessagingGateway/delivery/journal';
import type { Message } from '../../../nodes/MessagingGateway/delivery/message';
import { Notices } from '../../../nodes/MessagingGateway/delivery/notices';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import { DeliveryRun } from '../../../nodes/MessagingGateway/delivery/run';
import { SendOnce } from '../../../nodes/MessagingGateway/delivery/sendOnce';
import type { DeliverySettings } from '../../../nodes/MessagingGateway/delivery/settings';
import { deliverSingles } from '../../../nodes/MessagingGateway/delivery/singles';
import { type Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';

type Helpers = IExecuteFunctions['helpers'];

/** n8n's history of keys, as small as it can be: a whole list, read, changed and written. */
export class KeyHistory {
	calls = 0;
	/** Makes each call fail until it is taken away. */
	broken = false;
	/** Called in the middle of each call. */
	onCall: () => void = () => undefined;
	private keys: string[];
	private busy = false;

	constructor(...known: string[]) {
		this.keys = known;
	}

	has(key: string): boolean {
		return this.keys.includes(key);
	}

	readonly checkProcessedAndRecord = (async (items, scope, options) => {
		expect([scope, options]).toEqual(['node', { mode: 'entries', maxEntries: 10_000 }]);
		const asked = items.map(String);
		return await this.exclusively(() => {
			const processed = asked.filter((key) => this.keys.includes(key));
			const fresh = asked.filter((key) => !this.keys.includes(key));
			this.keys.push(...fresh);
			return { new: fresh, processed };
		});
	}) as Helpers['checkProcessedAndRecord'];

	readonly removeProcessed = (async (items, scope, options) => {
		expect([scope, options]).toEqual(['node', { mode: 'entries' }]);
		const freed = items.map(String);
		expect(freed).not.toContain('');
		await this.exclusively(() => {
			this.keys = this.keys.filter((key) => !freed.includes(key));
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
	/** Cannot be read at all. */
	wrong?: boolean;
}

export type Mode = 'singles' | 'list' | 'items';
export type Answer = 'accepted' | 'notSent' | 'uncertain' | 'busy';

/** One request as the gateway saw it, and what became of it. */
export interface Sent {
	text: string;
	numbers: string[];
	/** The item, for single messages. */
	item: number;
	answer: Answer;
}

export const SETTINGS: DeliverySettings = {
	maxConcurrency: 5,
	batchSize: 0,
	batchInterval: 0,
	randomDelay: 0,
	maxRetries: 3,
	numbersPerRequest: 500,
	resendUncertain: false,
	continueOnFail: true,
	retriedByHost: false,
};

const OUTCOMES: Record<Answer, Outcome> = {
	accepted: { outcome: 'accepted', envelope: { code: 200, message: 'queued' } },
	notSent: { outcome: 'notSent', origin: 'gateway', what: 'Refused', advice: 'Correct it.' },
	uncertain: { outcome: 'uncertain', origin: 'gateway', what: 'Broken', advice: 'Look.' },
	busy: {
		outcome: 'notSent',
		origin: 'gateway',
		what: 'Busy',
		advice: 'Wait.',
		retry: { afterMs: 0 },
	},
};

export interface Delivery {
	results: Result[];
	sent: Sent[];
	run: DeliveryRun;
	notices: Notices;
	journal: Journal;
}

export interface Given {
	settings?: Partial<DeliverySettings>;
	/** What n8n keeps of the execution; give it again to retry. */
	context?: IContextObject;
	history?: KeyHistory;
	/** What the gateway does with its requests, one after another; then it accepts. */
	answers?: Answer[];
	cancelled?: AbortSignal;
	/** Called when a request has arrived. */
	onRequest?: (request: Sent) => void;
	runKey?: string;
	/** Where n8n itself tries again: the execution that the tries belong to. */
	execution?: string;
}

/** Each delivery is an n8n of its own. */
let worlds = 0;

/** Delivers all wishes through the whole room, to a gateway that answers as it is told to. */
export async function deliver(mode: Mode, wishes: Wish[], given: Given = {}): Promise<Delivery> {
	const { context = {}, history = new KeyHistory(), answers = [], cancelled, onRequest } = given;
	const sent: Sent[] = [];
	const notices = new Notices();
	const journal = new Journal(context, given.runKey ?? '0', given.execution);
	const sendOnce = new SendOnce(history, `world:${++worlds}`);
	const run = new DeliveryRun({
		settings: { ...SETTINGS, ...given.settings },
		journal,
		notices,
		sendOnce,
		subscription: `world:${worlds}`,
		cancelled,
		log: () => undefined,
	});
	const exchange = async ({ fields }: GatewayRequest): Promise<Outcome> => {
		const { message, number, item } = fields as { message: string; number: string[]; item: string };
		const answer = answers[sent.length] ?? 'accepted';
		const request = { text: message, numbers: [...number], item: Number(item), answer };
		sent.push(request);
		onRequest?.(request);
		await Promise.resolve();
		return OUTCOMES[answer];
	};
	const all = mode === 'singles' ? deliverSingles : deliverBulk;
	await all(run, wishes.length, (index) => {
		const wish = wishes[index] as Wish;
		if (wish.wrong) throw new InputError('Wrong', 'Correct it.');
		const message = messageOf(mode, wish, index);
		return { index, sendOnceKey: wish.key ?? '', message, exchange };
	});
	run.close();
	await sendOnce.close();
	return { results: run.results, sent, run, notices, journal };
}

function messageOf(mode: Mode, { numbers, text }: Wish, index: number): Message {
	const requestTo = (number: string[]): GatewayRequest => ({
		path: [],
		format: 'json',
		fields: { message: text, number, item: String(index) },
		answer: 'envelope',
	});
	if (mode !== 'singles') {
		const acrossItems = mode === 'items';
		return { kind: 'bulk', identity: text, recipients: numbers, acrossItems, requestTo };
	}
	return {
		kind: 'single',
		recipient: numbers[0] as string,
		identity: JSON.stringify([numbers[0], text]),
		prepare: async () => requestTo(numbers.slice(0, 1)),
	};
}

/** What n8n's database keeps of the execution's context. */
export function stored(context: IContextObject): IContextObject {
	return JSON.parse(JSON.stringify(context)) as IContextObject;
}
