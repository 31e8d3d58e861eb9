/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
const EVERY_MS = 5000;

/**
 * Says every few seconds what is being waited for, so that a slow step does not look like a hang.
 * In a terminal it is one line that changes; in a log, a line each time.
 */
export class Progress {
	private readonly startedAt = Date.now();

	private readonly timer: NodeJS.Timeout;

	constructor(
		private readonly title: string,
		private doing: string | (() => string),
		private readonly output: Pick<
			NodeJS.WriteStream,
			'isTTY' | 'columns' | 'write'
		> = process.stderr,
	) {
		this.say(doing);
		this.timer = setInterval(() => this.say(this.doing), output.isTTY ? 1000 : EVERY_MS);
		this.timer.unref();
	}

	/**
	 * Names the step that has begun; `quietly` leaves it to the next regular line.
	 *
	 * @param doing a function is asked again for each line
	 */
	now(doing: string | (() => string), quietly = false): void {
		this.doing = doing;
		if (!quietly) this.say(doing);
	}

	end(result: string): void {
		clearInterval(this.timer);
		this.say(result);
		if (this.output.isTTY) this.output.write('\n');
	}

	private say(what: string | (() => string)): void {
		const text = typeof what === 'function' ? what() : what;
		const line = `[${this.title}] ${durationText(Date.now() - this.startedAt)}  ${text}`;
		if (!this.output.isTTY) return void this.output.write(`${line}\n`);
		const clearLine = '\r\u001b[K';
		this.output.write(clearLine + line.slice(0, (this.output.columns || 80) - 1));
	}
}

/** `  9 s`, `5 min 03 s` */
export function durationText(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${String(seconds).padStart(3)} s`;
	return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
