/** Returns what a map has for a key, made now if it has nothing. */
export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}
