import type { Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Entry, Journal } from './journal';
import type { Message } from './message';
import type { Notices } from './notices';
import { Pacer } from './pacer';
import { isStop, type Result } from './result';
import { failureOf, Sender, type Exchange } from './sender';
import type { SendOnce } from './sendOnce';
import type { DeliverySettings } from './settings';

/** One item on its way: what it asks for is read when its turn comes. */
export interface Order {
	index: number;
	sendOnceKey: string;
	message: Message;
	exchange: Exchange;
}

/** What the house gives to a delivery. */
export interface Surroundings {
	settings: DeliverySettings;
	journal: Journal;
	sendOnce: SendOnce;
	notices: Notices;
	/** Aborts when the execution is cancelled. */
	cancelled?: AbortSignal;
	log(message: string): void;
}

/** What all requests of one run share: the results, the halt, the pacing and both memories. */
export class DeliveryRun {
	readonly results: Result[] = [];
	readonly pacer: Pacer;
	private readonly halting = new AbortController();

	constructor(private readonly around: Surroundings) {
		const { settings, cancelled, log } = around;
		this.pacer = new Pacer(settings, this.halt, log);
		if (cancelled?.aborted) this.halting.abort();
		cancelled?.addEventListener('abort', () => this.halting.abort());
	}

	/** Aborts when nothing new may begin: after a failure that stops the node, or a cancellation. */
	get halt(): AbortSignal {
		return this.halting.signal;
	}

	get settings(): DeliverySettings {
		return this.around.settings;
	}

	get sendOnce(): SendOnce {
		return this.around.sendOnce;
	}

	get notices(): Notices {
		return this.around.notices;
	}

	/** Reads an item; what is wrong with it becomes its result. */
	read(order: () => Order, index: number): Order | undefined {
		try {
			return order();
		} catch (error) {
			this.finish({ items: [index], outcome: failureOf(error) });
			return undefined;
		}
	}

	finish(result: Result): void {
		const { outcome } = result.outcome;
		if (outcome === 'uncertain' || outcome === 'skipped') this.notices.count(outcome);
		this.results.push(result);
		this.stopAt(result.outcome);
	}

	/** Begins nothing new after a failure that stops the node. */
	stopAt(outcome: Result['outcome']): void {
		if (isStop(outcome, this.settings)) this.halting.abort();
	}

	/**
	 * What earlier tries of this execution did with the message: what is `done` is not repeated; what
	 * goes out `again` was uncertain, and its Send-Once Key may be known from then.
	 */
	recall(key: string): { done: Entry[]; again: Entry[] } {
		const { journal } = this.around;
		const entries = [...journal.recall(key)];
		const again = this.settings.resendUncertain ? entries.filter(({ envelope }) => !envelope) : [];
		for (const entry of again) journal.forget(key, entry);
		return { done: entries.filter((entry) => !again.includes(entry)), again };
	}

	/** The recorded outcome, in place of sending again. */
	replay({ envelope }: Entry): Outcome {
		if (envelope) {
			this.notices.count('replayed');
			return { outcome: 'accepted', envelope };
		}
		return {
			outcome: 'uncertain',
			origin: 'gateway',
			what: 'In an earlier try of this execution the connection to the gateway broke while the message was on its way',
			advice:
				"It was not sent again. Look into the gateway's outbox: if the message is not there, run the workflow anew, or set the option Uncertain Messages on Retry.",
		};
	}

	/** Sends one request and writes it into the journal before and after. */
	async send(
		order: Order,
		key: string,
		prepare: () => Promise<GatewayRequest>,
		numbers?: string[],
	): Promise<Outcome> {
		const { maxRetries } = this.settings;
		const note = this.around.journal.begin(key, numbers);
		const sender = new Sender(order.exchange, this.pacer, maxRetries, this.halt);
		const outcome = await sender.send(prepare);
		note(outcome);
		return outcome;
	}

	/** After a definite failure the key may be sent again; after an uncertain one only if that is wished. */
	async freeKeys(keys: string[], outcomes: Array<Outcome | undefined>): Promise<void> {
		const { resendUncertain } = this.settings;
		const isFree = outcomes.every(
			(each) =>
				!each || each.outcome === 'notSent' || (each.outcome === 'uncertain' && resendUncertain),
		);
		if (!isFree) return;
		try {
			await this.sendOnce.free(keys);
		} catch {
			this.notices.say(
				`n8n could not free ${keys.length} Send-Once Key(s) of messages that were not sent. Send these with other keys.`,
			);
		}
	}
}
