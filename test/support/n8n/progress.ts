const EVERY_MS = 5000;

/** Says every few seconds what is being waited for, so that a slow step does not look like a hang. */
export class Progress {
	private readonly startedAt = Date.now();

	private readonly timer: NodeJS.Timeout;

	constructor(
		private readonly title: string,
		private doing: string,
	) {
		this.say(doing);
		this.timer = setInterval(() => this.say(this.doing), EVERY_MS);
		this.timer.unref();
	}

	/** Names the step that has begun; `quietly` leaves it to the next regular line. */
	now(doing: string, quietly = false): void {
		this.doing = doing;
		if (!quietly) this.say(doing);
	}

	end(result: string): void {
		clearInterval(this.timer);
		this.say(result);
	}

	private say(what: string): void {
		const seconds = Math.round((Date.now() - this.startedAt) / 1000);
		process.stderr.write(`[${this.title}] ${String(seconds).padStart(3)} s  ${what}\n`);
	}
}
