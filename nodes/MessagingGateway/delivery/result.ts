import { type Failure, isFailure, type Outcome } from '../gateway/outcome';
import { getOrAdd } from '../shared/getOrAdd';
import { Breather } from '../shared/time';
import { type Entry, resultOf, type Submission } from './ledger';
import { SAME_NUMBER, type Skipped } from './skipped';

/** The result of one request, of one recipient, or of one item that has neither. */
export interface Result {
	/** Indexes of the input items that it answers for, in order. */
	items: number[];
	outcome: Outcome | Skipped;
	/** Bulk: the numbers that it is about. */
	recipients?: string[];
	/** The one recipient that it is about. */
	to?: string;
	/** It went out in an earlier try of this execution. */
	isEarlier?: boolean;
	/** It went to the test number, in place of this recipient. */
	testOf?: string;
}

/** The items of a bulk request: the first item for each number, and the others. */
interface Links {
	first: Set<number>;
	others: Set<number>;
	/** Numbers that an item has already asked for. */
	asked: Set<string>;
}

/** Resolves to one result for each request, and for each item without one, in the order of the items. */
export async function byRequest(entries: readonly Entry[]): Promise<Result[]> {
	const breather = new Breather();
	const links = await linksOf(entries);
	const withFirst = new Set([...links.values()].flatMap(({ first }) => [...first]));
	const results: Result[] = [];
	/** By item and outcome: an uncertain message must not be reported as not sent. */
	const withoutRequest = new Map<string, Result>();
	for (const { item, recipient, state } of entries) {
		if (breather.isDue()) await breather.breathe();
		if (state.is === 'inRequest') {
			const { request } = state;
			if (!request.isBulk) results.push(...resultsOf(request, [item], { to: recipient?.to }));
			const linked = links.get(request);
			if (!linked) continue;
			links.delete(request);
			// An item with its own requests is not linked to another item's request from this run.
			const isWell = request.outcome?.outcome === 'accepted' && !request.isEarlier;
			const items = linkedItems(linked, isWell ? withFirst : new Set());
			results.push(...resultsOf(request, items, { recipients: [...linked.asked] }));
		} else if (state.is === 'leftOut') {
			const { why } = state;
			if (why.outcome === 'skipped' && why.sendOnceKey === undefined) {
				const isBarred = ['optedOut', 'notAllowed', 'tooLate'].includes(why.why);
				if (isBarred) results.push({ items: [item], outcome: why, to: recipient?.to });
				continue;
			}
			const id = `${item} ${why.outcome}`;
			const known = withoutRequest.get(id);
			if (known && recipient) known.recipients?.push(recipient.to);
			if (known) continue;
			const recipients = withFirst.has(item) && recipient ? [recipient.to] : undefined;
			const result = { items: [item], outcome: why, ...(recipients && { recipients }) };
			withoutRequest.set(id, result);
			results.push(result);
		}
	}
	return results;
}

/** Resolves to one result for each recipient of each item, in the order of the items. */
export async function byRecipient(entries: readonly Entry[]): Promise<Result[]> {
	const breather = new Breather();
	const asked = new Map<Submission, Set<string>>();
	const results: Result[] = [];
	for (const { item, recipient, asEntered, state } of entries) {
		if (breather.isDue()) await breather.breathe();
		const outcome = resultOf({ state });
		if (!outcome) continue;
		const to = recipient?.to ?? asEntered;
		const request = state.is === 'inRequest' ? state.request : undefined;
		const isFirst = !request?.isBulk || !to || isNew(asked, request, to);
		results.push({
			items: [item],
			outcome: isFirst ? outcome : SAME_NUMBER,
			to,
			isEarlier: request?.isEarlier,
		});
	}
	return results;
}

/** Returns the first failure, in the order of the items. */
export function firstFailure(
	results: readonly Result[],
): (Result & { outcome: Failure }) | undefined {
	return results.find((result): result is Result & { outcome: Failure } =>
		isFailure(result.outcome),
	);
}

/** Returns no result for a request that was not made. */
function resultsOf(
	{ outcome, isEarlier }: Submission,
	items: number[],
	whom: Pick<Result, 'to' | 'recipients'>,
): Result[] {
	return outcome ? [{ items, outcome, isEarlier, ...whom }] : [];
}

async function linksOf(entries: readonly Entry[]): Promise<Map<Submission, Links>> {
	const breather = new Breather();
	const all = new Map<Submission, Links>();
	for (const { item, recipient, state } of entries) {
		if (breather.isDue()) await breather.breathe();
		if (state.is !== 'inRequest' || !state.request.isBulk || !recipient) continue;
		const links = getOrAdd(all, state.request, () => ({
			first: new Set(),
			others: new Set(),
			asked: new Set(),
		}));
		(links.asked.has(recipient.to) ? links.others : links.first).add(item);
		links.asked.add(recipient.to);
	}
	return all;
}

/** @param apart items that only their own numbers link to the request */
function linkedItems({ first, others }: Links, apart: ReadonlySet<number>): number[] {
	const linked = [...others].filter((item) => !apart.has(item));
	return [...new Set([...first, ...linked])].sort((a, b) => a - b);
}

function isNew(asked: Map<Submission, Set<string>>, request: Submission, to: string): boolean {
	const known = getOrAdd(asked, request, () => new Set<string>());
	if (known.has(to)) return false;
	known.add(to);
	return true;
}
