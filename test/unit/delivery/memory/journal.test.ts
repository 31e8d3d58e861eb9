import type { IContextObject } from 'n8n-workflow';
import {
	Journal,
	type JournalOptions,
} from '../../../../nodes/MessagingGateway/delivery/memory/journal';
import type { Message } from '../../../../nodes/MessagingGateway/delivery/message';
import {
	OTHER_FORMAT,
	OUTDATED,
	UNCLAIMED,
} from '../../../../nodes/MessagingGateway/delivery/memory/retryGuard';
import type { Outcome } from '../../../../nodes/MessagingGateway/gateway/outcome';
import { deliver, stored } from '../deliver';
import { journalOptions } from './journalOptions';

const ENVELOPE = { code: 200, message: 'queued' };
const ACCEPTED: Outcome = { outcome: 'accepted', envelope: ENVELOPE };
const REFUSED: Outcome = { outcome: 'notSent', origin: 'gateway', what: 'x', advice: 'x' };
const UNCERTAIN: Outcome = { ...REFUSED, outcome: 'uncertain' };

const single: Pick<Message, 'travels'> = { travels: 'single' };
const list: Pick<Message, 'travels'> = { travels: 'list' };
const row = (item: number, to = '1') => ({
	item,
	sendOnceKey: '',
	recipient: { to, asEntered: to },
});
/** What earlier tries have left in an execution. */
const left = (context: IContextObject) => journalIn(stored(context)).earlier;

const journalIn = (context: IContextObject, runKey = '0') =>
	new Journal(context, journalOptions({ runKey }));

/** The record as n8n stores it. */
interface Kept {
	runs: Record<string, { sendOnceKeys: object }>;
}

it('the record of an execution is small', () => {
	const context: IContextObject = {};
	journalIn(context).begin([row(0, '1'), row(0, '2')], list)(ACCEPTED);
	expect(stored(context)).toEqual({
		journal: {
			format: 2,
			id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}$/),
			node: 'node',
			generation: 0,
			execution: '1',
			runs: {
				'0': {
					source: 'Items:0:0',
					requests: [{ to: [0, '1', '2'], isBulk: true, envelope: ENVELOPE }],
					sendOnceKeys: {},
				},
			},
		},
	});
});

it('the record of an execution belongs to nobody if an execution before it may have begun one', () => {
	const context: IContextObject = {};
	new Journal(context, journalOptions({ execution: '2', token: 'a token', isRetry: true }));
	expect(stored(context)).toEqual({
		journal: {
			format: 2,
			id: expect.stringMatching(/^[\w-]{16}$/),
			node: 'node',
			generation: 0,
			execution: '',
			runs: { '0': { source: 'Items:0:0', requests: [], sendOnceKeys: {} } },
		},
	});
});

it.each([
	['1.0', { requests: { key: [{}] } }],
	['1.1', { id: 'x', generation: 0, execution: '1', runs: { '0': { requests: { key: [{}] } } } }],
	['a later release', { format: 3 }],
])('the record of an execution of %s allows nothing to be sent', async (_, journal) => {
	const context: IContextObject = { journal };
	const history = new Claims();
	expect(await isHeldBack(context, history, { resendUncertain: true })).toBe(OTHER_FORMAT);
	const [first, second] = [stored(context), stored(context)];
	expect(await isHeldBack(first, history, { execution: '3' })).toBe(OTHER_FORMAT);
	expect(await isHeldBack(second, history, { execution: '4' })).toBe(OUTDATED);
});

it.each(['__proto__', 'constructor', 'a'])('a Send-Once Key may have any name: %s', (name) => {
	const context: IContextObject = {};
	journalIn(context).keepKey(3, name);
	const later = journalIn(stored(context));
	expect([later.isOwnKey(3, name), later.isOwnKey(3, ''), later.isOwnKey(2, name)]).toEqual([
		true,
		false,
		false,
	]);
	later.dropKeys([3]);
	expect(later.isOwnKey(3, name)).toBe(false);
});

it('a Send-Once Key belongs to its item until it is free again', () => {
	const context: IContextObject = {};
	const journal = journalIn(context);
	for (const [item, sendOnceKey] of ['a', 'b', 'c'].entries()) journal.keepKey(item, sendOnceKey);
	journal.dropKeys([1, 7]);
	const later = journalIn(stored(context));
	const own = (sendOnceKey: string) =>
		[0, 1, 2].filter((item) => later.isOwnKey(item, sendOnceKey));
	expect([own('a'), own('b'), own('c'), own('constructor')]).toEqual([[0], [], [2], []]);
});

it('the Send-Once Keys of a canceled run stay with the items for which a request has begun', () => {
	const context: IContextObject = {};
	const journal = journalIn(context);
	for (const [item, sendOnceKey] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
		journal.keepKey(item, sendOnceKey);
	}
	journal.begin([row(0), row(2)], list);
	journal.begin([row(4)], single);
	journal.dropKeysOfUnsent();
	expect((context.journal as unknown as Kept).runs['0']?.sendOnceKeys).toEqual({
		0: 'a',
		2: 'c',
		4: 'e',
	});
});

