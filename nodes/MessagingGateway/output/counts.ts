/** Computes the counts in the hints of a run. */

import type { Recipient } from '../delivery/message';
import type { Result } from '../delivery/result';
import { type Entry, resultOf } from '../delivery/ledger';
import type { RunContext } from '../delivery/runContext';
import type { RunKeys } from '../delivery/runKeys';
import type { Failure } from '../gateway/outcome';
import { countryCodeIn } from '../numbers/plan';
import type { FaultReport } from '../operations/missingValues';
import { getOrAdd } from '../shared/getOrAdd';
import { Breather } from '../shared/time';

/** Everything that is known of a run at its end. */
export interface HintInput {
	entries: readonly Entry[];
	/** The results by request, and by recipient. */
	requests: readonly Result[];
	recipients: readonly Result[];
	/** The Send-Once Keys that n8n could not release, or could not record. */
	keys: Pick<RunKeys, 'unreleased' | 'unrecorded'>;
	run: Omit<RunContext, 'ports'>;
	/** Milliseconds that the run took. */
	duration: number;
	/** A "Remove Duplicates" node prevents the lock with which one worker at a time records keys. */
	lacksLock: boolean;
	/** The Send-Once Key is not an expression. */
	hasFixedKey: boolean;
	/** Warnings about the options, found before anything was sent. */
	warnings: readonly string[];
	/** How many numbers in Skip Numbers have no country code, if no Default Country Code is set. */
	localOptOuts: number;
	/** What is missing in the texts. */
	missing: readonly FaultReport[];
	/** The recipients are phone numbers, not groups. */
	hasNumbers: boolean;
	/** An expression gives the number of each item. */
	isNumberExpression: boolean;
	/** Send Bulk could send the same texts. */
	canBeBulk: boolean;
}

export interface Sums {
	/** Recipients, by outcome. */
	accepted: number;
	skipped: number;
	notSent: number;
	uncertain: number;
	/** Recipients among the accepted whose message went out in an earlier try. */
	earlier: number;
	/** Recipients skipped because an earlier row has the same number. */
	duplicates: number;
	/** Entries of lists that are not numbers, each with the reason. */
	noNumbers: string[];
	/** Requests that this run made, or would make. */
	requests: number;
	uncertainRequests: number;
	skippedByKey: number;
	/** Items skipped for one with the same key that was not sent. */
	behindUnsent: number;
	/** Recipients to check, who got a message or would get one. */
	doubts: Record<NonNullable<Recipient['doubt']>, Set<string>>;
	/** How many different recipients there are. */
	people: number;
	/** The Send-Once Keys of the items. */
	keys: Set<string>;
	/** The keys of several items with different recipients, of whom only the first gets a message. */
	sharedKeys: { keys: Set<string>; items: Set<number>; recipients: Set<string> };
	/** Some recipient has a country code. */
	hasInternational: boolean;
	/** Recipients who got a message, or would get one, by country code; '' for none. */
	byCountryCode: Map<string, number>;
}

export async function sumsOf({
	entries,
	requests,
	recipients,
	run,
	hasNumbers,
}: HintInput): Promise<Sums> {
	const breather = new Breather();
	const sums: Sums = {
		...{ accepted: 0, skipped: 0, notSent: 0, uncertain: 0, earlier: 0, duplicates: 0 },
		...{ requests: 0, uncertainRequests: 0, skippedByKey: 0, behindUnsent: 0 },
		noNumbers: [],
		doubts: {
			hasNoCountryCode: new Set(),
			isAbroad: new Set(),
			mayBeAbroad: new Set(),
			looksLikeName: new Set(),
		},
		people: 0,
		keys: new Set(),
		sharedKeys: { keys: new Set(), items: new Set(), recipients: new Set() },
		hasInternational: false,
		byCountryCode: new Map(),
	};
	const people = new Set<string>();
	for (const { outcome, isEarlier, to } of recipients) {
		if (breather.isDue()) await breather.breathe();
		if (to === undefined) sums.people++;
		else people.add(to);
		sums[outcome.outcome]++;
		if (outcome.outcome === 'accepted' && hasNumbers && to !== undefined) {
			const code = countryCodeIn(to);
			sums.byCountryCode.set(code, (sums.byCountryCode.get(code) ?? 0) + 1);
		}
		if (isEarlier && outcome.outcome === 'accepted') sums.earlier++;
		if (outcome.outcome !== 'skipped') continue;
		if (outcome.why === 'sameNumber' && !isEarlier) sums.duplicates++;
		if (outcome.why === 'noNumber') sums.noNumbers.push(outcome.what);
	}
	sums.people += people.size;
	for (const { outcome, isEarlier } of requests) {
		const isAccepted = outcome.outcome === 'accepted';
		if (outcome.outcome === 'uncertain' && outcome.cause !== 'replyElsewhere')
			sums.uncertainRequests++;
		if (outcome.outcome === 'skipped' && outcome.why === 'sendOnceKey') sums.skippedByKey++;
		if (outcome.outcome === 'skipped' && outcome.why === 'firstNotSent') sums.behindUnsent++;
		const isMade =
			run.mode === 'send' ? outcome.outcome !== 'skipped' && !isNotTried(outcome) : isAccepted;
		if (isMade && !isEarlier) sums.requests++;
	}
	const holders = new Map<string, { item: number; recipients: Set<string> }>();
	for (const { item, recipient, state, sendOnceKey } of entries) {
		if (breather.isDue()) await breather.breathe();
		if (sendOnceKey !== '') sums.keys.add(sendOnceKey);
		if (sendOnceKey !== '' && recipient) {
			const holder = getOrAdd(holders, sendOnceKey, () => ({ item, recipients: new Set() }));
			if (holder.item === item) holder.recipients.add(recipient.to);
			else if (!holder.recipients.has(recipient.to)) sums.sharedKeys.keys.add(sendOnceKey);
		}
		const isSent = resultOf({ state })?.outcome === 'accepted';
		if (isSent && recipient?.doubt) sums.doubts[recipient.doubt].add(recipient.to);
		if (recipient && !recipient.to.startsWith('0')) sums.hasInternational = true;
	}
	await countSharers(entries, sums.sharedKeys);
	return sums;
}

