/** One that waits. `number` is its place before those that came later, also when it comes again. */
interface Numbered {
	readonly number: number;
}

/** The line of one execution in a queue: what of it waits, the oldest first. */
export class Line<T extends Numbered> {
	readonly waiting: T[] = [];
	/** How many of its requests the gateway has, or may have. */
	turns = 0;
	/** When it had its last turn, in turns of the queue. */
	lastTurn = 0;
}

/**
 * A queue in which executions take turns, one request each, however many wait. Those whose turn is still to come are
 * first, and of these those that came first.
 */
export class FairQueue<T extends Numbered> {
	/** How many wait. */
	size = 0;
	private turns = 0;
	private readonly lines = new Set<Line<T>>();

	/** @param isAgain it has waited before, and goes before those that came after it */
	add(line: Line<T>, waiter: T, isAgain = false): void {
		const { waiting } = line;
		if (isAgain) line.lastTurn = 0;
		let index = waiting.length;
		while (index > 0 && (waiting[index - 1] as T).number > waiter.number) index--;
		waiting.splice(index, 0, waiter);
		this.lines.add(line);
		this.size++;
	}

	/** Takes out the one whose turn it is. */
	shift(): T | undefined {
		let next: Line<T> | undefined;
		for (const line of this.lines) if (!next || isBefore(line, next)) next = line;
		if (!next) return undefined;
		next.lastTurn = ++this.turns;
		this.size--;
		const waiter = next.waiting.shift();
		if (next.waiting.length === 0) this.lines.delete(next);
		return waiter;
	}

	/** Takes out all of a line, and returns them. */
	remove(line: Line<T>): T[] {
		const all = line.waiting.splice(0);
		this.size -= all.length;
		this.lines.delete(line);
		return all;
	}
}

function isBefore<T extends Numbered>(one: Line<T>, other: Line<T>): boolean {
	const turn = one.turns > 0 ? one.lastTurn : -1;
	const otherTurn = other.turns > 0 ? other.lastTurn : -1;
	if (turn !== otherTurn) return turn < otherTurn;
	return (one.waiting[0] as T).number < (other.waiting[0] as T).number;
}
