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
} from '../../../../nodes/MessagingGateway/delivery/memory/heldBack';
import type { Outcome } from '../../../../nodes/MessagingGateway/gateway/outcome';
import { deliver, stored } from '../deliver';
import { journalOptions } from './journalOptions';

const ENVELOPE = { code: 200, message: 'queued' };
const ACCEPTED: Outcome = { outcome: 'accepted', envelope: ENVELOPE };
const REFUSED: Outcome = { outcome: 'notSent', origin: 'gateway', what: 'x', advice: 'x' };
const UNCERTAIN: Outcome = { ...REFUSED, outcome: 'uncertain' };

type Words = Pick<Message, 'travels' | 'identity'>;
const single = (identity: string): Words => ({ travels: 'single', identity });
const bulk = (identity: string): Words => ({ travels: 'list', identity });

/** The journal of a run; of one of n8n's own tries where an execution is given. */
const journalIn = (context: IContextObject, runKey = '0', execution?: string) =>
	new Journal(
		context,
		journalOptions({
			runKey,
			execution: execution ?? '1',
			retriedByHost: execution !== undefined,
		}),
	);

/** The record as n8n stores it. */
interface Kept {
	runs: Record<string, { sendOnceKeys: object }>;
}

it('the record of an execution is small', () => {
	const context: IContextObject = {};
	journalIn(context).begin('key', { numbers: ['1'], device: 'hash' })(ACCEPTED);
	expect(stored(context)).toEqual({
		journal: {
			id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}$/),
			node: 'node',
			generation: 0,
			execution: '1',
			runs: {
				'0': {
					requests: { key: [{ numbers: ['1'], device: 'hash', envelope: ENVELOPE }] },
					sendOnceKeys: {},
					operation: 'text:send',
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
			id: expect.stringMatching(/^[\w-]{16}$/),
			node: 'node',
			generation: 0,
			execution: '',
			runs: { '0': { requests: {}, sendOnceKeys: {}, operation: 'text:send' } },
		},
	});
});

it('the record of an execution that another version wrote allows nothing to be sent', async () => {
	const context: IContextObject = { journal: { requests: { key: [{}] } } };
	const history = new Claims();
	expect(await isHeldBack(context, history, { resendUncertain: true })).toBe(OTHER_FORMAT);
	const [first, second] = [stored(context), stored(context)];
	expect(await isHeldBack(first, history, { execution: '3' })).toBe(OTHER_FORMAT);
	expect(await isHeldBack(second, history, { execution: '4' })).toBe(OUTDATED);
});

it('the record of an execution names a device by a short hash', () => {
	const journal = journalIn({});
	const [one, other] = [journal.deviceOf({ device: 'one' }), journal.deviceOf({ device: '' })];
	expect([one, other]).toEqual([
		expect.stringMatching(/^[\w-]{6}$/),
		expect.stringMatching(/^[\w-]{6}$/),
	]);
	expect(one).not.toBe(other);
	expect(journal.deviceOf({ device: 'one' })).toBe(one);
});

describe('the fingerprint of a message', () => {
	const keyOf = (message: Words, item: number) => journalIn({}).assignFingerprint(message, item);

	it('the fingerprint of a message differs by what is sent, and for single messages by their item', () => {
		const keys = [
			keyOf(single('a'), 0),
			keyOf(single('a'), 1),
			keyOf(single('b'), 0),
			keyOf(bulk('a'), 0),
			keyOf(bulk('b'), 0),
		];
		expect(new Set(keys).size).toBe(5);
		expect(keyOf(single('a'), 1)).toBe(keyOf(single('a'), 1));
		expect(keyOf(bulk('a'), 7)).toBe(keyOf(bulk('a'), 0));
	});

	it('the fingerprint of a message is short, however long the message, and tells nothing of it', () => {
		const key = keyOf(single('secret'.repeat(100_000)), 12);
		expect(key).toMatch(/^12:[\w-]{16}$/);
	});
});

