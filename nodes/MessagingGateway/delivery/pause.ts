import { sleep } from 'n8n-workflow';

/** Waits `ms` milliseconds, or until `signal` aborts. Resolves in both cases. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	if (ms <= 0 || signal.aborted) return;
	let onAbort = () => {};
	const aborted = new Promise<void>((resolve) => {
		onAbort = resolve;
		signal.addEventListener('abort', onAbort, { once: true });
	});
	// Older hosts do not know the signal: their timer runs on, and nobody waits for it.
	await Promise.race([sleepUntil(ms, signal), aborted]);
	signal.removeEventListener('abort', onAbort);
}

async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
	try {
		await (sleep as (ms: number, signal?: AbortSignal) => Promise<void>)(ms, signal);
	} catch {
		// Aborted: the caller sees that from the signal itself.
	}
}
