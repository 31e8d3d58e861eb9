/** Numbers of which the lowest or the highest counts. Few of them differ, however many there are. */
export class Tally {
	private readonly counts = new Map<number, number>();

	add(value: number): void {
		this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
	}

	remove(value: number): void {
		const count = (this.counts.get(value) ?? 0) - 1;
		if (count > 0) this.counts.set(value, count);
		else this.counts.delete(value);
	}

	/** Returns the lowest, Infinity if there are none. */
	lowest(): number {
		return [...this.counts.keys()].reduce((a, b) => Math.min(a, b), Infinity);
	}

	/** Returns the highest, 0 if there are none. */
	highest(): number {
		return [...this.counts.keys()].reduce((a, b) => Math.max(a, b), 0);
	}
}
