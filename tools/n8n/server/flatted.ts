/**
 * Decodes the format in which n8n stores executions: a table of values in which every string is the
 * index of a value, so that shared and circular values appear once.
 */
export function decodeFlatted(text: string): unknown {
	const table = JSON.parse(text) as unknown[];
	const decoded = new Map<number, unknown>();

	const valueAt = (index: number): unknown => {
		const value = table[index];
		if (typeof value !== 'object' || value === null) return value;
		if (decoded.has(index)) return decoded.get(index);
		const whole: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		decoded.set(index, whole);
		const entries = Object.entries(value).map(([key, entry]) => [
			key,
			typeof entry === 'string' ? valueAt(Number(entry)) : entry,
		]);
		return Object.assign(whole, Object.fromEntries(entries));
	};

	return valueAt(0);
}
