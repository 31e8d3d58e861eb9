import type { Outcome } from '../gateway/outcome';
import { Journal } from './journal';
import type { BulkMessage } from './message';
import { skipped } from './result';
import type { DeliveryRun, Order } from './run';
import { failureOf } from './sender';

/** One number that one item asks for. */
interface Entry {
	number: string;
	item: number;
	sendOnceKey: string;
}

/** Entries that may travel together. */
interface Group {
	order: Order;
	message: BulkMessage;
	entries: Entry[];
}

/** One request to many numbers, and the items that it answers for. */
interface Request {
	numbers: string[];
	items: Set<number>;
	/** Send-Once Keys that hang on it, '' where an item has none. */
	keys: Set<string>;
	/** It went out in an earlier try of this execution. */
	replayed: boolean;
	outcome?: Outcome;
}

/**
 * Sends one text to many numbers with few requests, one after another: all items are read first, so
 * that equal messages travel together and one number gets one text once, and each request is made up
 * just before it is sent, so that a Send-Once Key is recorded when its message goes out.
 */
export async function deliverBulk(
	run: DeliveryRun,
	items: number,
	read: (index: number) => Order,
): Promise<void> {
	const bulk = new BulkDelivery(run);
	for (const group of groupsOf(run, items, read)) await bulk.deliver(group);
	bulk.finish();
}

function groupsOf(run: DeliveryRun, items: number, read: (index: number) => Order): Group[] {
	const groups: Group[] = [];
	const byIdentity = new Map<string, Group>();
	for (let index = 0; index < items && !run.halt.aborted; index++) {
		const order = run.read(() => read(index), index);
		if (!order) continue;
		const message = order.message as BulkMessage;
		let group = message.acrossItems ? byIdentity.get(message.identity) : undefined;
		if (!group) {
			group = { order, message, entries: [] };
			groups.push(group);
			byIdentity.set(message.identity, group);
		}
		const { sendOnceKey } = order;
		// Groups do not go out in item order, but the first item with a key is the one that has it.
		if (sendOnceKey !== '') run.sendOnce.isTaken(sendOnceKey, index);
		for (const number of message.recipients) {
			group.entries.push({ number, item: index, sendOnceKey });
		}
	}
	return run.halt.aborted ? [] : groups;
}

class BulkDelivery {
	private readonly requests: Request[] = [];
	/** For each text and device: the request that a number travels in. */
	private readonly carriers = new Map<string, Map<string, Request>>();
	/** Items whose key was recorded for them in this execution. */
	private readonly claimed = new Set<number>();
	/** Items whose message goes out again, although their key may be known. */
	private readonly again = new Set<number>();
	private readonly left = new Set<number>();
	private readonly withOwnRequest = new Set<number>();
	private readonly withSharedRequests = new Map<number, Set<Request>>();

	constructor(private readonly run: DeliveryRun) {}

	async deliver(group: Group): Promise<void> {
		const { entries, message } = group;
		const key = Journal.keyOf(message, 0);
		const carriers = this.carriersOf(group, key);
		const { halt, pacer } = this.run;
		const most = this.run.settings.numbersPerRequest || Infinity;
		let at = 0;
		while (at < entries.length && !halt.aborted) {
			const request = newRequest();
			await pacer.turn();
			while (request.numbers.length < most && at < entries.length && !halt.aborted) {
				const slice = entries.slice(at, at + most - request.numbers.length);
				at += slice.length;
				for (const entry of await this.unsent(slice)) {
					const carrier = this.add(entry, request, carriers);
					if (carrier.outcome) await this.freeKeys(message, [entry.sendOnceKey], carrier);
				}
			}
			if (halt.aborted) await this.freeKeys(message, request.keys, request);
			else if (request.numbers.length === 0) pacer.giveBack();
			else await this.send(group, key, request);
		}
		if (!message.acrossItems) await this.freeKeyOfList(group, carriers);
	}

	/** Items with nothing of their own left are linked to the request that carried their number. */
	finish(): void {
		for (const [item, requests] of this.withSharedRequests) {
			if (this.withOwnRequest.has(item)) continue;
			for (const request of requests) request.items.add(item);
		}
		for (const { numbers, items, outcome } of this.requests) {
			if (!outcome || items.size === 0) continue;
			const inOrder = [...items].sort((a, b) => a - b);
			this.run.finish({ items: inOrder, outcome, recipients: numbers });
		}
	}

