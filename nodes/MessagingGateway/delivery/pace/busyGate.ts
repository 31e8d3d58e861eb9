import type { Failure, Outcome } from '../../gateway/outcome';
import { durationText } from '../../shared/text';

/** Milliseconds: a message that would wait longer fails at once, with the time in its error. */
export const LONGEST_WAIT = 60_000;

/** Milliseconds: the longest pause before one request tries again, whatever the gateway asked for. */
const LONGEST_REST = 300_000;

/** Milliseconds of the pauses if the gateway does not say how long. Most plans count by the minute. */
const UNTOLD_WAITS = [1_000, 10_000, 60_000] as const;

/** How many requests of all executions may be under way at once, after the gateway was busy. */
const FIRST_ALLOWANCE = 20;
/** The same, after it has accepted many more. */
const LARGEST_ALLOWANCE = 100;

/** The permission for one request to begin. */
export interface Pass {
	round: number;
	hasBegun: boolean;
	/** The request is one more than the gateway accepted before it was last busy. */
	isBeyond: boolean;
}

type BusyFailure = Failure & Required<Pick<Failure, 'retry'>>;

/**
 * Lets as many requests through as the gateway is expected to accept: all of them, until it is busy for the
 * first time. A busy answer closes the gate for all. When the gate opens, one request tries first. If it is
 * accepted, as many follow as were accepted before the gate closed; further ones follow carefully: first
 * one, then two, then four.
 */
export class BusyGate {
	/** Requests that one execution may have under way without the gate holding any of them up. */
	leastAllowance = 0;
	private underWay = 0;
	/** Of these, requests of this round that have not begun: their files may still be opened. */
	private unbegun = 0;
	/** Further requests under way at once, beyond those that the gateway is expected to accept. */
	private allowance = Infinity;
	/** Each closing ends a round. */
	private round = 0;
	private begunInRound = 0;
	private taken = 0;
	/** How many the gateway accepted before it was busy, in that round and at most in a minute. */
	private expected = 0;
	private untold = 0;
	private busy?: Failure;
	private busyUntil = 0;
	private opensAt = 0;

	get wasBusy(): boolean {
		return this.busy !== undefined || this.allowance < Infinity;
	}

	/** Returns when one more may pass: 0 for now, Infinity for after another request has ended. */
	nextAt(): number {
		if (this.busy) return this.isProbing ? Infinity : this.opensAt;
		const isExpected = this.begunInRound < this.expected;
		const most = isExpected ? this.firstAllowance : this.allowance;
		return this.underWay < most ? 0 : Infinity;
	}

	pass(): Pass {
		const { round, expected, begunInRound } = this;
		this.begunInRound++;
		this.underWay++;
		this.unbegun++;
		return { round, hasBegun: false, isBeyond: begunInRound >= expected };
	}

	/** Whether a pass still counts: the gate has not closed since it was given. */
	isValid({ round }: Pass): boolean {
		return round === this.round;
	}

	/** Returns whether the request of a pass may begin. */
	begin(pass: Pass): boolean {
		if (!this.isValid(pass)) return false;
		this.unbegun--;
		return (pass.hasBegun = true);
	}

	/**
	 * Takes a pass back, with the outcome of its request, or without one if the request never began.
	 * `recent` is how many requests of all executions began in the last minute.
	 */
	end(pass: Pass, { now, recent }: { now: number; recent: number }, outcome?: Outcome): void {
		const isOfThisRound = this.isValid(pass);
		if (isOfThisRound || pass.hasBegun) this.underWay--;
		if (isOfThisRound && !pass.hasBegun) this.unbegun--;
		if (!outcome) {
			if (isOfThisRound) this.begunInRound--;
		} else if (isBusy(outcome)) {
			if (isOfThisRound) this.endRound(recent);
			this.close(outcome, isOfThisRound, now);
		} else if (isOfThisRound) {
			this.open(pass);
		} else {
			// It left before the gate closed, and was accepted.
			this.expected++;
		}
	}

	/** Returns the failure of a message that would wait too long, without asking the gateway. */
	refusal(now: number): Failure | undefined {
		if (!this.busy || this.isProbing || this.opensAt - now <= LONGEST_WAIT) return undefined;
		const { what, httpCode } = this.busy;
		return {
			outcome: 'notSent',
			origin: 'gateway',
			what,
			advice: `Wait another ${durationText(this.busyUntil - now)}: the gateway asked n8n to pause, so n8n did not send this message.`,
			...(httpCode === undefined ? {} : { httpCode }),
		};
	}

	/** While the gate is closed: whether a request has gone to find out if the gateway is still busy. */
	private get isProbing(): boolean {
		return this.begunInRound > 0;
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
		} else if (isBeyond && this.allowance < Math.max(LARGEST_ALLOWANCE, this.leastAllowance)) {
			this.allowance++;
		}
	}

	private endRound(recent: number): void {
		// A probe that was refused says nothing about how many the gateway accepts.
		if (!this.busy) this.expected = Math.min(this.taken, recent);
		this.round++;
		this.begunInRound = 0;
		// They get another pass, and hold up nobody until then.
		this.underWay -= this.unbegun;
		this.unbegun = 0;
		this.taken = 0;
	}

	private close(busy: BusyFailure, isOfThisRound: boolean, now: number): void {
		const told = busy.retry.afterMs;
		// Of requests that left together, the first closes the gate; a later answer may ask for a longer pause.
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
export function isBusy(outcome: Outcome): outcome is BusyFailure {
	if (outcome.outcome === 'accepted' || !outcome.retry) return false;
	return outcome.retry.busy === true || outcome.retry.afterMs !== undefined;
}
