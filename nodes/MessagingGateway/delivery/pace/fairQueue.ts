/** One that waits. `number` is its place before those that came later, also when it comes again. */
interface Numbered {
	readonly number: number;
}

/** One execution's line in a queue: its waiting requests, the oldest first. */
export class Line<T extends Numbered> {
	readonly waiting: T[] = [];
	/** How many have got what they waited for, and were not refused. */
	given = 0;

	get number(): number {
		return this.waiting[0]?.number ?? Infinity;
	}
}

/** After this many newcomers in a row, the next turn goes to an execution that has had one. */
const MOST_NEWCOMERS = 9;

/**
 * A queue in which executions take turns, one request each, however many wait. Newcomers go first, in the order in
 * which they came, nine in a row at most. Every step costs the same, however many executions there are.
 */
export class FairQueue<T extends Numbered> {
	/** How many wait. */
	size = 0;
	private newcomersInARow = 0;
	private readonly newcomers: Array<Line<T>> = [];
	private readonly served: Array<Line<T>> = [];

	/** @param isAgain it has waited before, and goes before those that came after it */
	add(line: Line<T>, waiter: T, isAgain = false): void {
		this.size++;
		const { waiting } = line;
		const isInRound = waiting.length > 0;
		if (isAgain) insert(waiting, waiter);
		else waiting.push(waiter);
		const hadTurn = line.given > 0;
		if (isInRound) {
			const index = isAgain && !hadTurn ? this.served.indexOf(line) : -1;
			if (index < 0) return;
			this.served.splice(index, 1);
		}
		const lines = hadTurn ? this.served : this.newcomers;
		if (!isAgain) lines.push(line);
		else if (hadTurn) lines.unshift(line);
		else insert(lines, line);
	}

	/** Takes out the one whose turn it is. */
	shift(): T | undefined {
		for (;;) {
			// Nobody is passed over while no other waits.
			if (this.served.length === 0) this.newcomersInARow = 0;
			const newcomer = this.newcomersInARow < MOST_NEWCOMERS ? this.newcomers.shift() : undefined;
			const line = newcomer ?? this.served.shift();
			if (!line) return undefined;
			const waiter = line.waiting.shift();
			// Lines that have left are skipped here, lazily.
			if (waiter === undefined) continue;
			if (line.waiting.length > 0) this.served.push(line);
			this.size--;
			this.newcomersInARow = newcomer ? this.newcomersInARow + 1 : 0;
			return waiter;
		}
	}

	/** Takes out all of a line, and returns them. The line must not be used again. */
	remove(line: Line<T>): T[] {
		const all = line.waiting.splice(0);
		this.size -= all.length;
		if (this.size === 0) this.newcomers.length = this.served.length = 0;
		return all;
	}
}

/** Those that come again are the oldest, so their place is found at once. */
function insert<T extends Numbered>(list: T[], one: T): void {
	let index = 0;
	while (index < list.length && (list[index] as T).number <= one.number) index++;
	list.splice(index, 0, one);
}
