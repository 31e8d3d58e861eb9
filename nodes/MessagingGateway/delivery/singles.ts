import { notSentBecauseOf } from '../gateway/outcome';
import { runInLanes, type Job } from './lanes';
import type { SingleMessage } from './message';
import { skipped } from './result';
import type { DeliveryRun, Order } from './run';

/** Sends messages that each have a request of their own, in one pass over the items. */
export async function deliverSingles(
	run: DeliveryRun,
	items: number,
	read: (index: number) => Order,
): Promise<void> {
	await runInLanes(jobs(run, items, read), run.settings.maxConcurrency);
}

function* jobs(run: DeliveryRun, items: number, read: (index: number) => Order): Generator<Job> {
	for (let index = 0; index < items && !run.halt.aborted; index++) {
		const order = run.read(() => read(index), index);
		const job = order && toJob(run, order, order.message as SingleMessage);
		if (job) yield job;
	}
}

/** Undefined where nothing has to be sent. */
function toJob(run: DeliveryRun, order: Order, message: SingleMessage): Job | undefined {
	const { index, sendOnceKey } = order;
	const key = run.journal.keyOf(message, index);
	const isTaken = sendOnceKey !== '' && run.sendOnce.isTaken(sendOnceKey, index);
	const { done, again } = run.recall(key);
	const [earlier] = done;
	if (earlier) {
		run.finish({ items: [index], outcome: run.replay(earlier) });
		return undefined;
	}
	if (isTaken) {
		run.finish({ items: [index], outcome: skipped(sendOnceKey, true) });
		return undefined;
	}
	const isAgain = again.length > 0;
	return {
		lane: message.recipient,
		run: async () => await sendOne(run, order, message, { key, isAgain }),
	};
}

async function sendOne(
	run: DeliveryRun,
	order: Order,
	message: SingleMessage,
	{ key, isAgain }: { key: string; isAgain: boolean },
): Promise<void> {
	const { index, sendOnceKey } = order;
	const items = [index];
	const keys = sendOnceKey === '' ? [] : [sendOnceKey];
	const turn = await run.pacer.turn();
	if (run.halt.aborted) return;
	try {
		const known = await run.sendOnce.claim(keys);
		if (known.size > 0 && !isAgain && !run.journal.isOwnKey(key, sendOnceKey, index)) {
			turn.giveBack();
			run.finish({ items, outcome: skipped(sendOnceKey, false) });
			return;
		}
	} catch (error) {
		run.finish({ items, outcome: notSentBecauseOf(error) });
		return;
	}
	const outcome = await run.send(order, key, message.prepare, { isAgain });
	const isFreed = await run.freeKeys(key, keys, [outcome]);
	if (!isFreed) run.journal.keepKey(key, sendOnceKey, index);
	run.finish({ items, outcome });
}
