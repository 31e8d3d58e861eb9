import { type BusyFailure, type Failure, notSent } from '../../gateway/outcome';
import { durationText } from '../../shared/text';

/** Milliseconds: a message that would wait longer fails at once, with the time in its error. */
export const LONGEST_WAIT = 60_000;

/** Milliseconds: the longest cooldown before one request tries again, whatever the gateway asked for. */
const LONGEST_COOLDOWN = 300_000;

/** Milliseconds of the cooldowns in a row if the gateway does not say how long. Most plans count by the minute. */
const UNTOLD_WAITS = [1_000, 10_000, 60_000] as const;

/** The times in which nobody sends because the gateway is busy. After each, one request goes first. */
export class Cooldown {
	/** How many there were. */
	count = 0;
	/** How many there were in a row in which the gateway accepted nothing. */
	fruitless = 0;
	/** Milliseconds from the first refusal of the last of these until the gateway accepted something. */
	lasted = 0;
	/** When the first refusal of the last of these came. */
	begun = 0;
	/** When the last one ends. */
	end = 0;
	/** The answer that made the last one. */
	busy?: Failure;
	/** The end of the cooldown that the gateway asked for. It may be longer than n8n waits. */
	private askedUntil = 0;
	/** Whether the gateway says how long: then no time is less than a second. */
	private tells = false;

	/** Begins a cooldown. Of several in a row in which the gateway accepted nothing, each is longer than the last. */
	begin(busy: BusyFailure, now: number): void {
		this.count++;
		if (this.fruitless++ === 0) this.begun = now;
		this.set(busy, this.lengthOf(busy.retry.afterMs), now);
	}

	/** Of requests that left together, the first makes the cooldown; a later answer may ask for a longer one. */
	extend(busy: BusyFailure, now: number): void {
		const told = busy.retry.afterMs;
		if (told !== undefined && this.end > now && now + told > this.askedUntil)
			this.set(busy, told, now);
	}

	/** The gateway has accepted something. */
	accepted(now: number): void {
		if (this.fruitless > 0) this.lasted = now - this.begun;
		this.fruitless = 0;
	}

	/** Returns how many are over. */
	over(now: number): number {
		return this.end > now ? this.count - 1 : this.count;
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
		this.end = now + Math.min(ms, LONGEST_COOLDOWN);
	}
}
