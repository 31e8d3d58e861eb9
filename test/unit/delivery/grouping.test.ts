/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { Message, ReadyItem } from '../../../nodes/MessagingGateway/delivery/message';
import { Grouping } from '../../../nodes/MessagingGateway/delivery/grouping';
import { deliver, type Wish } from './deliver';
import { timed, useClock } from './clock';

const [A, B, C, D] = ['111111', '222222', '333333', '444444'] as const;

interface Item {
	text: string;
	numbers: string[];
	device?: string;
}

const recipientsOf = (...numbers: string[]) =>
	numbers.map((number) => ({ to: number, asEntered: number }));

function readyOf(index: number, message: Omit<Message, 'requestTo'>, sendOnceKey = ''): ReadyItem {
	const requestTo: Message['requestTo'] = () => {
		return { path: [], format: 'json', fields: {}, answer: 'envelope' };
	};
	return { index, sendOnceKey, message: { ...message, requestTo }, timeout: 0 };
}

function groupingOf(travels: Message['travels'], items: Item[]) {
	const grouping = new Grouping();
	const mailings = items.map(({ text, numbers, device = '' }, index) => {
		const identity = JSON.stringify([device, text]);
		const recipients = recipientsOf(...numbers);
		const mailing = grouping.mailingOf(
			readyOf(index, { travels, identity, refusals: [], recipients }),
		);
		return [text, numbers, mailing] as const;
	});
	return { grouping, mailings };
}

/** The text of each mailing, and the numbers of the items that are in it. */
const summary = ({ mailings }: ReturnType<typeof groupingOf>) =>
	[...new Set(mailings.map(([, , mailing]) => mailing))].map((one) => {
		const own = mailings.filter(([, , mailing]) => mailing === one);
		return [own[0]?.[0], own.flatMap(([, numbers]) => numbers)];
	});

it('messages that travel alone are a mailing each, equal ones too', () => {
	const grouped = groupingOf('single', [
		{ text: 'a', numbers: [A] },
		{ text: 'a', numbers: [A] },
	]);
	expect(summary(grouped)).toEqual([
		['a', [A]],
		['a', [A]],
	]);
	expect(grouped.grouping.bulk).toEqual([]);
});

it('texts of lists are a mailing each', () => {
	const grouped = groupingOf(
		'list',
		[A, A].map((number) => ({ text: 'a', numbers: [number, B] })),
	);
	expect(summary(grouped)).toEqual([
		['a', [A, B]],
		['a', [A, B]],
	]);
	expect(grouped.grouping.bulk).toEqual(grouped.mailings.map(([, , mailing]) => mailing));
});

it('equal texts of items share a mailing', () => {
	const grouped = groupingOf('grouped', [
		{ text: 'a', numbers: [A] },
		{ text: 'b', numbers: [B] },
		{ text: 'a', numbers: [C] },
	]);
	expect(summary(grouped)).toEqual([
		['a', [A, C]],
		['b', [B]],
	]);
	expect(grouped.grouping.bulk).toHaveLength(2);
});

it('equal texts of items reach each number in the order of the items', () => {
	const grouped = groupingOf('grouped', [
		{ text: 'a', numbers: [A] },
		{ text: 'b', numbers: [B] },
		{ text: 'a', numbers: [D, B] },
		{ text: 'a', numbers: [C] },
		{ text: 'b', numbers: [D] },
	]);
	expect(summary(grouped)).toEqual([
		['a', [A]],
		['b', [B]],
		['a', [D, B, C]],
		['b', [D]],
	]);
});

it('equal texts of items travel apart through other devices', () => {
	const { grouping } = groupingOf('grouped', [
		{ text: 'a', numbers: [A], device: 'one' },
		{ text: 'a', numbers: [A], device: 'two' },
		{ text: 'b', numbers: [A], device: 'three' },
	]);
	expect(grouping.bulk).toHaveLength(3);
});

describe('a list that an earlier item has, too', () => {
	const list = recipientsOf(A, B);
	const firstOf = (more: Partial<Message>, keys: string[] = [], sources: number[][] = []) => {
		const grouping = new Grouping();
		const message = { travels: 'list' as const, identity: 'Hi', recipients: list, refusals: [] };
		const { travels = 'list' } = more;
		grouping.sameListAs(readyOf(0, { ...message, travels }, keys[0]), sources[0] ?? []);
		return grouping.sameListAs(readyOf(1, { ...message, ...more }, keys[1]), sources[1] ?? []);
	};

	it('names the earlier item', () => expect(firstOf({})).toBe(0));

	it.each<[string, Partial<Message>]>([
		['has another text', { identity: 'Bye' }],
		['is another list', { recipients: [...list] }],
		['is sent alone', { travels: 'single' }],
		['is grouped', { travels: 'grouped' }],
	])('is a message of its own if it %s', (_, more) => expect(firstOf(more)).toBeUndefined());

	it('is a message of its own if other requests were for it in earlier tries', () => {
		expect(firstOf({}, [], [[0], [1]])).toBeUndefined();
		expect(firstOf({}, [], [[], [0]])).toBeUndefined();
		expect(firstOf({}, [], [[0], [0]])).toBe(0);
	});

	it('is a message of its own if it has a Send-Once Key, which decides for each item alone', () => {
		expect(firstOf({}, ['a', 'b'])).toBeUndefined();
		expect(firstOf({}, ['', 'b'])).toBeUndefined();
		expect(firstOf({}, ['a', ''])).toBeUndefined();
	});
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
