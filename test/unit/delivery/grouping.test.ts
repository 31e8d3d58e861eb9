/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { Mailing } from '../../../nodes/MessagingGateway/delivery/mailing';
import type { Message, ReadyItem } from '../../../nodes/MessagingGateway/delivery/message';
import { Grouping } from '../../../nodes/MessagingGateway/delivery/grouping';
import { Breather } from '../../../nodes/MessagingGateway/shared/time';
import { deliver, type Wish } from './deliver';
import { timed, useClock } from './clock';

const [A, B, C, D] = ['111111', '222222', '333333', '444444'] as const;

interface Item {
	text: string;
	numbers: string[];
	device?: string;
	key?: string;
	refused?: Message['refusals'];
}

const recipientsOf = (...numbers: string[]) =>
	numbers.map((number) => ({ to: number, asEntered: number }));

function readyOf(index: number, message: Omit<Message, 'requestTo'>, sendOnceKey = ''): ReadyItem {
	const requestTo: Message['requestTo'] = () => {
		return { path: [], format: 'json', fields: {}, answer: 'envelope' };
	};
	return { index, sendOnceKey, message: { ...message, requestTo }, timeout: 0 };
}

async function groupingOf(travels: Message['travels'], items: Item[]) {
	const grouping = new Grouping();
	const readies = items.map(
		({ text, numbers, device = '', key = '', refused: refusals = [] }, index) => {
			const identity = JSON.stringify([device, text]);
			const recipients = recipientsOf(...numbers);
			return readyOf(index, { travels, identity, refusals, recipients }, key);
		},
	);
	const mailings: Mailing[] = [];
	for (const ready of readies) {
		mailings.push((await grouping.add(ready, new Breather(), () => true)).mailing);
	}
	return { grouping, readies, mailings };
}

const summary = (mailings: readonly Mailing[]) =>
	mailings.map((mailing) => [
		(JSON.parse(String(mailing.message.identity)) as string[])[1],
		mailing.all().map(({ recipient }) => recipient.to),
	]);

it('messages that travel alone are a mailing each, equal ones too', async () => {
	const { grouping, mailings } = await groupingOf('single', [
		{ text: 'a', numbers: [A] },
		{ text: 'a', numbers: [A] },
	]);
	expect(summary(mailings)).toEqual([
		['a', [A]],
		['a', [A]],
	]);
	expect(grouping.bulk).toEqual([]);
});

it('rows have the identity of their message if it travels alone', async () => {
	const items = ['Hi', 'Hi', 'Bye'].map((text) => ({ text, numbers: [A] }));
	const identitiesOf = async (travels: Message['travels']) =>
		(await groupingOf(travels, items)).grouping.rows.map(({ identity }) => identity);
	expect(await identitiesOf('single')).toEqual(['["","Hi"]', '["","Hi"]', '["","Bye"]']);
	expect(await identitiesOf('list')).toEqual([undefined, undefined, undefined]);
});

it('texts of lists are a mailing each, and know what the others carry', async () => {
	const { grouping, mailings } = await groupingOf(
		'list',
		[A, A].map((number) => ({ text: 'a', numbers: [number, B] })),
	);
	expect(summary(grouping.bulk)).toEqual([
		['a', [A, B]],
		['a', [A, B]],
	]);
	expect(grouping.bulk).toEqual(mailings);
	const [one, two] = grouping.bulk.map((mailing) => mailing.copyFor({ to: A, asEntered: A }));
	expect([one === two, one?.rows.map(({ item }) => item)]).toEqual([true, [0, 1]]);
});

it('texts of lists name first what is no number', async () => {
	const refused = [{ asEntered: 'x', why: '“x” is no phone number' }];
	const { grouping } = await groupingOf('list', [{ text: 'a', numbers: [A], key: 'k', refused }]);
	expect(grouping.rows).toEqual([
		{
			item: 0,
			asEntered: 'x',
			sendOnceKey: '',
			reason: { outcome: 'skipped', why: 'noNumber', what: '“x” is no phone number' },
		},
		{ item: 0, recipient: { to: A, asEntered: A }, sendOnceKey: 'k' },
	]);
});

it('equal texts of items share a mailing', async () => {
	const { grouping } = await groupingOf('grouped', [
		{ text: 'a', numbers: [A] },
		{ text: 'b', numbers: [B] },
		{ text: 'a', numbers: [C] },
	]);
	expect(summary(grouping.bulk)).toEqual([
		['a', [A, C]],
		['b', [B]],
	]);
	expect(grouping.rows.map(({ item }) => item)).toEqual([0, 1, 2]);
});

