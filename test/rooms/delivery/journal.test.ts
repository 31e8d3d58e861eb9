import type { IContextObject } from 'n8n-workflow';
import { Journal } from '../../../nodes/MessagingGateway/delivery/journal';
import type { Message } from '../../../nodes/MessagingGateway/delivery/message';
import type { Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { deliver, stored } from './world';

const ENVELOPE = { code: 200, message: 'queued' };
const ACCEPTED: Outcome = { outcome: 'accepted', envelope: ENVELOPE };
const REFUSED: Outcome = { outcome: 'notSent', origin: 'gateway', what: 'x', advice: 'x' };
const UNCERTAIN: Outcome = { ...REFUSED, outcome: 'uncertain' };

const single = (identity: string) => ({ kind: 'single', identity }) as Message;
const bulk = (identity: string) => ({ kind: 'bulk', identity }) as Message;

describe('the key of a message', () => {
	it('differs by what is sent, and for single messages by their item', () => {
		const keys = [
			Journal.keyOf(single('a'), 0),
			Journal.keyOf(single('a'), 1),
			Journal.keyOf(single('b'), 0),
			Journal.keyOf(bulk('a'), 0),
			Journal.keyOf(bulk('b'), 0),
		];
		expect(new Set(keys).size).toBe(5);
		expect(Journal.keyOf(single('a'), 1)).toBe(Journal.keyOf(single('a'), 1));
		expect(Journal.keyOf(bulk('a'), 7)).toBe(Journal.keyOf(bulk('a'), 0));
	});

	it('is short, however long the message, and tells nothing of it', () => {
		const key = Journal.keyOf(single('secret'.repeat(100_000)), 12);
		expect(key).toMatch(/^12:[\w-]{16}$/);
	});
});

describe('what is remembered of a request', () => {
	it('is that it began: whatever interrupts it, it counts as uncertain', () => {
		const context: IContextObject = {};
		new Journal(context, '0').begin('key');
		expect(new Journal(stored(context), '0').recall('key')).toEqual([{}]);
	});

	it('is its envelope, once it was accepted', () => {
		const context: IContextObject = {};
		new Journal(context, '0').begin('key', ['628'])(ACCEPTED);
		expect(new Journal(stored(context), '0').recall('key')).toEqual([
			{ numbers: ['628'], envelope: ENVELOPE },
		]);
	});

	it('is that it began, where it stayed uncertain', () => {
		const journal = new Journal({}, '0');
		journal.begin('key')(UNCERTAIN);
		expect(journal.recall('key')).toEqual([{}]);
	});

	it('is nothing, where it was not sent', () => {
		const context: IContextObject = {};
		const journal = new Journal(context, '0');
		journal.begin('key')(REFUSED);
		expect(journal.recall('key')).toEqual([]);
		expect(JSON.stringify(context)).not.toContain('key');
	});

	it('is each of several requests of a bulk send', () => {
		const journal = new Journal({}, '0');
		const first = journal.begin('key', ['1']);
		const second = journal.begin('key', ['2']);
		const third = journal.begin('key', ['3']);
		third(ACCEPTED);
		first(REFUSED);
		second(UNCERTAIN);
		expect(journal.recall('key')).toEqual([
			{ numbers: ['2'] },
			{ numbers: ['3'], envelope: ENVELOPE },
		]);
	});

	it('belongs to one run: a loop is no retry', () => {
		const context: IContextObject = {};
		new Journal(context, '0').begin('key')(ACCEPTED);
		expect(new Journal(context, '1').recall('key')).toEqual([]);
		expect(new Journal(context, '0').recall('key')).toHaveLength(1);
	});

	it('leaves what others keep in the context alone', () => {
		const context: IContextObject = { other: 1 };
		const journal = new Journal(context, '0');
		journal.begin('key');
		journal.close();
		expect(context).toEqual({ other: 1 });
	});
});

describe('a journal that is closed', () => {
	it('leaves nothing behind, once all runs are', () => {
		const context: IContextObject = {};
		const [one, two] = [new Journal(context, '0'), new Journal(context, '1')];
		one.begin('a')(ACCEPTED);
		two.begin('b')(ACCEPTED);
		one.close();
		expect(two.recall('b')).toHaveLength(1);
		expect(Object.keys(context.journal as object)).toEqual(['1']);
		two.close();
		expect(context).toEqual({});
	});
});

describe('the cost of remembering', () => {
	const bytesOf = (context: IContextObject) => JSON.stringify(context).length;

	it('is about 40 bytes a message and its envelope', async () => {
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

	it('is about 16 bytes a number in bulk', async () => {
		const context: IContextObject = {};
		const numbers = Array.from({ length: 10_000 }, (_, index) => String(6281200000000 + index));
		await deliver('list', [{ numbers, text: 'Halo' }], { context });
		expect(bytesOf(context) / 10_000).toBeLessThan(17);
	});
});
