import { Journal } from '../../../nodes/MessagingGateway/delivery/memory/journal';
import type { Mailing } from '../../../nodes/MessagingGateway/delivery/mailing';
import type { Message } from '../../../nodes/MessagingGateway/delivery/message';
import { Grouping } from '../../../nodes/MessagingGateway/delivery/grouping';
import { deliver, type Wish } from './deliver';
import { timed, useClock } from './clock';

const [A, B, C, D] = ['111111', '222222', '333333', '444444'] as const;

interface Item {
	text: string;
	numbers: string[];
	device?: string;
	key?: string;
	refused?: string[];
}

function planOf(travels: Message['travels'], items: Item[]) {
	const journal = new Journal({}, { runKey: '0', execution: '1', retriedByHost: false });
	const plan = new Grouping(journal, () => []);
	const mailings = items.map(
		({ text, numbers, device = '', key = '', refused: refusals = [] }, index) => {
			const message: Message = {
				travels,
				identity: text,
				device,
				refusals,
				recipients: numbers.map((number) => ({ to: number, asEntered: number })),
				requestTo: async () => ({ path: [], format: 'json', fields: {}, answer: 'envelope' }),
			};
			const exchange = async () => ({ outcome: 'accepted', envelope: {} }) as const;
			return plan.add({ index, sendOnceKey: key, message, exchange });
		},
	);
	return { plan, journal, mailings };
}

const summary = (mailings: readonly Mailing[]) =>
	mailings.map((mailing) => [
		mailing.message.identity,
		mailing.all().map(({ recipient }) => recipient.to),
	]);

describe('messages that travel alone', () => {
	it('are a mailing each, equal ones too', () => {
		const { plan, mailings } = planOf('single', [
			{ text: 'a', numbers: [A] },
			{ text: 'a', numbers: [A] },
		]);
		expect(summary(mailings)).toEqual([
			['a', [A]],
			['a', [A]],
		]);
		expect(plan.bulk).toEqual([]);
	});
});

describe('texts of lists', () => {
	it('are a mailing each, and know what the others carry', () => {
		const { plan, mailings } = planOf(
			'list',
			[A, A].map((number) => ({ text: 'a', numbers: [number, B] })),
		);
		expect(summary(plan.bulk)).toEqual([
			['a', [A, B]],
			['a', [A, B]],
		]);
		expect(plan.bulk).toEqual(mailings);
		expect(plan.bulk[0]?.shipments).toBe(plan.bulk[1]?.shipments);
	});

	it('name first what is no number', () => {
		const refused = ['“x” is no phone number'];
		const { plan } = planOf('list', [{ text: 'a', numbers: [A], key: 'k', refused }]);
		expect(plan.rows).toEqual([
			{
				item: 0,
				sendOnceKey: '',
				reason: { outcome: 'skipped', why: 'noNumber', reason: '“x” is no phone number.' },
			},
			{ item: 0, recipient: { to: A, asEntered: A }, sendOnceKey: 'k' },
		]);
	});
});

describe('equal texts of items', () => {
	it('share a mailing', () => {
		const { plan } = planOf('grouped', [
			{ text: 'a', numbers: [A] },
			{ text: 'b', numbers: [B] },
			{ text: 'a', numbers: [C] },
		]);
		expect(summary(plan.bulk)).toEqual([
			['a', [A, C]],
			['b', [B]],
		]);
		expect(plan.rows.map(({ item }) => item)).toEqual([0, 1, 2]);
	});

	it('reach each number in the order of the items', () => {
		const { plan } = planOf('grouped', [
			{ text: 'a', numbers: [A] },
			{ text: 'b', numbers: [B] },
			{ text: 'a', numbers: [D, B] },
			{ text: 'a', numbers: [C] },
			{ text: 'b', numbers: [D] },
		]);
		expect(summary(plan.bulk)).toEqual([
			['a', [A]],
			['b', [B]],
			['a', [D, B, C]],
			['b', [D]],
		]);
	});

	it('travel apart through other devices, which the plan knows by their hashes', () => {
		const { plan, journal } = planOf('grouped', [
			{ text: 'a', numbers: [A], device: 'one' },
			{ text: 'a', numbers: [A], device: 'two' },
			{ text: 'b', numbers: [A], device: 'three' },
		]);
		const [one, two] = plan.bulk;
		expect([one?.fingerprint, one?.shipments === two?.shipments]).toEqual([
			two?.fingerprint,
			false,
		]);
		const devices = ['one', 'two', 'three'].map((device) => journal.deviceOf({ device }));
		const used = devices.map((device) => plan.usesDevice(one?.fingerprint as string, device));
		expect(used).toEqual([true, true, false]);
		expect(plan.usesDevice('a text of another run', devices[0] as string)).toBe(false);
	});
});

describe('reading items', () => {
	const items = [A, B, C].map((number): Wish => ({ text: 'a', numbers: [number] }));

	it('ends when everything halts', async () => {
		const stop = new AbortController();
		let reads = 0;
		const { sent } = await deliver('items', items, {
			cancelled: stop.signal,
			onRead: () => void (++reads === 2 && stop.abort()),
		});
		expect([reads, sent]).toEqual([2, []]);
	});

	describe('slowly', () => {
		useClock();

		it('lets others have their turn in between', async () => {
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