it('equal texts of items reach each number in the order of the items', async () => {
	const { grouping } = await groupingOf('grouped', [
		{ text: 'a', numbers: [A] },
		{ text: 'b', numbers: [B] },
		{ text: 'a', numbers: [D, B] },
		{ text: 'a', numbers: [C] },
		{ text: 'b', numbers: [D] },
	]);
	expect(summary(grouping.bulk)).toEqual([
		['a', [A]],
		['b', [B]],
		['a', [D, B, C]],
		['b', [D]],
	]);
});

it('equal texts of items travel apart through other devices', async () => {
	const { grouping } = await groupingOf('grouped', [
		{ text: 'a', numbers: [A], device: 'one' },
		{ text: 'a', numbers: [A], device: 'two' },
		{ text: 'b', numbers: [A], device: 'three' },
	]);
	const copies = grouping.bulk.map((mailing) => mailing.copyFor({ to: A, asEntered: A }));
	expect(new Set(copies).size).toBe(3);
});

describe('a list that an earlier item has, too', () => {
	const list = recipientsOf(A, B);
	const refusals = [{ asEntered: 'x', why: '“x” is no phone number' }];
	const item = (index: number, more: Partial<Message> = {}) =>
		readyOf(index, { travels: 'list', identity: 'Hi', recipients: list, refusals, ...more });

	it('is one row, which says so, and names nothing that is no number again', async () => {
		const grouping = new Grouping();
		const asked: number[] = [];
		const mayJoin = (first: number) => asked.push(first) > 0;
		expect((await grouping.add(item(0), new Breather(), mayJoin)).sameAs).toBeUndefined();
		const { rows, sameAs } = await grouping.add(item(1), new Breather(), mayJoin);
		expect([rows.length, sameAs, asked]).toEqual([1, 0, [0]]);
		expect(grouping.rows.map((row) => [row.item, row.reason !== undefined])).toEqual([
			[0, true],
			[0, false],
			[0, false],
			[1, false],
		]);
	});

	it.each<[string, Partial<Message>, boolean]>([
		['may not be joined', {}, false],
		['has another text', { identity: 'Bye' }, true],
		['is another list', { recipients: [...list] }, true],
		['is sent alone', { travels: 'single' }, true],
		['is grouped', { travels: 'grouped' }, true],
	])('has all its rows if it %s', async (_, more, mayJoin) => {
		const grouping = new Grouping();
		const { travels = 'list' } = more;
		await grouping.add(item(0, { travels }), new Breather(), () => mayJoin);
		const { rows, sameAs } = await grouping.add(item(1, more), new Breather(), () => mayJoin);
		expect([rows.length, sameAs, grouping.rows.length]).toEqual([2, undefined, 6]);
	});

	it('has all its rows if it has a Send-Once Key, which decides for each item alone', async () => {
		const grouping = new Grouping();
		for (const [index, sendOnceKey] of ['a', 'b', 'a', ''].entries()) {
			const ready = { ...item(index), sendOnceKey };
			const { rows, sameAs } = await grouping.add(ready, new Breather(), () => true);
			expect([rows.length, sameAs]).toEqual([2, undefined]);
		}
	});
});

it.each([
	['single', 0],
	['list', 1],
] as const)('rows that go out again get a mailing of their own: %s', async (travels, more) => {
	const { grouping, readies, mailings } = await groupingOf(travels, [
		{ text: 'a', numbers: [A, B] },
	]);
	const [ready, mailing] = [readies[0] as ReadyItem, mailings[0] as Mailing];
	const rows = mailing.all().slice(0, 1);
	const before = grouping.bulk.length;
	const again = grouping.again(ready, rows);
	expect(rows).toHaveLength(1);
	expect([again.all(), grouping.bulk.length - before]).toEqual([rows, more]);
	const copy = (each: Mailing) => each.copyFor({ to: A, asEntered: A });
	expect(copy(again) === copy(mailing)).toBe(travels === 'list');
});

describe('reading items', () => {
	const items = [A, B, C].map((number): Wish => ({ text: 'a', numbers: [number] }));

	it('the reading of items ends when everything halts', async () => {
		const stop = new AbortController();
		let reads = 0;
		const { sent } = await deliver('items', items, {
			canceled: stop.signal,
			onRead: () => void (++reads === 2 && stop.abort()),
		});
		expect([reads, sent]).toEqual([2, []]);
	});

	describe('a slow reading of items', () => {
		useClock();

		it('a slow reading of items lets others have their turn in between', async () => {
			const log: string[] = [];
			const wrong = items.map((item) => ({ ...item, wrong: true }));
			const onRead = () => {
				log.push('item');
				setTimeout(() => log.push('others'), 0);
				jest.setSystemTime(Date.now() + 10);
			};
			await timed(deliver('items', wrong, { onRead }));
			expect(log.slice(0, 5)).toEqual(['item', 'others', 'item', 'others', 'item']);
		});
	});
});