describe("the fingerprint in n8n's own tries", () => {
	const tries = (context: IContextObject, execution?: string) =>
		journalIn(stored(context), '0', execution);

	it("the fingerprint of a message that was sent stays the same in n8n's own tries, whatever the text is by then", () => {
		const context: IContextObject = {};
		const first = journalIn(context, '0', '7');
		const keys = [first.assignFingerprint(single('a'), 0), first.assignFingerprint(bulk('a'), 1)];
		first.begin(keys[0] as string);
		first.keepKey(keys[1] as string, 'k', 1);
		const later = tries(context, '7');
		expect([
			later.assignFingerprint(single('b'), 0),
			later.assignFingerprint(bulk('b'), 1),
		]).toEqual(keys);
		expect(later.assignFingerprint(single('b'), 2)).toBe(
			journalIn({}, '0').assignFingerprint(single('b'), 2),
		);
	});

	it("the fingerprint of a message is its own in n8n's own tries as long as it was not sent", () => {
		const context: IContextObject = {};
		const first = journalIn(context, '0', '7');
		first.begin(first.assignFingerprint(single('a'), 0))(REFUSED);
		const second = tries(context, '7');
		const key = second.assignFingerprint(single('b'), 0);
		expect(key).toBe(journalIn({}, '0').assignFingerprint(single('b'), 0));
		second.begin(key);
		expect(second.assignFingerprint(single('c'), 0)).toBe(key);
	});

	it.each(['8', undefined])(
		'another execution gives a fingerprint of its own (%s)',
		(execution) => {
			const context: IContextObject = {};
			const first = journalIn(context, '0', '7');
			const key = first.assignFingerprint(single('a'), 0);
			first.begin(key);
			expect(tries(context, execution).assignFingerprint(single('b'), 0)).not.toBe(key);
			expect(tries(context, execution).assignFingerprint(single('a'), 0)).toBe(key);
		},
	);

	it("the fingerprint of a message finds what the first of n8n's own tries did with an item", () => {
		const context: IContextObject = {};
		const first = journalIn(context, '0', '7');
		first.begin(first.assignFingerprint(single('a'), 0))(ACCEPTED);
		expect(first.triesOfItem(0)).toEqual([]);
		first.assignFingerprint(single('a'), 1);

		const later = tries(context, '7');
		expect(later.triesOfItem(0)).toEqual([{ envelope: ENVELOPE }]);
		expect(later.triesOfItem(1)).toEqual([]);
		expect(later.triesOfItem(2)).toEqual([]);
		expect(tries(context, '8').triesOfItem(0)).toEqual([{ envelope: ENVELOPE }]);
		expect(tries(context).triesOfItem(0)).toEqual([{ envelope: ENVELOPE }]);
	});

	it('the fingerprint of a message costs nothing if n8n does not try again', () => {
		const context: IContextObject = {};
		journalIn(context, '0').assignFingerprint(single('a'), 0);
		expect(JSON.stringify(context)).not.toContain('0:');
	});
});

it.each(['__proto__', 'constructor', 'a'])('a Send-Once Key may have any name: %s', (name) => {
	const context: IContextObject = {};
	journalIn(context).keepKey('key', name, 3);
	const later = journalIn(stored(context));
	expect(later.isOwnKey('key', name, 3)).toBe(true);
	expect(later.isOwnKey('key', '', 3)).toBe(false);
	later.dropKeys('key', [name]);
	expect(later.isOwnKey('key', name, 3)).toBe(false);
});

it('the Send-Once Keys of a message belong to their items until they are free again', () => {
	const context: IContextObject = {};
	const journal = journalIn(context, '0');
	for (const [item, sendOnceKey] of ['a', 'b', 'c'].entries()) {
		journal.keepKey('key', sendOnceKey, item);
	}
	journal.dropKeys('key', ['b', 'x']);
	journal.dropKeys('other', ['a']);
	const later = journalIn(stored(context), '0');
	const own = (sendOnceKey: string) =>
		[0, 1, 2].filter((item) => later.isOwnKey('key', sendOnceKey, item));
	expect([own('a'), own('b'), own('c'), own('constructor')]).toEqual([[0], [], [2], []]);
	expect(later.isOwnKey('other', 'a', 0)).toBe(false);
});

it('the Send-Once Keys of a message leave nothing behind when all are free', () => {
	const context: IContextObject = {};
	const journal = journalIn(context, '0');
	journal.keepKey('key', 'a', 0);
	journal.dropKeys('key', ['a']);
	expect(JSON.stringify(context)).not.toContain('key');
});

it('the Send-Once Keys of a canceled run stay with the items for which a request has begun', () => {
	const context: IContextObject = {};
	const journal = journalIn(context);
	for (const [item, sendOnceKey] of ['a', 'b', 'c', 'd'].entries()) {
		journal.keepKey('bulk', sendOnceKey, item);
	}
	journal.begin('bulk', { numbers: ['1', '2'], items: [0, 0, 2, 2] });
	journal.keepKey('4:begun', 'e', 4);
	journal.begin('4:begun');
	journal.keepKey('5:waiting', 'f', 5);
	journal.dropKeysOfUnsent();
	expect((context.journal as unknown as Kept).runs['0']?.sendOnceKeys).toEqual({
		bulk: { a: 0, c: 2 },
		'4:begun': { e: 4 },
	});
});

