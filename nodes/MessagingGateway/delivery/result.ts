import type { Failure, Outcome } from '../gateway/outcome';
import { getOrAdd } from '../shared/getOrAdd';
import { Breather } from '../shared/time';
import { type Row, SAME_NUMBER, type Skipped } from './row';
import { isFailure, type Shipment } from './shipment';

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
export async function byRequest(rows: readonly Row[]): Promise<Result[]> {
	const breather = new Breather();
	const ordered = inItemOrder(rows);
	const links = await linksOf(ordered);
	const withFirst = new Set([...links.values()].flatMap(({ first }) => [...first]));
	const results: Result[] = [];
	/** By item and outcome: an uncertain message must not be reported as not sent. */
	const withoutRequest = new Map<string, Result>();
	for (const { item, recipient, shipment, reason } of ordered) {
		if (breather.isDue()) await breather.breathe();
		if (shipment?.outcome && !shipment.isBulk) {
			results.push(resultOf(shipment, [item], { to: recipient?.to }));
		} else if (shipment?.outcome) {
			const linked = links.get(shipment);
			if (!linked) continue;
			links.delete(shipment);
			// An item with its own requests is not linked to another item's request from this run.
			const isWell = shipment.outcome.outcome === 'accepted' && !shipment.isEarlier;
			const items = linkedItems(linked, isWell ? withFirst : new Set());
			results.push(resultOf(shipment, items, { recipients: [...linked.asked] }));
		} else if (reason?.outcome === 'skipped' && reason.why !== 'sendOnceKey') {
			const to = recipient?.to;
			const isBarred = reason.why === 'optedOut' || reason.why === 'notAllowed';
			if (isBarred) results.push({ items: [item], outcome: reason, to });
		} else if (reason) {
			const id = `${item} ${reason.outcome}`;
			const known = withoutRequest.get(id);
			if (known && recipient) known.recipients?.push(recipient.to);
			if (known) continue;
			const recipients = withFirst.has(item) && recipient ? [recipient.to] : undefined;
			const result = { items: [item], outcome: reason, ...(recipients && { recipients }) };
			withoutRequest.set(id, result);
			results.push(result);
		}
	}
	return results;
}

/** Resolves to one result for each recipient of each item, in the order of the items. */
export async function byRecipient(rows: readonly Row[]): Promise<Result[]> {
	const breather = new Breather();
	const asked = new Map<Shipment, Set<string>>();
	const results: Result[] = [];
	for (const { item, recipient, asEntered, shipment, reason } of inItemOrder(rows)) {
		if (breather.isDue()) await breather.breathe();
		const outcome = shipment?.outcome ?? reason;
		if (!outcome) continue;
		const to = recipient?.to ?? asEntered;
		const isFirst = !shipment?.isBulk || !to || isNew(asked, shipment, to);
		results.push({
			items: [item],
			outcome: isFirst ? outcome : SAME_NUMBER,
			to,
			isEarlier: shipment?.isEarlier,
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

function resultOf(
	{ outcome, isEarlier }: Shipment,
	items: number[],
	whom: Pick<Result, 'to' | 'recipients'>,
): Result {
	return { items, outcome: outcome as Outcome, isEarlier, ...whom };
}

async function linksOf(ordered: readonly Row[]): Promise<Map<Shipment, Links>> {
	const breather = new Breather();
	const all = new Map<Shipment, Links>();
	for (const { item, recipient, shipment } of ordered) {
		if (breather.isDue()) await breather.breathe();
		if (!shipment?.isBulk || !recipient) continue;
		const links = getOrAdd(all, shipment, () => ({
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

function isNew(asked: Map<Shipment, Set<string>>, shipment: Shipment, to: string): boolean {
	const known = getOrAdd(asked, shipment, () => new Set<string>());
	if (known.has(to)) return false;
	known.add(to);
	return true;
}

function inItemOrder(rows: readonly Row[]): readonly Row[] {
	return [...rows].sort((a, b) => a.item - b.item);
}
