import type { Result } from '../delivery/result';
import type { Failure } from '../gateway/outcome';
import { count } from './figures';

/** Why nothing was queued, or why a part of the items was not even tried. */
export interface Cause {
	text: string;
	/** Nothing was queued. */
	isOfAll: boolean;
}

/**
 * Returns what a hint says of a run once, because it is the cause of all its failures or kept it from trying
 * more; undefined if there is no such thing, or its only error says it.
 */
export function causeOf(recipients: readonly Result[]): Cause | undefined {
	const failures = new Map<string, Failure>();
	const items = new Set<number>();
	let isOfAll = true;
	for (const { outcome, items: own } of recipients) {
		// What is told once is the text: failures in the same words are one.
		if (outcome.outcome === 'notSent') failures.set(outcome.what, outcome);
		else if (outcome.outcome !== 'skipped') isOfAll = false;
		if (isNotTried(outcome)) own.forEach((item) => items.add(item));
	}
	const all = [...failures.values()];
	const cause = all.find(isNotTried) ?? (all.length === 1 && isOfAll ? all[0] : undefined);
	if (!cause || recipients.length <= 1) return undefined;
	const were = `${count(items.size, 'item')} ${items.size === 1 ? 'was' : 'were'}`;
	const effects = [isOfAll && 'Nothing was queued', items.size > 0 && `${were} not tried`];
	const text = `${effects.filter(Boolean).join(', and ')}: ${cause.what}. ${cause.advice}`.trim();
	return { text, isOfAll };
}

/** Returns whether a message was not tried, because every message would have failed. */
export function isNotTried(outcome: Result['outcome']): boolean {
	return outcome.outcome === 'notSent' && outcome.cause === 'notTried';
}