it('the journal remembers that a request began: whatever interrupts it, it counts as uncertain', () => {
	const context: IContextObject = {};
	journalIn(context, '0').begin('key');
	expect(journalIn(stored(context), '0').triesOf('key')).toEqual([{}]);
});

it('the journal remembers the envelope of a request, once it was accepted', () => {
	const context: IContextObject = {};
	journalIn(context, '0').begin('key', { numbers: ['628'] })(ACCEPTED);
	expect(journalIn(stored(context), '0').triesOf('key')).toEqual([
		{ numbers: ['628'], envelope: ENVELOPE },
	]);
});

it('the journal remembers that a request began if it stayed uncertain', () => {
	const context: IContextObject = {};
	journalIn(context).begin('key')(UNCERTAIN);
	expect(journalIn(stored(context)).triesOf('key')).toEqual([{}]);
});

it('the journal remembers nothing of a request that was not sent', () => {
	const context: IContextObject = {};
	const journal = journalIn(context, '0');
	journal.begin('key')(REFUSED);
	expect(journal.triesOf('key')).toEqual([]);
	expect(JSON.stringify(context)).not.toContain('key');
});

it('the journal remembers each of several requests of a bulk send', () => {
	const context: IContextObject = {};
	const journal = journalIn(context);
	const first = journal.begin('key', { numbers: ['1'] });
	const second = journal.begin('key', { numbers: ['2'] });
	const third = journal.begin('key', { numbers: ['3'] });
	third(ACCEPTED);
	first(REFUSED);
	second(UNCERTAIN);
	expect(journalIn(stored(context)).triesOf('key')).toEqual([
		{ numbers: ['2'] },
		{ numbers: ['3'], envelope: ENVELOPE },
	]);
});

it('the journal finds by its item all that earlier tries did with it, and nothing of this one', () => {
	const context: IContextObject = {};
	const first = journalIn(context);
	first.begin('12:alone')(ACCEPTED);
	first.begin('bulk', { numbers: ['1'], items: [0, 1] });
	first.begin('bulk', { numbers: ['2'], items: [1, 1] })(ACCEPTED);
	const later = journalIn(stored(context));
	later.begin('2:own')(ACCEPTED);
	later.begin('bulk', { numbers: ['3'], items: [1, 3] });
	const shared = { numbers: ['1'], items: [0, 1] };
	const [zero, one, ...others] = [0, 1, 2, 3, 12].map((item) => later.triesOfItem(item));
	expect(zero).toEqual([shared]);
	expect(one).toEqual([shared, { numbers: ['2'], items: [1, 1], envelope: ENVELOPE }]);
	expect(others).toEqual([[], [], [{ envelope: ENVELOPE }]]);
});

it('the journal tells the first try nothing of itself, which has no earlier one', () => {
	const journal = journalIn({});
	journal.begin('0:a')(ACCEPTED);
	expect([journal.triesOf('0:a'), journal.triesOfItem(0)]).toEqual([[], []]);
});

it('the journal of a run belongs to that run: a loop is no retry', () => {
	const context: IContextObject = {};
	journalIn(context, '0').begin('key')(ACCEPTED);
	expect(journalIn(context, '1').triesOf('key')).toEqual([]);
	expect(journalIn(context, '0').triesOf('key')).toHaveLength(1);
});

it('the journal leaves what others keep in the context alone', () => {
	const context: IContextObject = { other: 1 };
	const journal = journalIn(context, '0');
	journal.begin('key');
	journal.close();
	expect(context).toMatchObject({ other: 1, journal: { runs: {} } });
});

it('a closed journal leaves only its name, once all runs are closed', () => {
	const context: IContextObject = {};
	const [one, two] = [journalIn(context, '0'), journalIn(context, '1')];
	one.begin('a')(ACCEPTED);
	two.begin('b')(ACCEPTED);
	one.close();
	expect(journalIn(stored(context), '1').triesOf('b')).toHaveLength(1);
	expect(Object.keys((context.journal as { runs: object }).runs)).toEqual(['1']);
	two.close();
	expect(context.journal).toEqual({
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
		journalIn(context).begin('key')(ACCEPTED);
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

	it('the journal needs about 16 bytes for a number in bulk', async () => {
		const context: IContextObject = {};
		const numbers = Array.from({ length: 10_000 }, (_, index) => String(6281200000000 + index));
		await deliver('list', [{ numbers, text: 'Halo' }], { context });
		expect(bytesOf(context) / 10_000).toBeLessThan(17);
	});
});
