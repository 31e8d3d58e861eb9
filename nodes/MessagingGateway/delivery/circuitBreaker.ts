/** Decides when a run stops trying, because every further message would fail or be uncertain. */

import { type Failure, notSent, type Outcome } from '../gateway/outcome';
import { count } from '../shared/text';

/** If this many recipients in a row are refused in the same way, the recipients are not the cause. */
const ENOUGH_RECIPIENTS = 3;

/** If this many requests in a row are uncertain, and none is accepted in between, further ones would be, too. */
const ENOUGH_UNCERTAIN = { single: 10, bulk: 3 };

/** Tells the circuit breaker what became of a request: its outcome and first recipient, or nothing if it was not made. */
export type Settle = (outcome?: Outcome, recipient?: string) => void;

/** Why a run stopped trying. */
export interface Stop {
	/** The failure of the last request. */
	failure: Failure;
	/** A clause. */
	why: string;
}

/** Gets an event when a request of the run may begin, and when it has its outcome. */
export class CircuitBreaker {
	/** Undefined while the run goes on, and if something else has ended it. */
	stop?: Stop;
	private underWay = 0;
	/** Uncertain requests since the last accepted one. */
	private uncertain = 0;
	/** Recipients in a row whom the gateway refused with the same status and the same words. */
	private readonly refused = new Set<string>();
	private refusal = '';
	private wakers: Array<() => void> = [];

	/** @param halt aborts when nothing new may begin */
	constructor(private readonly halt: AbortSignal) {
		halt.addEventListener('abort', () => this.wake());
	}

	/**
	 * Resolves when another request may begin, or everything halts. After an uncertain request, no more are under way
	 * than it takes to decide: a gateway that never answers keeps each of them until its timeout.
	 */
	async admit(isBulk: boolean): Promise<Settle> {
		const enough = isBulk ? ENOUGH_UNCERTAIN.bulk : ENOUGH_UNCERTAIN.single;
		while (!this.halt.aborted && this.uncertain > 0 && this.uncertain + this.underWay >= enough) {
			await new Promise<void>((resolve) => this.wakers.push(resolve));
		}
		this.underWay++;
		return (outcome, recipient = '') => {
			this.underWay--;
			const why = outcome && this.whyStop(outcome, recipient, enough);
			if (why !== undefined && !this.halt.aborted)
				this.stop ??= { failure: outcome as Failure, why };
			this.wake();
		};
	}

	private wake(): void {
		const { wakers } = this;
		this.wakers = [];
		for (const wake of wakers) wake();
	}

	/** Adds the outcome of a request, and returns why every further message would fail; undefined if it would not. */
	private whyStop(outcome: Outcome, recipient: string, enough: number): string | undefined {
		if (outcome.outcome === 'accepted') this.uncertain = 0;
		if (outcome.outcome !== 'notSent') {
			// The gateway took a message, or may have: it refuses recipients and not everybody.
			this.refused.clear();
			if (outcome.outcome === 'accepted' || ++this.uncertain < enough) return undefined;
			return `the outcome of ${enough} requests in a row is uncertain`;
		}
		// The gateway was not asked.
		if (outcome.origin === 'input') return undefined;
		// A token, an address or a certificate is the same for all. A gateway that is not there has used up the tries.
		if (outcome.blame === 'subscription' || outcome.blame === 'gateway') {
			return 'every message would have failed in the same way';
		}
		const { httpCode, words } = outcome;
		const refusal = outcome.blame && JSON.stringify([httpCode, words]);
		if (refusal === undefined || refusal !== this.refusal) this.refused.clear();
		if (refusal === undefined) return undefined;
		this.refusal = refusal;
		// One may be wrong, but not one after another in the same words.
		if (this.refused.add(recipient).size < ENOUGH_RECIPIENTS) return undefined;
		return `the gateway refused ${ENOUGH_RECIPIENTS} recipients in a row in the same way`;
	}
}

/**
 * Returns the failure of a message that was not tried. It repeats the words of the failure that ended the run.
 *
 * @param items how many items were not tried
 */
export function notTried({ failure, why }: Stop, items: number): Failure {
	const { what, advice, httpCode, blame, outcome } = failure;
	const isUncertain = outcome === 'uncertain';
	return notSent({
		cause: 'notTried',
		what: isUncertain ? `The node stopped trying. The last message before: ${what}` : what,
		fact: `This message was not queued. ${count(items, 'item')} ${items === 1 ? 'was' : 'were'} not tried, because ${why}.`,
		advice: isUncertain ? 'Make sure that the gateway works before you send the rest.' : advice,
		httpCode,
		blame: isUncertain ? 'gateway' : blame,
	});
}

/** The result of everything that a canceled run did not begin. */
export const CANCELED = notSent({
	origin: 'input',
	cause: 'canceled',
	what: 'The execution was stopped before this message was queued',
	advice: '',
});