it('the journal remembers that a request began: whatever interrupts it, it counts as uncertain', () => {
	const context: IContextObject = {};
	const journal = journalIn(context);
	journal.begin([row(0)], single);
	journal.begin([row(1)], single)(UNCERTAIN);
	expect(left(context)).toEqual([{ to: [0, '1'] }, { to: [1, '1'] }]);
});

it('the journal remembers the envelope of a request, once it was accepted', () => {
	const context: IContextObject = {};
	journalIn(context).begin([row(0, '628')], single)(ACCEPTED);
	expect(left(context)).toEqual([{ to: [0, '628'], envelope: ENVELOPE }]);
});

it('the journal remembers nothing of a request that was not sent', () => {
	const context: IContextObject = {};
	const journal = journalIn(context);
	const [first, second, third] = ['1', '2', '3'].map((to) => journal.begin([row(0, to)], list));
	third?.(ACCEPTED);
	first?.(REFUSED);
	second?.(UNCERTAIN);
	expect(left(context)).toEqual([
		{ to: [0, '2'], isBulk: true },
		{ to: [0, '3'], isBulk: true, envelope: ENVELOPE },
	]);
});

it('the journal tells a try nothing of itself', () => {
	const context: IContextObject = {};
	const first = journalIn(context);
	first.begin([row(0)], single)(ACCEPTED);
	expect(first.earlier).toEqual([]);
	const later = journalIn(context);
	later.begin([row(1)], single)(ACCEPTED);
	expect(later.earlier).toEqual([{ to: [0, '1'], envelope: ENVELOPE }]);
});

it('the journal notes each earlier item with the same list once', () => {
	const context: IContextObject = {};
	for (const first of [0, 0, 1]) journalIn(context).noteSame(2, first);
	expect(journalIn(stored(context)).earlierSame).toEqual({ 2: [0, 1] });
});

it('the journal of a run belongs to that run: a loop is no retry', () => {
	const context: IContextObject = {};
	journalIn(context, '0').begin([row(0)], single)(ACCEPTED);
	expect(journalIn(context, '1').earlier).toEqual([]);
	expect(journalIn(context, '0').earlier).toHaveLength(1);
});

it('the journal of a run belongs to its items: after a stop, others may take its place', () => {
	const context: IContextObject = {};
	journalIn(context).begin([row(0)], single)(ACCEPTED);
	const other = new Journal(stored(context), journalOptions({ source: 'Others:0:0' }));
	expect(other.earlier).toEqual([]);
	expect(left(context)).toHaveLength(1);
});

it('the journal leaves what others keep in the context alone', () => {
	const context: IContextObject = { other: 1 };
	const journal = journalIn(context, '0');
	journal.begin([row(0)], single);
	journal.close();
	expect(context).toMatchObject({ other: 1, journal: { runs: {} } });
});

it('a closed journal leaves only its name, once all runs are closed', () => {
	const context: IContextObject = {};
	const [one, two] = [journalIn(context, '0'), journalIn(context, '1')];
	one.begin([row(0)], single)(ACCEPTED);
	two.begin([row(0)], single)(ACCEPTED);
	one.close();
	expect(journalIn(stored(context), '1').earlier).toHaveLength(1);
	expect(Object.keys((context.journal as { runs: object }).runs)).toEqual(['1']);
	two.close();
	expect(context.journal).toEqual({
		format: 2,
		id: expect.any(String),
		node: 'node',
		generation: 0,
		execution: '1',
		runs: {},
	});
});

it('a closed journal lets one retry of an execution go on with a loop if another node failed', async () => {
	const context: IContextObject = {};
	journalIn(context).close();
	const history = new Claims();
	const retry = async (execution: string) =>
		await isHeldBack(stored(context), history, { execution, runKey: '1' });
	expect([await retry('2'), await retry('3')]).toEqual([undefined, OUTDATED]);
});

/** n8n's history, as far as a retry uses it. */
class Claims {
	readonly names = new Set<string>();
	isAway = false;
	/** Called once a name is recorded. */
	onClaim: () => void = () => undefined;

	readonly claim = async (names: string[]): Promise<Set<string>> => {
		await Promise.resolve();
		if (this.isAway) throw new Error('The database is away');
		expect(names).not.toContain(undefined);
		const known = new Set(names.filter((name) => this.names.has(name)));
		for (const name of names) this.names.add(name);
		this.onClaim();
		return known;
	};

	readonly free = async (names: string[]): Promise<void> => {
		for (const name of names) this.names.delete(name);
	};
}

