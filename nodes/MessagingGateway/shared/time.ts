/** Waiting and stopping: breaks for n8n's event loop, time limits, and work that ends together with the execution. */

import { sleep } from 'n8n-workflow';

import { InputError } from './inputError';

/** Milliseconds of work before a break. All users of n8n share one event loop. */
const LONGEST_STRETCH = 10;

/** Divides long work into short stretches: `if (breather.isDue()) await breather.breathe();` */
export class Breather {
	private last = Date.now();

	/** Whether it is time for a break. */
	isDue(): boolean {
		const worked = Date.now() - this.last;
		return worked >= LONGEST_STRETCH || worked < 0;
	}

	/** Resolves after other work had a chance to run. */
	async breathe(): Promise<void> {
		await sleep(0);
		this.last = Date.now();
	}
}

/** Milliseconds: the longest time that a timer of Node.js can count. */
export const LONGEST_TIME = 2 ** 31 - 1;

/** Returns a signal that aborts after `ms` milliseconds, or at once if `ms` is 0 or less. */
export function timeoutSignal(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.max(0, Math.min(ms, LONGEST_TIME)));
}

/** Resolves to the value of `work`, or to that of `onTimeout` after `ms` milliseconds. */
export async function withTimeout<T>(ms: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
	const signal = timeoutSignal(ms);
	let expire: () => void = () => undefined;
	const expired = new Promise<void>((resolve) => {
		expire = resolve;
	});
	signal.addEventListener('abort', expire);
	try {
		return await Promise.race([work, expired.then(onTimeout)]);
	} finally {
		// The timer keeps running. Until it ends, the listener would keep the value in memory.
		signal.removeEventListener('abort', expire);
	}
}

const followers = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * Returns the controllers that abort together with `signal`. Add your own, and delete it when you are done.
 * They share one listener, because Node.js warns about more than ten.
 */
export function followersOf(signal: AbortSignal): Set<AbortController> {
	const known = followers.get(signal);
	if (known) return known;
	const all = new Set<AbortController>();
	followers.set(signal, all);
	signal.addEventListener('abort', () => all.forEach((each) => each.abort()));
	return all;
}

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

/** Resolves to the value of `work`, or to that of `onTimeout` at a time of `performance.now()`, which may be Infinity. */
export async function endedBy<T>(time: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
	if (time === Infinity) return await work;
	const over = new AbortController();
	const late = pause(time - performance.now(), over.signal);
	try {
		return await Promise.race([work, late.then(() => (over.signal.aborted ? work : onTimeout()))]);
	} finally {
		over.abort();
	}
}

async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
	try {
		await (sleep as (ms: number, signal?: AbortSignal) => Promise<void>)(ms, signal);
	} catch {
		// Aborted: the caller sees that from the signal itself.
	}
}

/** Returns the error of a message whose execution was stopped before its request left n8n. */
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
