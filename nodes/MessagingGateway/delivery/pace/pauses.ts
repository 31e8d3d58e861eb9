import { type BusyFailure, type Failure, notSent } from '../../gateway/outcome';
import { durationText } from '../../shared/text';

/** Milliseconds: a message that would wait longer fails at once, with the time in its error. */
export const LONGEST_WAIT = 60_000;

/** Milliseconds: the longest pause before one request tries again, whatever the gateway asked for. */
const LONGEST_REST = 300_000;

/** Milliseconds of the pauses in a row if the gateway does not say how long. Most plans count by the minute. */
const UNTOLD_WAITS = [1_000, 10_000, 60_000] as const;

/** The pauses that everybody makes while the gateway is busy. After each, one request goes first. */
export class Pauses {
	/** How many there were. */
	count = 0;
	/** How many there were in a row in which the gateway took nothing. */
	fruitless = 0;
	/** Milliseconds from the first refusal of the last of these until the gateway took something. */
	lasted = 0;
	/** When the first refusal of the last of these came. */
	begun = 0;
	/** When the last one ends. */
	end = 0;
	/** The answer that made the last one. */
	busy?: Failure;
	/** The end of the pause that the gateway asked for. It may be longer than n8n waits. */
	private askedUntil = 0;
	/** Whether the gateway says how long: then no time is less than a second. */
	private tells = false;

	/** Begins a pause. Of several in a row in which the gateway took nothing, each is longer than the last. */
	begin(busy: BusyFailure, now: number): void {
		this.count++;
		if (this.fruitless++ === 0) this.begun = now;
		this.set(busy, this.lengthOf(busy.retry.afterMs), now);
	}

	/** The gateway has taken something. */
	wasFruitful(now: number): void {
		if (this.fruitless > 0) this.lasted = now - this.begun;
		this.fruitless = 0;
	}

	/** Of requests that left together, the first makes the pause; a later answer may ask for a longer one. */
	extend(busy: BusyFailure, now: number): void {
		const told = busy.retry.afterMs;
		if (told !== undefined && this.end > now && now + told > this.askedUntil)
			this.set(busy, told, now);
	}

	/** Returns the failure of a message that would wait too long, without asking the gateway. */
	failureWithoutAsking(now: number): Failure | undefined {
		if (!this.busy || this.end - now <= LONGEST_WAIT) return undefined;
		const { what, httpCode } = this.busy;
		return notSent({
			what,
			advice: `Wait another ${durationText(this.askedUntil - now)}: the gateway asked n8n to pause, so n8n did not send this message.`,
			httpCode,
		});
	}

	private lengthOf(told: number | undefined): number {
		this.tells ||= told !== undefined;
		if (!this.tells) {
			return UNTOLD_WAITS[Math.min(this.fruitless, UNTOLD_WAITS.length) - 1] as number;
		}
		const ms = told ?? UNTOLD_WAITS[0];
		return Math.max(ms, Math.min(ms * 2 ** (this.fruitless - 1), LONGEST_WAIT));
	}

	private set(busy: Failure, ms: number, now: number): void {
		this.busy = busy;
		this.askedUntil = now + ms;
		this.end = now + Math.min(ms, LONGEST_REST);
	}
}
