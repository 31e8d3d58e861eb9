import { followersOf } from './followers';
import { InputError } from './inputError';

/** Returns the error of a message whose execution ended before the request had left n8n. */
export function stoppedError(): InputError {
	return new InputError(
		'The execution was stopped before this message was sent',
		'If the time limit of the workflow stopped it, raise the limit in the workflow settings.',
	);
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
