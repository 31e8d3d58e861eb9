/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** A clock that jumps from timer to timer, so that hours of waiting take no time. Its order follows from its timers alone. */
export class VirtualTime {
	now = 0;
	private timers: Timer[] = [];
	private count = 0;

	/** Runs `work` in this time, until it is done or nothing is left to wait for. */
	async run(work: () => Promise<unknown>): Promise<void> {
		const restore = this.install();
		try {
			let isDone = false;
			void work().finally(() => (isDone = true));
			for (;;) {
				await new Promise((resolve) => setImmediate(resolve));
				if (isDone || !this.step()) return;
			}
		} finally {
			restore();
		}
	}

	/** Resolves after so many milliseconds. */
	async after(ms: number): Promise<void> {
		return await new Promise((resolve) => void this.set(resolve, ms));
	}

	/** Runs all timers of the next moment. */
	private step(): boolean {
		const next = this.shift();
		if (!next) return false;
		this.now = Math.max(this.now, next.at);
		next.work();
		while (this.timers[0] && this.timers[0].at <= this.now) this.shift()?.work();
		return true;
	}

	private set(work: () => void, ms = 0): Timer {
		const { timers } = this;
		// As those of Node.js: whole milliseconds, 1 at least.
		const timer: Timer = { at: this.now + Math.max(1, Math.floor(ms)), order: this.count++, work };
		let index = timers.push(timer) - 1;
		for (
			let parent;
			index > 0 && isBefore(timer, timers[(parent = (index - 1) >> 1)]);
			index = parent
		) {
			timers[index] = timers[parent] as Timer;
		}
		timers[index] = timer;
		return timer;
	}

	private shift(): Timer | undefined {
		const { timers } = this;
		const first = timers[0];
		const last = timers.pop();
		if (!first || !last || timers.length === 0) return first;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (isBefore(timers[child + 1], timers[child])) child++;
			if (!isBefore(timers[child], last)) break;
			timers[index] = timers[child] as Timer;
			index = child;
		}
		timers[index] = last;
		return first;
	}

	private install(): () => void {
		const { setTimeout: set, clearTimeout: clear } = globalThis;
		const [clock, date] = [performance.now, Date.now];
		performance.now = () => this.now;
		Date.now = () => EPOCH + this.now;
		globalThis.setTimeout = ((work: () => void, ms?: number) => this.set(work, ms)) as never;
		globalThis.clearTimeout = ((timer?: Timer) => {
			if (timer) timer.work = () => undefined;
		}) as never;
		return () => {
			Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
			performance.now = clock;
			Date.now = date;
		};
	}
}

interface Timer {
	at: number;
	order: number;
	work(): void;
}

const EPOCH = Date.UTC(2026, 0, 1);

function isBefore(one: Timer | undefined, other: Timer | undefined): boolean {
	if (!one || !other) return one !== undefined;
	return one.at - other.at < 0 || (one.at === other.at && one.order < other.order);
}
