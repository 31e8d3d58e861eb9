import type { Failure, Outcome } from '../gateway/outcome';
import { durationText } from '../shared/duration';

/** Milliseconds: who would have to wait longer gets an answer at once, with the time. */
export const LONGEST_WAIT = 60_000;

/** Milliseconds: after it one request tries again, whatever the gateway has asked for. */
const LONGEST_REST = 300_000;

/** Milliseconds of the pauses where the gateway does not say how long. Most plans are by the minute. */
const UNTOLD_WAITS = [1_000, 10_000, 60_000] as const;

/** Requests of all executions under way at once, before the gateway has taken any. */
const FIRST_ALLOWANCE = 20;
/** The same after it has taken many. */
const LARGEST_ALLOWANCE = 100;

/** What one request was allowed to begin as. */
export interface Pass {
	round: number;
	/** It goes alone, to find out whether the gateway takes messages again. */
	isProbe: boolean;
	/** It goes beyond what the gateway took before it was busy the last time. */
	isBeyond: boolean;
}

/**
 * Lets requests through to a gateway as far as it is expected to take them. A busy answer closes the
 * gate for all. When it opens, one request tries first; when that is taken, as many follow as were
 * taken before the gate closed; what goes beyond goes carefully: first one, then two, then four.
 */
export class BusyGate {
	/** Requests that one execution alone may have under way: the gate holds up none of them. */
	leastAllowance = 0;
	private underWay = 0;
	private allowance = 0;
	/** Each closing ends a round. */
	private round = 0;
	private begunInRound = 0;
	private taken = 0;
	/** How many the gateway took before it was busy, in that round and at most in a minute. */
	private expected?: number;
	private untold = 0;
	private busy?: Failure;
	private busyUntil = 0;
	private opensAt = 0;
	private isProbing = false;

	/** Returns the time when one more may pass: the past where now, Infinity after another has ended. */
	nextAt(): number {
		if (this.busy) return this.isProbing ? Infinity : this.opensAt;
		const isExpected = this.begunInRound < (this.expected ?? 0);
		const most = isExpected ? this.firstAllowance : this.allowance || this.firstAllowance;
		return this.underWay < most ? 0 : Infinity;
	}

	pass(): Pass {
		const { round, busy, expected, begunInRound } = this;
		if (busy) this.isProbing = true;
		this.begunInRound++;
		this.underWay++;
		return { round, isProbe: busy !== undefined, isBeyond: begunInRound >= (expected ?? 0) };
	}

	/** Whether a pass is still worth something: not where the gate has closed since it was given. */
	isValid({ round }: Pass): boolean {
		return round === this.round;
	}

	/**
	 * Takes a pass back, with what became of its request, or without an outcome where it never began.
	 * `recent` is how many requests of all executions began in the last minute.
	 */
	end(pass: Pass, { now, recent }: { now: number; recent: number }, outcome?: Outcome): void {
		this.underWay--;
		const isOfThisRound = this.isValid(pass);
		if (isOfThisRound && pass.isProbe) this.isProbing = false;
		if (!outcome) {
			if (isOfThisRound) this.begunInRound--;
		} else if (isBusy(outcome)) {
			if (isOfThisRound) this.endRound(recent);
			this.close(outcome, isOfThisRound, now);
		} else if (isOfThisRound) {
			this.open(pass);
		} else if (this.expected !== undefined) {
			// It left before the gate closed, and was taken.
			this.expected++;
		}
	}

	/** Returns the answer for a message that would wait too long, without asking the gateway. */
	refusal(now: number): Failure | undefined {
		if (!this.busy || this.isProbing || this.opensAt - now <= LONGEST_WAIT) return undefined;
		const { what, httpCode } = this.busy;
		return {
			outcome: 'notSent',
			origin: 'gateway',
			what,
			advice: `Wait another ${durationText(this.busyUntil - now)}: the gateway asked n8n to pause, so n8n did not try this message.`,
			...(httpCode === undefined ? {} : { httpCode }),
		};
	}

	private get firstAllowance(): number {
		return Math.max(FIRST_ALLOWANCE, this.leastAllowance);
	}

	private open({ isBeyond }: Pass): void {
		this.taken++;
		this.untold = 0;
		if (this.busy) {
			this.busy = undefined;
			this.allowance = 1;
		} else if (isBeyond) {
			const most = Math.max(LARGEST_ALLOWANCE, this.leastAllowance);
			this.allowance = Math.min((this.allowance || this.firstAllowance) + 1, most);
		}
	}

	private endRound(recent: number): void {
		// A probe that was refused says nothing about how many the gateway takes.
		if (!this.busy) this.expected = Math.min(this.taken, recent);
		this.round++;
		this.begunInRound = 0;
		this.taken = 0;
		this.isProbing = false;
	}

	private close(busy: Failure, isOfThisRound: boolean, now: number): void {
		const told = busy.retry?.afterMs;
		// Of requests that left together, the first closes the gate; another may know a longer pause.
		if (!isOfThisRound && (told === undefined || !this.busy)) return;
		const until = now + (told ?? this.nextUntoldWait());
		if (!isOfThisRound && until <= this.busyUntil) return;
		this.busy = busy;
		this.busyUntil = until;
		this.opensAt = Math.min(until, now + LONGEST_REST);
	}

	private nextUntoldWait(): number {
		const last = UNTOLD_WAITS.length - 1;
		return UNTOLD_WAITS[Math.min(this.untold++, last)] as number;
	}
}

/** Whether the gateway asks everybody to wait. */
export function isBusy(outcome: Outcome): outcome is Failure {
	if (outcome.outcome === 'accepted' || !outcome.retry) return false;
	return outcome.retry.busy === true || outcome.retry.afterMs !== undefined;
}
