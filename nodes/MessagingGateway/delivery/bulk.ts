import { notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { BulkMessage } from './message';
import { NOT_BEGUN, skipped } from './result';
import type { DeliveryRun, Order } from './run';

/** One number that one item asks for. */
interface Entry {
	number: string;
	item: number;
	sendOnceKey: string;
}

/** Entries that may travel together. */
interface Group {
	/** What their message is remembered by. */
	key: string;
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

/** What is known of one text through one device. */
interface Known {
	/** The request that a number travels in, or travelled in when it was tried before. */
	carriers: Map<string, Request>;
	/** Numbers that go out again, although they may have been sent. */
	again: Set<string>;
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
	const byKey = new Map<string, Group>();
	for (let index = 0; index < items && !run.halt.aborted; index++) {
		const order = run.read(() => read(index), index);
		if (!order) continue;
		const message = order.message as BulkMessage;
		const key = run.journal.keyOf(message, index);
		let group = message.acrossItems ? byKey.get(key) : undefined;
		if (!group) {
			group = { key, order, message, entries: [] };
			groups.push(group);
			byKey.set(key, group);
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
	private readonly known = new Map<string, Known>();
	/** Items whose key was recorded for them in this execution. */
	private readonly claimed = new Set<number>();
	private readonly left = new Set<number>();
	private readonly withOwnRequest = new Set<number>();
	private readonly withSharedRequests = new Map<number, Set<Request>>();

	constructor(private readonly run: DeliveryRun) {}

	async deliver(group: Group): Promise<void> {
		const { entries, message } = group;
		const known = this.knownOf(group.key);
		const { halt, pacer } = this.run;
		const most = this.run.settings.numbersPerRequest || Infinity;
		let at = 0;
		while (at < entries.length && !halt.aborted) {
			const request = newRequest();
			const turn = await pacer.turn();
			while (request.numbers.length < most && at < entries.length && !halt.aborted) {
				const slice = entries.slice(at, at + most - request.numbers.length);
				at += slice.length;
				for (const entry of await this.unsent(slice, group.key)) {
					const carrier = this.add(entry, request, known.carriers);
					if (carrier.outcome) await this.freeKeys(group, [entry.sendOnceKey], carrier);
				}
			}
			if (halt.aborted) await this.freeKeys(group, request.keys, request);
			else if (request.numbers.length === 0) turn.giveBack();
			else await this.send(group, known, request);
		}
		if (message.acrossItems) return;
		if (this.run.isCancelled) this.tellWhatIsLeft(group, known);
		await this.freeKeyOfList(group, known);
	}

	/**
	 * Items are linked to the requests of other items that carried their numbers, where these failed, or
	 * where they have no request of their own.
	 */
	finish(): void {
		for (const [item, requests] of this.withSharedRequests) {
			for (const request of requests) {
				const isSent = request.outcome?.outcome === 'accepted';
				if (!isSent || !this.withOwnRequest.has(item)) request.items.add(item);
			}
		}
		for (const { numbers, items, outcome } of this.requests) {
			if (!outcome || items.size === 0) continue;
			const inOrder = [...items].sort((a, b) => a - b);
			this.run.finish({ items: inOrder, outcome, recipients: numbers });
		}
	}

	/** What an earlier group of this run, or an earlier try of it, has done with this message. */
	private knownOf(key: string): Known {
		const existing = this.known.get(key);
		if (existing) return existing;
		const { done, again } = this.run.recall(key);
		const known: Known = {
			carriers: new Map(),
			again: new Set(again.flatMap(({ numbers = [] }) => numbers)),
		};
		this.known.set(key, known);
		for (const entry of done) {
			const { numbers = [] } = entry;
			const request = { ...newRequest(), numbers, replayed: true, outcome: this.run.replay(entry) };
			this.requests.push(request);
			for (const number of numbers) {
				if (!known.carriers.has(number)) known.carriers.set(number, request);
			}
		}
		return known;
	}

	/** The entries whose key is new, or that have none; the items of the others are left out. */
	private async unsent(entries: Entry[], key: string): Promise<Entry[]> {
		const { sendOnce, journal } = this.run;
		const asking = new Map<number, string>();
		for (const { item, sendOnceKey } of entries) {
			if (sendOnceKey === '' || this.claimed.has(item) || this.left.has(item)) continue;
			if (sendOnce.isTaken(sendOnceKey, item)) this.skip(item, sendOnceKey, true);
			else if (journal.isOwnKey(key, sendOnceKey, item)) this.claimed.add(item);
			else asking.set(item, sendOnceKey);
		}
		try {
			const sentBefore = await sendOnce.claim([...asking.values()]);
			for (const [item, sendOnceKey] of asking) {
				if (sentBefore.has(sendOnceKey)) {
					this.skip(item, sendOnceKey, false);
				} else {
					this.claimed.add(item);
					journal.keepKey(key, sendOnceKey, item);
				}
			}
		} catch (error) {
			for (const item of asking.keys()) {
				this.left.add(item);
				this.run.finish({ items: [item], outcome: notSentBecauseOf(error) });
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

	private async send(group: Group, { again }: Known, request: Request): Promise<void> {
		const { order, key, message } = group;
		const { numbers } = request;
		this.requests.push(request);
		request.outcome = await this.run.send(order, key, async () => message.requestTo(numbers), {
			numbers,
			isAgain: numbers.some((number) => again.has(number)),
		});
		await this.freeKeys(group, request.keys, request);
		this.run.stopAt(request.outcome);
	}

	/** Keys of items hang on the one request that carries the number, or was to carry it. */
	private async freeKeys(
		{ key, message }: Group,
		sendOnceKeys: Iterable<string>,
		{ outcome }: Request,
	): Promise<void> {
		if (!message.acrossItems) return;
		const keys = [...sendOnceKeys].filter((each) => each !== '');
		await this.run.freeKeys(key, keys, [outcome]);
	}

	/** Of a list whose first requests went out before the execution was cancelled. */
	private tellWhatIsLeft({ order, entries }: Group, { carriers }: Known): void {
		const numbers = entries.map(({ number }) => number);
		const left = numbers.filter((number) => !carriers.get(number)?.outcome);
		const isTold = left.length === 0 || left.length === numbers.length;
		if (isTold || this.left.has(order.index)) return;
		this.requests.push({
			...newRequest(),
			numbers: [...new Set(left)],
			items: new Set([order.index]),
			outcome: NOT_BEGUN,
		});
	}

	/** One key stands for a whole list: it is free again only where none of the list may have gone out. */
	private async freeKeyOfList({ key, order, entries }: Group, { carriers }: Known): Promise<void> {
		if (!this.claimed.has(order.index)) return;
		const outcomes = entries.map(({ number }) => carriers.get(number)?.outcome);
		await this.run.freeKeys(key, [order.sendOnceKey], outcomes);
	}
}

function newRequest(): Request {
	return { numbers: [], items: new Set(), keys: new Set(), replayed: false };
}
