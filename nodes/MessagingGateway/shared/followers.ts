const followers = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * Returns the controllers that abort together with `signal`; add yours, and delete it when you are
 * done. All of them share one listener, because Node.js warns of more than ten.
 */
export function followersOf(signal: AbortSignal): Set<AbortController> {
	const known = followers.get(signal);
	if (known) return known;
	const all = new Set<AbortController>();
	followers.set(signal, all);
	signal.addEventListener('abort', () => all.forEach((each) => each.abort()));
	return all;
}