/** Continues a record as another execution does. */
async function isHeldBack(
	context: IContextObject,
	history: Claims,
	more: Partial<JournalOptions> & { canceled?: AbortSignal } = {},
) {
	const { canceled, ...over } = more;
	const options = journalOptions({ execution: '2', isRetry: true, ...over });
	const { guard } = new Journal(context, options);
	await guard.continue(history, canceled);
	return guard.whyHeldBack();
}

describe('a retry', () => {
	const failed = () => {
		const context: IContextObject = {};
		journalIn(context).begin([row(0)], single)(ACCEPTED);
		return context;
	};

	it('a retry leaves no mark if nothing is retried', async () => {
		const history = new Claims();
		expect(await isHeldBack({}, history, { execution: '1' })).toBeUndefined();
		expect(history.names.size).toBe(0);
	});

	it('a retry that could not ask sends nothing, and the next retry may', async () => {
		const [context, history] = [failed(), new Claims()];
		history.isAway = true;
		expect(await isHeldBack(context, history)).toBe(UNCLAIMED);
		history.isAway = false;
		expect(await isHeldBack(stored(context), history, { execution: '3' })).toBeUndefined();
		expect(await isHeldBack(context, history, { execution: '4' })).toBe(OUTDATED);
	});

	it('a retry of an older copy is held back without asking, even while the database is away', async () => {
		const [context, history] = [failed(), new Claims()];
		const older = stored(context);
		await isHeldBack(context, history);
		await isHeldBack(older, history, { execution: '3' });
		history.isAway = true;
		expect(await isHeldBack(older, history, { execution: '4' })).toBe(OUTDATED);
	});

	it("a retry that could not ask asks again in n8n's next try, and in the next run of a loop", async () => {
		const [context, history] = [failed(), new Claims()];
		history.isAway = true;
		expect(await isHeldBack(context, history)).toBe(UNCLAIMED);
		history.isAway = false;
		expect(await isHeldBack(context, history)).toBeUndefined();
		expect(await isHeldBack(context, history, { runKey: '1' })).toBeUndefined();
	});

	it('a retry that is stopped while it asks leaves the rest to the next one', async () => {
		const [context, history, stop] = [failed(), new Claims(), new AbortController()];
		history.onClaim = () => stop.abort();
		const before = stored(context);
		await isHeldBack(context, history, { canceled: stop.signal });
		expect(context).toEqual(before);
		history.onClaim = () => undefined;
		expect(await isHeldBack(stored(context), history, { execution: '3' })).toBeUndefined();
	});

	it('a retry whose tools an agent uses at once asks once', async () => {
		const [context, history] = [failed(), new Claims()];
		const both = [isHeldBack(context, history), isHeldBack(context, history, { runKey: '1' })];
		expect(await Promise.all(both)).toEqual([undefined, undefined]);
		expect(context.journal).toMatchObject({ generation: 1 });
		expect(context.journal).not.toHaveProperty('marks');
	});

	it('a retry without a record is one of those of its token', async () => {
		const history = new Claims();
		const retry = async (execution: string, token?: string) =>
			await isHeldBack({}, history, { execution, token });
		expect(await retry('2', 'a token')).toBeUndefined();
		expect(await retry('3', 'a token')).toBe(OUTDATED);
		expect(await retry('4', 'another token')).toBeUndefined();
		expect([await retry('5'), await retry('6')]).toEqual([undefined, undefined]);
	});

	it('a retry writes nothing of its token that could be read', async () => {
		const context: IContextObject = {};
		const mark = 'signature=secret';
		await isHeldBack(context, new Claims(), { token: mark });
		expect(context.journal).toMatchObject({ generation: 1, execution: '2' });
		expect(JSON.stringify(context)).not.toContain('secret');
	});
});

describe('the cost of remembering', () => {
	const bytesOf = (context: IContextObject) => JSON.stringify(context).length;

	it('the journal needs about 40 bytes for a message and its envelope', async () => {
		const context: IContextObject = {};
		const wishes = Array.from({ length: 1_000 }, (_, index) => ({
			numbers: [String(6281200000000 + index)],
			text: 'Halo '.repeat(100),
		}));
		await deliver('singles', wishes, { context });
		const bytes = bytesOf(context) / 1_000 - JSON.stringify(ENVELOPE).length;
		expect(bytes).toBeGreaterThan(20);
		expect(bytes).toBeLessThan(45);
	});

	it.each([
		['list', 1, 17],
		['items', 10_000, 22],
	] as const)(
		'the journal needs few bytes for a number in bulk (%s)',
		async (mode, items, most) => {
			const context: IContextObject = {};
			const all = Array.from({ length: 10_000 }, (_, index) => String(6281200000000 + index));
			const wishes = Array.from({ length: items }, (_, item) => ({
				numbers: items === 1 ? all : [all[item] as string],
				text: 'Halo',
			}));
			await deliver(mode, wishes, { context });
			expect(bytesOf(context) / 10_000).toBeLessThan(most);
		},
	);
});