/** Counts the items and recipients of the keys that different recipients share. */
async function countSharers(
	entries: readonly Entry[],
	{ keys, items, recipients }: Sums['sharedKeys'],
): Promise<void> {
	if (keys.size === 0) return;
	const breather = new Breather();
	for (const { sendOnceKey, recipient, item } of entries) {
		if (breather.isDue()) await breather.breathe();
		if (!recipient || !keys.has(sendOnceKey)) continue;
		items.add(item);
		recipients.add(recipient.to);
	}
}

/** Why nothing was queued, or why some items were not even tried. */
export interface Cause {
	failure: Failure;
	/** Nothing was queued. */
	isOfAll: boolean;
	/** Items that were not tried. */
	notTried: number;
}

/** Returns the one cause of all failures, or of items that were not tried. Undefined if the only error says it. */
export function causeOf(recipients: readonly Result[]): Cause | undefined {
	// Failures in the same words are one.
	const failures = new Map<string, Failure>();
	const notTried = new Set<number>();
	let isOfAll = true;
	for (const { outcome, items } of recipients) {
		if (outcome.outcome === 'notSent') failures.set(outcome.what, outcome);
		else if (outcome.outcome !== 'skipped') isOfAll = false;
		if (isNotTried(outcome)) items.forEach((item) => notTried.add(item));
	}
	const all = [...failures.values()];
	const failure = all.find(isNotTried) ?? (all.length === 1 && isOfAll ? all[0] : undefined);
	if (!failure || recipients.length <= 1) return undefined;
	return { failure, isOfAll, notTried: notTried.size };
}

/** Whether a message was not tried because every message would have failed. */
function isNotTried(outcome: Result['outcome']): boolean {
	return outcome.outcome === 'notSent' && outcome.cause === 'notTried';
}

/** How many equal messages make Send Bulk worth a hint. */
const WORTH_BULK = 20;
/** The default of Send Bulk. */
const NUMBERS_PER_REQUEST = 500;

/** Single messages that are equal. */
export interface Repeats {
	/** The items that Send Bulk could join, their texts, and the requests that it would need. */
	items: number;
	texts: number;
	requests: number;
	/** The number of each message whose number got the same text from an earlier item. */
	again: string[];
	/** The numbers that got several different texts, with how many. */
	several: Map<string, number>;
}

export async function repeatsOf(entries: readonly Entry[]): Promise<Repeats> {
	const breather = new Breather();
	const byText = new Map<string, number>();
	const seen = new Set<string>();
	const textsOf = new Map<string, number>();
	const again: string[] = [];
	for (const { identity, recipient, state } of entries) {
		if (breather.isDue()) await breather.breathe();
		if (identity === undefined || !recipient) continue;
		if (resultOf({ state })?.outcome !== 'accepted') continue;
		byText.set(identity, (byText.get(identity) ?? 0) + 1);
		const message = `${recipient.to} ${identity}`;
		if (seen.has(message)) again.push(recipient.to);
		else textsOf.set(recipient.to, (textsOf.get(recipient.to) ?? 0) + 1);
		seen.add(message);
	}
	const many = [...byText.values()].filter((times) => times >= WORTH_BULK);
	const sum = (count: (times: number) => number) =>
		many.reduce((total, times) => total + count(times), 0);
	return {
		items: sum((times) => times),
		texts: many.length,
		requests: sum((times) => Math.ceil(times / NUMBERS_PER_REQUEST)),
		again,
		several: new Map([...textsOf].filter(([, different]) => different > 1)),
	};
}
