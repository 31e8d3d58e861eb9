import type { IContextObject } from 'n8n-workflow';
import {
	INTERRUPTED,
	OUTDATED,
	REPLACED,
} from '../../../../nodes/MessagingGateway/delivery/memory/retryGuard';
import {
	Journal,
	type JournalOptions,
} from '../../../../nodes/MessagingGateway/delivery/memory/journal';
import { KeyHistory } from '../../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import { FakeHistory, stored } from '../deliver';
import { journalOptions } from './journalOptions';

const opened: KeyHistory[] = [];
afterEach(async () => {
	for (const each of opened.splice(0)) await each.close();
});

let workflows = 0;
function historyOf(keys: FakeHistory): KeyHistory {
	const keyHistory = new KeyHistory(keys, `workflow ${++workflows}`, 'node');
	opened.push(keyHistory);
	return keyHistory;
}
const history = () => historyOf(new FakeHistory());
const guardOf = (context: IContextObject, over: Partial<JournalOptions> = {}) =>
	new Journal(context, journalOptions({ token: 'a token', ...over })).guard;
const retryOf = (context: IContextObject, over: Partial<JournalOptions> = {}) =>
	guardOf(stored(context), { execution: '2', isRetry: true, ...over });

describe('a retry without a record', () => {
	const interrupted = async () => {
		const keys = history();
		await guardOf({}).markBegun(keys);
		return keys;
	};

	it('a retry without a record is held back if the execution had begun to send when n8n ended', async () => {
		const guard = retryOf({});
		await guard.continue(await interrupted());
		expect(guard.whyHeldBack()).toBe(INTERRUPTED);
	});

	it('a retry without a record sends with Send Again, and what it cannot send may still have been sent', async () => {
		const guard = retryOf({}, { resendUncertain: true });
		await guard.continue(await interrupted());
		expect([guard.whyHeldBack(), guard.gap]).toEqual([undefined, INTERRUPTED]);
	});

	it('a retry without a record leaves one that holds the next retry back, too', async () => {
		const [context, keys] = [{} as IContextObject, await interrupted()];
		await guardOf(context, { execution: '2', isRetry: true }).continue(keys);
		const next = retryOf(context, { execution: '3' });
		await next.continue(keys);
		expect(next.whyHeldBack()).toBe(INTERRUPTED);
	});

	it('a retry without a record that is canceled at once leaves the mark, which holds the next one back', async () => {
		const keys = await interrupted();
		await retryOf({}).continue(keys, AbortSignal.abort());
		const next = retryOf({}, { execution: '3' });
		await next.continue(keys);
		expect(next.whyHeldBack()).toBe(INTERRUPTED);
	});

	it('a retry without a record sends if the execution failed before the node ran', async () => {
		const guard = retryOf({});
		await guard.continue(history());
		expect(guard.whyHeldBack()).toBeUndefined();
	});

	it('a retry without a record marks that it has begun, with the same call', async () => {
		const keys = new FakeHistory();
		const open = historyOf(keys);
		const guard = retryOf({});
		await guard.continue(open);
		await guard.markBegun(open);
		expect(keys.calls).toBe(1);
	});
});

it('the guard marks once that an execution has begun, however many requests ask at once', async () => {
	const keys = new FakeHistory();
	const open = historyOf(keys);
	const guard = guardOf({});
	await Promise.all([guard.markBegun(open), guard.markBegun(open)]);
	await guard.markBegun(open);
	expect(keys.calls).toBe(1);
	// The name holds for ever: another release may retry the execution.
	expect(keys.has('begun 4zFuK6_rthA6NBjo')).toBe(true);
});

it('the guard lets an execution send without a mark if the history is away, or n8n gives no token', async () => {
	const keys = new FakeHistory();
	keys.broken = true;
	await guardOf({}).markBegun(historyOf(keys));
	keys.broken = false;
	await guardOf({}, { token: undefined }).markBegun(historyOf(keys));
	expect(keys.calls).toBe(1);
});

describe('a retry by a node that took the place of another one', () => {
	const failed = () => {
		const context: IContextObject = {};
		guardOf(context);
		return context;
	};

	it('a retry by a node that replaced another is held back, as the history of that one is out of reach', async () => {
		const guard = retryOf(failed(), { node: 'another' });
		await guard.continue(history());
		expect(guard.whyHeldBack()).toBe(REPLACED);
	});

	it('a retry by a node that replaced another is still told first that a newer retry exists', async () => {
		const [context, keys] = [failed(), history()];
		await retryOf(context).continue(keys);
		const guard = retryOf(context, { execution: '3' });
		await guard.continue(keys);
		expect(guard.whyHeldBack()).toBe(OUTDATED);
	});
});

describe('an execution that has waited', () => {
	/** n8n stores the execution when it begins to wait, and reads it again to go on. */
	const waiting = async (keys: KeyHistory) => {
		const context: IContextObject = {};
		await guardOf(context).markBegun(keys);
		return stored(context);
	};

	it('a retry is held back if n8n ended while the execution sent more after its wait', async () => {
		const keys = history();
		const saved = await waiting(keys);
		const goingOn = guardOf(stored(saved));
		await goingOn.continue(keys);
		await goingOn.markBegun(keys);

		const retry = retryOf(saved);
		await retry.continue(keys);
		expect(retry.whyHeldBack()).toBe(INTERRUPTED);
	});

	it('a retry sends if n8n ended before the execution sent more, or has stored what it sent', async () => {
		const keys = history();
		const saved = await waiting(keys);
		const context = stored(saved);
		await guardOf(context).markBegun(keys);

		const retried = stored(context);
		for (const execution of ['2', '3']) {
			const retry = guardOf(retried, { execution, isRetry: true });
			await retry.continue(keys);
			await retry.markBegun(keys);
			expect(retry.whyHeldBack()).toBeUndefined();
		}
		const early = historyOf(new FakeHistory());
		const retry = retryOf(await waiting(early));
		await retry.continue(early);
		expect(retry.whyHeldBack()).toBeUndefined();
	});

	it.each([
		['is held back if n8n has not stored the last run of a loop', false, INTERRUPTED],
		['sends if n8n has stored all runs of a loop', true, undefined],
	])('a retry of an execution that saves its progress %s', async (_, isWhole, reason) => {
		const keys = history();
		const context: IContextObject = {};
		await guardOf(context, { savesProgress: true }).markBegun(keys);
		const progress = stored(context);
		const next = guardOf(context, { savesProgress: true });
		await Promise.all([next.markBegun(keys), next.markBegun(keys)]);

		const retry = retryOf(isWhole ? context : progress, { savesProgress: true });
		await retry.continue(keys);
		expect(retry.whyHeldBack()).toBe(reason);
	});
});
