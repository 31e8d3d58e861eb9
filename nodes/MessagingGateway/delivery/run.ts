import { LOOK_FIRST, notSentBecauseOf, type Failure, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Entry, Journal } from './journal';
import type { Message } from './message';
import type { Notices } from './notices';
import { Pace } from './pace';
import { Pacer } from './pacer';
import { isStop, type Result } from './result';
import { Sender, type Exchange } from './sender';
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
	/** Equal for executions whose messages count for one plan. */
	subscription?: string;
	/** What the plan allows; 0 is no limit. */
	requestsPerMinute?: number;
}

/** What all requests of one run share: the results, the halt, the pacing and both memories. */
export class DeliveryRun {
	readonly results: Result[] = [];
	readonly pacer: Pacer;
	private readonly pace: Pace;
	private readonly halting = new AbortController();

	constructor(private readonly around: Surroundings) {
		const { settings, cancelled, log } = around;
		this.pacer = new Pacer(settings, this.halt, log);
		this.pace = Pace.join(around.subscription ?? '', {
			requestsPerMinute: around.requestsPerMinute ?? 0,
			maxConcurrency: settings.maxConcurrency,
		});
		if (cancelled?.aborted) this.halting.abort();
		cancelled?.addEventListener('abort', () => this.halting.abort());
	}

	/** Aborts when nothing new may begin: after a failure that stops the node, or a cancellation. */
	get halt(): AbortSignal {
		return this.halting.signal;
	}

	get isCancelled(): boolean {
		return this.around.cancelled?.aborted === true;
	}

	get settings(): DeliverySettings {
		return this.around.settings;
	}

	get sendOnce(): SendOnce {
		return this.around.sendOnce;
	}

	get journal(): Journal {
		return this.around.journal;
	}

	get notices(): Notices {
		return this.around.notices;
	}

	/** Reads an item; what is wrong with it becomes its result. */
	read(order: () => Order, index: number): Order | undefined {
		try {
			return order();
		} catch (error) {
			this.finish({
				items: [index],
				outcome: this.unlessSentBefore(index, notSentBecauseOf(error)),
			});
			return undefined;
		}
	}

	finish(result: Result): void {
		const { outcome } = result.outcome;
		if (outcome === 'uncertain' || outcome === 'skipped') this.notices.count(outcome);
		this.results.push(result);
		this.stopAt(result.outcome);
	}

	/** Lets go of what it shares with other executions. */
	close(): void {
		this.pace.leave();
	}

	/** Begins nothing new after a failure that stops the node. */
	stopAt(outcome: Result['outcome']): void {
		if (isStop(outcome, this.settings)) this.halting.abort();
	}

	/**
	 * What earlier tries of this execution did with the message: what is `done` is not repeated, what
	 * was accepted before what is uncertain; what goes out `again` was uncertain.
	 */
	recall(key: string): { done: Entry[]; again: Entry[] } {
		const entries = this.journal.recall(key);
		const accepted = entries.filter(({ envelope }) => envelope);
		const uncertain = entries.filter(({ envelope }) => !envelope);
		return this.settings.resendUncertain
			? { done: accepted, again: uncertain }
			: { done: [...accepted, ...uncertain], again: [] };
	}

	/** What is true of an item that this try did not send: an earlier one may have sent it. */
	unlessSentBefore(index: number, failure: Failure): Outcome {
		const entries = this.journal.recallItem(index);
		if (entries.length === 0) return failure;
		const accepted = entries.find(({ envelope, numbers }) => envelope && !numbers);
		if (accepted) return this.replay(accepted);
		return {
			...failure,
			outcome: 'uncertain',
			what: `${failure.what}, and an earlier try of this execution has sent it, or may have`,
			advice: LOOK_FIRST,
		};
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
		{ isAgain, numbers }: { isAgain: boolean; numbers?: string[] },
	): Promise<Outcome> {
		const { maxRetries } = this.settings;
		const note = this.journal.begin(key, numbers);
		const sender = new Sender(order.exchange, this.pace, maxRetries, this.halt);
		const outcome = await sender.send(prepare);
		note(outcome);
		if (!isAgain || outcome.outcome !== 'notSent') return outcome;
		const advice = `An earlier try of this execution may have sent it. ${LOOK_FIRST} ${outcome.advice}`;
		return { ...outcome, outcome: 'uncertain', advice };
	}

	/**
	 * After a definite failure the key may be sent again; after an uncertain one only if that is wished.
	 * Resolves to whether the keys are as they should be.
	 */
	async freeKeys(
		key: string,
		sendOnceKeys: string[],
		outcomes: Array<Outcome | undefined>,
	): Promise<boolean> {
		const { resendUncertain } = this.settings;
		const isFree = outcomes.every(
			(each) =>
				!each || each.outcome === 'notSent' || (each.outcome === 'uncertain' && resendUncertain),
		);
		if (!isFree) return true;
		try {
			await this.sendOnce.free(sendOnceKeys);
			this.journal.dropKeys(key, sendOnceKeys);
			return true;
		} catch {
			this.notices.say(
				`n8n could not free ${sendOnceKeys.length} Send-Once Key(s) of messages that were not sent. Send these with other keys.`,
			);
			return false;
		}
	}
}