	/** What has gone out already with this text and device, in this run or an earlier try of it. */
	private carriersOf({ message, entries }: Group, key: string): Map<string, Request> {
		const known = this.carriers.get(message.identity);
		const carriers = known ?? new Map<string, Request>();
		this.carriers.set(message.identity, carriers);
		const { done, again } = known ? { done: [], again: [] } : this.run.recall(key);
		for (const entry of done) {
			const { numbers = [] } = entry;
			const request = { ...newRequest(), numbers, replayed: true, outcome: this.run.replay(entry) };
			this.requests.push(request);
			for (const number of numbers) carriers.set(number, request);
		}
		const uncertain = new Set(again.flatMap(({ numbers = [] }) => numbers));
		for (const { number, item } of entries) {
			if (carriers.get(number)?.replayed) this.claimed.add(item);
			if (uncertain.has(number)) this.again.add(item);
		}
		return carriers;
	}

	/** The entries whose key is new, or that have none; the items of the others are left out. */
	private async unsent(entries: Entry[]): Promise<Entry[]> {
		const { sendOnce } = this.run;
		const asking = new Map<number, string>();
		for (const { item, sendOnceKey } of entries) {
			if (sendOnceKey === '' || this.claimed.has(item) || this.left.has(item)) continue;
			if (sendOnce.isTaken(sendOnceKey, item)) this.skip(item, sendOnceKey, true);
			else asking.set(item, sendOnceKey);
		}
		try {
			const known = await sendOnce.claim([...asking.values()]);
			for (const [item, key] of asking) {
				if (known.has(key) && !this.again.has(item)) this.skip(item, key, false);
				else this.claimed.add(item);
			}
		} catch (error) {
			for (const item of asking.keys()) {
				this.left.add(item);
				this.run.finish({ items: [item], outcome: failureOf(error) });
			}
		}
		return entries.filter(({ item }) => !this.left.has(item));
	}

	private skip(item: number, sendOnceKey: string, inThisRun: boolean): void {
		this.left.add(item);
		this.run.finish({ items: [item], outcome: skipped(sendOnceKey, inThisRun) });
	}

	/** Returns the request that carries the number: this one, or an earlier one. */
	private add(entry: Entry, into: Request, carriers: Map<string, Request>): Request {
		const { number, item, sendOnceKey } = entry;
		const carrier = carriers.get(number) ?? into;
		carrier.keys.add(sendOnceKey);
		if (carriers.has(number)) {
			if (carrier.replayed) carrier.items.add(item);
			else this.run.notices.count('duplicates');
			this.withSharedRequests.set(
				item,
				(this.withSharedRequests.get(item) ?? new Set<Request>()).add(carrier),
			);
			return carrier;
		}
		carriers.set(number, into);
		into.numbers.push(number);
		into.items.add(item);
		this.withOwnRequest.add(item);
		return into;
	}

	private async send({ order, message }: Group, key: string, request: Request): Promise<void> {
		const { numbers } = request;
		this.requests.push(request);
		request.outcome = await this.run.send(
			order,
			key,
			async () => message.requestTo(numbers),
			numbers,
		);
		await this.freeKeys(message, request.keys, request);
		this.run.stopAt(request.outcome);
	}

	/** Keys of items hang on the one request that carries the number, or was to carry it. */
	private async freeKeys(
		{ acrossItems }: BulkMessage,
		keys: Iterable<string>,
		{ outcome }: Request,
	): Promise<void> {
		if (!acrossItems) return;
		await this.run.freeKeys(
			[...keys].filter((key) => key !== ''),
			[outcome],
		);
	}

	/** One key stands for a whole list: it is free again only where none of the list may have gone out. */
	private async freeKeyOfList(
		{ order, entries }: Group,
		carriers: Map<string, Request>,
	): Promise<void> {
		if (!this.claimed.has(order.index)) return;
		const outcomes = entries.map(({ number }) => carriers.get(number)?.outcome);
		await this.run.freeKeys([order.sendOnceKey], outcomes);
	}
}

function newRequest(): Request {
	return { numbers: [], items: new Set(), keys: new Set(), replayed: false };
}
