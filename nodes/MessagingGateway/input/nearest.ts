/** Names that are longer are no names of fields that a person has mistyped. */
const LONGEST = 60;

/**
 * Returns the name that a person most likely meant, undefined if none is near. Upper and lower case and the signs
 * between words do not count: `orderID` is `order_id`.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
	const meant = plain(name);
	const most = Math.max(1, Math.floor(meant.length / 3));
	let best: { candidate: string; distance: number } | undefined;
	for (const candidate of known) {
		if (candidate.length > LONGEST || name.length > LONGEST) continue;
		const distance = distanceOf(meant, plain(candidate));
		if (distance <= most && (!best || distance < best.distance)) best = { candidate, distance };
	}
	return best?.candidate;
}

function plain(name: string): string {
	const letters = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return letters === '' ? name : letters;
}

/** Returns how many letters have to be changed, added, left out, or swapped with their neighbor. */
function distanceOf(a: string, b: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, at) => at);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const isSame = a[i - 1] === b[j - 1];
			const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			row[j] = Math.min(
				(last[j] as number) + 1,
				(row[j - 1] as number) + 1,
				(last[j - 1] as number) + (isSame ? 0 : 1),
				isSwapped ? (beforeLast[j - 2] as number) + 1 : Infinity,
			);
		}
		beforeLast = last;
		last = row;
	}
	return last[b.length] as number;
}
