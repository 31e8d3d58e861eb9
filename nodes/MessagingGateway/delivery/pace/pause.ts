import { sleep } from 'n8n-workflow';

import { followersOf } from '../../shared/time';

/** Waits `ms` milliseconds, or until `signal` aborts. Resolves in both cases. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	const own = new AbortController();
	const aborted = new Promise<void>((resolve) => {
		own.signal.addEventListener('abort', () => resolve());
	});
	const all = followersOf(signal);
	all.add(own);
	// Older releases of n8n ignore the signal: their timer keeps running, and nobody waits for it.
	await Promise.race([sleepUntil(ms, own.signal), aborted]);
	all.delete(own);
}

async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
	try {
		await (sleep as (ms: number, signal?: AbortSignal) => Promise<void>)(ms, signal);
	} catch {
		// Aborted: the caller sees that from the signal itself.
	}
}
