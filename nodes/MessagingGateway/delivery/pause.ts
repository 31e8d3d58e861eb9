import { sleep } from 'n8n-workflow';

/** Whoever waits on a signal. One listener serves them all, as Node.js warns of more than ten. */
const waiting = new WeakMap<AbortSignal, Set<AbortController>>();

/** Waits `ms` milliseconds, or until `signal` aborts. Resolves in both cases. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	const own = new AbortController();
	const aborted = new Promise<void>((resolve) => {
		own.signal.addEventListener('abort', () => resolve());
	});
	const all = waiting.get(signal) ?? listenTo(signal);
	all.add(own);
	// Older hosts do not know the signal: their timer runs on, and nobody waits for it.
	await Promise.race([sleepUntil(ms, own.signal), aborted]);
	all.delete(own);
}

function listenTo(signal: AbortSignal): Set<AbortController> {
	const all = new Set<AbortController>();
	waiting.set(signal, all);
	signal.addEventListener('abort', () => all.forEach((each) => each.abort()));
	return all;
}

async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
	try {
		await (sleep as (ms: number, signal?: AbortSignal) => Promise<void>)(ms, signal);
	} catch {
		// Aborted: the caller sees that from the signal itself.
	}
}
