import { InputError } from './inputError';

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

/** Returns the error of a message whose execution ended before the request had left n8n. */
export function stoppedError(): InputError {
	const error = new InputError(
		'The execution was stopped before this message was queued',
		'If the time limit of the workflow stopped it, raise the limit in the workflow settings.',
	);
	return Object.assign(error, { isStop: true });
}

/**
 * Resolves to the value of `work`. A value that comes after `signal` has aborted goes to `release`.
 *
 * @throws InputError as soon as `signal` aborts
 */
export async function unlessStopped<T>(
	signal: AbortSignal | undefined,
	work: Promise<T>,
	release: (late: T) => void = () => undefined,
): Promise<T> {
	if (!signal) return await work;
	const own = new AbortController();
	const stopped = new Promise<never>((_, reject) => {
		own.signal.addEventListener('abort', () => {
			reject(stoppedError());
			work.then(release, () => undefined);
		});
	});
	const followers = followersOf(signal);
	followers.add(own);
	if (signal.aborted) own.abort();
	try {
		return await Promise.race([stopped, work]);
	} finally {
		followers.delete(own);
	}
}
