const followers = new WeakMap<AbortSignal, Set<AbortController>>();

/** Those that abort with a signal. One listener serves them all, as Node.js warns of more than ten. */
export function followersOf(signal: AbortSignal): Set<AbortController> {
	const known = followers.get(signal);
	if (known) return known;
	const all = new Set<AbortController>();
	followers.set(signal, all);
	signal.addEventListener('abort', () => all.forEach((each) => each.abort()));
	return all;
}
