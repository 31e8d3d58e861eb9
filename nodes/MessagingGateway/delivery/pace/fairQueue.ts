/** The line of one execution in a queue: what of it waits, the oldest first. */
export class Line<T> {
	readonly waiting: T[] = [];
	/** A request of the execution has begun. */
	hadTurn = false;
}

/**
 * A queue in which executions take turns, one request each, however many wait. Who has had no turn yet comes
 * first. Every step costs the same, however many executions there are.
 */
export class FairQueue<T> {
	/** How many wait. */
	size = 0;
	/** Those that came first and gave their turn back. */
	private returned: Array<{ line: Line<T>; waiter: T }> = [];
	private readonly without: Array<Line<T>> = [];
	private readonly others: Array<Line<T>> = [];

	add(line: Line<T>, waiter: T): void {
		this.size++;
		// A line with more than one is in the round already.
		if (line.waiting.push(waiter) === 1) (line.hadTurn ? this.others : this.without).push(line);
	}

	/** Adds one that has had its turn and could not use it: it goes before all others. */
	addReturned(line: Line<T>, waiter: T): void {
		this.size++;
		this.returned.push({ line, waiter });
	}

	/** Takes out the one whose turn it is. */
	shift(): T | undefined {
		const returned = this.returned.shift();
		if (returned) {
			this.size--;
			return returned.waiter;
		}
		for (;;) {
			const line = this.without.shift() ?? this.others.shift();
			if (!line) return undefined;
			const waiter = line.waiting.shift();
			// A line that has left is found here, as nobody looks for it before.
			if (waiter === undefined) continue;
			if (line.waiting.length > 0) this.others.push(line);
			this.size--;
			return waiter;
		}
	}

	/** Takes out all of a line, and returns them. The line must not be used again. */
	remove(line: Line<T>): T[] {
		const returned = this.returned.filter((each) => each.line === line);
		this.returned = this.returned.filter((each) => each.line !== line);
		const all = [...returned.map(({ waiter }) => waiter), ...line.waiting.splice(0)];
		this.size -= all.length;
		if (this.size === 0) this.without.length = this.others.length = 0;
		return all;
	}
}
