import { Journal } from '../../../nodes/MessagingGateway/delivery/journal';
import type { Mailing } from '../../../nodes/MessagingGateway/delivery/mailing';
import type { Message } from '../../../nodes/MessagingGateway/delivery/message';
import { Plan, type PlanOptions } from '../../../nodes/MessagingGateway/delivery/plan';
import type { Addressee } from '../../../nodes/MessagingGateway/delivery/shipment';
import { timed, useClock } from './clock';

const [A, B, C, D] = ['111111', '222222', '333333', '444444'] as const;

interface Item {
	text: string;
	numbers: string[];
	device?: string;
	key?: string;
	refused?: string[];
}

/** A plan of items, of which undefined ones cannot be read. */
function planOf(
	travels: Message['travels'],
	items: Array<Item | undefined>,
	more: Partial<PlanOptions> = {},
) {
	const journal = new Journal({}, { runKey: '0', execution: '1', retriedByHost: false });
	const addressees: Addressee[] = [];
	const reads: number[] = [];
	const read: PlanOptions['read'] = async (index) => {
		reads.push(index);
		const item = items[index];
		if (!item) return undefined;
		const { text, numbers, device = '', key = '', refused = [] } = item;
		const message: Message = {
			travels,
			identity: text,
			device,
			refused,
			recipients: numbers.map((number) => ({ to: number, written: number })),
			requestTo: async () => ({ path: [], format: 'json', fields: {}, answer: 'envelope' }),
		};
		const exchange = async () => ({ outcome: 'accepted', envelope: {} }) as const;
		return { index, sendOnceKey: key, message, exchange };
	};
	const plan = new Plan({
		items: items.length,
		journal,
		read,
		isHalted: () => false,
		recall: () => [],
		onAddressee: (addressee) => addressees.push(addressee),
		...more,
	});
	return { plan, journal, addressees, reads };
}

async function mailingsOf({ plan }: Pick<ReturnType<typeof planOf>, 'plan'>): Promise<Mailing[]> {
	const all: Mailing[] = [];
	for await (const mailing of plan.mailings()) all.push(mailing);
	return all;
}

const summary = (mailings: readonly Mailing[]) =>
	mailings.map((mailing) => [
		mailing.message.identity,
		mailing.all().map(({ recipient }) => recipient.to),
	]);

describe('messages that travel alone', () => {
	it('are planned one by one, each before the next item is read', async () => {
		const { plan, reads } = planOf('alone', [
			{ text: 'a', numbers: [A] },
			{ text: 'a', numbers: [A] },
		]);
		const planned: unknown[] = [];
		for await (const mailing of plan.mailings()) planned.push([...reads], summary([mailing]));
		expect(planned).toEqual([[0], [['a', [A]]], [0, 1], [['a', [A]]]]);
		expect(plan.bulkMailings()).toEqual([]);
	});
});

describe('texts of lists', () => {
	it('are planned item by item, once all items are read', async () => {
		const items = [A, A].map((number) => ({ text: 'a', numbers: [number, B] }));
		const given = planOf('asList', items);
		const { value } = (await given.plan.mailings().next()) as { value: Mailing };
		expect(given.reads).toEqual([0, 1]);
		expect(summary(given.plan.bulkMailings())).toEqual([
			['a', [A, B]],
			['a', [A, B]],
		]);
		expect(value).toBe(given.plan.bulkMailings()[0]);
		expect(value.carriers).toBe(given.plan.bulkMailings()[1]?.carriers);
	});

	it('name first what is no number', async () => {
		const refused = ['“x” is no phone number'];
		const given = planOf('asList', [{ text: 'a', numbers: [A], key: 'k', refused }]);
		await mailingsOf(given);
		expect(given.addressees).toEqual([
			{
				item: 0,
				sendOnceKey: '',
				instead: { outcome: 'skipped', why: 'noNumber', reason: '“x” is no phone number.' },
			},
			{ item: 0, recipient: { to: A, written: A }, sendOnceKey: 'k' },
		]);
	});
});

describe('equal texts of items', () => {
	it('share a mailing, past items that cannot be read', async () => {
		const given = planOf('withEqual', [
			{ text: 'a', numbers: [A] },
			undefined,
			{ text: 'b', numbers: [B] },
			{ text: 'a', numbers: [C] },
		]);
		expect(summary(await mailingsOf(given))).toEqual([
			['a', [A, C]],
			['b', [B]],
		]);
		expect(given.addressees.map(({ item }) => item)).toEqual([0, 2, 3]);
	});

	it('reach each number in the order of the items', async () => {
		const given = planOf('withEqual', [
			{ text: 'a', numbers: [A] },
			{ text: 'b', numbers: [B] },
			{ text: 'a', numbers: [D, B] },
			{ text: 'a', numbers: [C] },
			{ text: 'b', numbers: [D] },
		]);
		expect(summary(await mailingsOf(given))).toEqual([
			['a', [A]],
			['b', [B]],
			['a', [D, B, C]],
			['b', [D]],
		]);
	});

	it('travel apart through other devices, which the plan knows by their hashes', async () => {
		const given = planOf('withEqual', [
			{ text: 'a', numbers: [A], device: 'one' },
			{ text: 'a', numbers: [A], device: 'two' },
			{ text: 'b', numbers: [A], device: 'three' },
		]);
		const [one, two] = await mailingsOf(given);
		expect([one?.key, one?.carriers === two?.carriers]).toEqual([two?.key, false]);
		const devices = ['one', 'two', 'three'].map((device) => given.journal.deviceOf({ device }));
		const used = devices.map((device) => given.plan.usesDevice(one?.key as string, device));
		expect(used).toEqual([true, true, false]);
		expect(given.plan.usesDevice('a text of another run', devices[0] as string)).toBe(false);
	});
});

describe('reading items', () => {
	it('ends when everything halts', async () => {
		const items = [A, B, C].map((number) => ({ text: 'a', numbers: [number] }));
		const given = planOf('withEqual', items, { isHalted: () => given.reads.length === 2 });
		expect(summary(await mailingsOf(given))).toEqual([['a', [A, B]]]);
		expect(given.reads).toEqual([0, 1]);
	});

	describe('slowly', () => {
		useClock();

		it('lets others have their turn in between', async () => {
			const log: string[] = [];
			const { plan } = planOf('withEqual', [undefined, undefined, undefined], {
				read: async (index) => {
					log.push(`item ${index}`);
					setTimeout(() => log.push('others'), 0);
					jest.setSystemTime(Date.now() + 10);
					return undefined;
				},
			});
			await timed(mailingsOf({ plan }));
			expect(log).toEqual(['item 0', 'others', 'item 1', 'others', 'item 2', 'others']);
		});
	});
});
