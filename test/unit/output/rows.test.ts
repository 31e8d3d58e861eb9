import fc from 'fast-check';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import { keyTaken, noNumber, OPTED_OUT } from '../../../nodes/MessagingGateway/delivery/skipped';
import { NONE, type RowOptions, toRows } from '../../../nodes/MessagingGateway/output/rows';
import { Breather } from '../../../nodes/MessagingGateway/shared/time';
import { accepted, failed } from './results';

const OPTIONS: RowOptions = {
	isDryRun: false,
	hasErrorOutput: false,
	hasText: false,
	hasFile: false,
	hasQueueId: false,
	showRecipient: (item) => ['12 34', ''][item] as string,
};
const DRY = { isDryRun: true, hasText: true, hasFile: true };
const rowsOf = async (results: Result[], options: Partial<RowOptions> = {}) =>
	(await toRows(results, { ...OPTIONS, ...options })).map(({ json }) => json);
const answer = (envelope: object): Result => ({
	items: [0],
	outcome: { outcome: 'accepted', envelope: envelope as never },
	to: '1',
});
const ready = (preview?: object): Result => ({
	items: [0],
	outcome: { outcome: 'accepted', envelope: {}, preview },
	to: '1',
});
const WORDS = 'The gateway refused the message (status 422): “no”. Correct it.';

afterEach(() => jest.restoreAllMocks());

it('Rows are made in short stretches, so that n8n can do other work in between', async () => {
	const breathe = jest.spyOn(Breather.prototype, 'breathe').mockResolvedValue();
	const isDue = jest.spyOn(Breather.prototype, 'isDue').mockReturnValue(false);
	await rowsOf([accepted([0]), accepted([1])]);
	expect(breathe).toHaveBeenCalledTimes(0);
	isDue.mockReturnValue(true);
	await rowsOf([accepted([0]), accepted([1])]);
	expect(breathe).toHaveBeenCalledTimes(2);
});

it.each<[string, Result, object]>([
	['queued, in the words of the gateway', answer({ message: 'ok' }), { message: 'ok' }],
	['queued, if the gateway has no words', answer({}), { message: 'The gateway queued it.' }],
	[
		'queued, if its words are blank',
		answer({ message: ' ' }),
		{ message: 'The gateway queued it.' },
	],
	[
		'skipped, with the reason',
		{ items: [0], outcome: OPTED_OUT, to: '1' },
		{ status: 'skipped', message: "The number is in 'Skip Numbers'." },
	],
	['not sent', failed([0], {}, { to: '1' }), { status: 'notSent', message: WORDS }],
	[
		'uncertain',
		failed([0], { outcome: 'uncertain' }, { to: '1' }),
		{ status: 'uncertain', message: WORDS },
	],
	['not sent, as the item has it', failed([0]), { to: '12 34', status: 'notSent', message: WORDS }],
	['not sent, with nothing in it', failed([1]), { to: NONE, status: 'notSent', message: WORDS }],
])('A row says who is %s', async (_, result, row) => {
	expect(await rowsOf([result])).toEqual([{ to: '1', status: 'queued', ...row }]);
});

it.each<[string, Result, object]>([
	['a text', ready({ text: 'Hi' }), { text: 'Hi' }],
	['a file', ready({ file: 'a.pdf (9 bytes)' }), { file: 'a.pdf (9 bytes)' }],
	['neither', ready({ text: '' }), {}],
	['no preview', ready(), {}],
	['a refusal', failed([0], {}, { to: '1' }), { status: 'refused', message: WORDS }],
	[
		'an opt-out',
		{ items: [0], outcome: OPTED_OUT, to: '1' },
		{ status: 'skipped', message: "The number is in 'Skip Numbers'." },
	],
	[
		'what an earlier try sent',
		{ ...answer({ message: 'ok' }), isEarlier: true },
		{ status: 'queued', message: 'ok' },
	],
	[
		'what an earlier try may have sent',
		failed([0], { outcome: 'uncertain' }, { to: '1' }),
		{ status: 'uncertain', message: WORDS },
	],
])('A dry run shows %s', async (_, result, row) => {
	const message = 'Checked. Nothing was queued.';
	expect(await rowsOf([result], DRY)).toEqual([
		{ to: '1', status: 'ready', message, text: NONE, file: NONE, ...row },
	]);
});

it.each<[unknown, unknown]>([
	['7', '7'],
	[7, 7],
	['', NONE],
	[{ deep: true }, NONE],
])('The queue number %j is shown as %j', async (queue_id, queueId) => {
	const [row] = await rowsOf([answer({ data: { queue_id } })], { hasQueueId: true });
	expect(row?.queueId).toBe(queueId);
});

it('All rows have a queue number if one of them has one, although the API shows none', async () => {
	const rows = await rowsOf([answer({ data: null }), answer({ data: { queue_id: '7' } })]);
	expect(rows.map(({ queueId }) => queueId)).toEqual([NONE, '7']);
	expect(await rowsOf([answer({})])).toEqual([expect.not.objectContaining({ queueId: NONE })]);
});

it('A failure is an error, and nothing else, if it has an output of its own', async () => {
	const options = { hasErrorOutput: true };
	const [, apart] = await rowsOf([answer({}), failed([1], {}, { to: '2' })], options);
	expect(Object.keys(apart ?? {})).toEqual(['error']);
	expect(apart?.error).toMatchObject({ outcome: 'notSent', recipients: ['2'] });
	const [unread] = await rowsOf([failed([1])], options);
	expect(unread?.error).not.toHaveProperty('recipients');
	expect(await rowsOf([failed([0])], { ...options, ...DRY })).toMatchObject([
		{ status: 'refused' },
	]);
});

it('All rows of a run have the same fields, none of them empty, whatever became of them', () => {
	const envelope = fc.record(
		{
			message: fc.oneof(fc.string(), fc.constant(null), fc.nat()),
			data: fc.oneof(fc.constant(null), fc.record({ queue_id: fc.oneof(fc.string(), fc.nat()) })),
		},
		{ requiredKeys: [] },
	);
	const to = fc.option(fc.constantFrom('62812', 'team'), { nil: undefined });
	const preview = fc.record({ text: fc.string(), file: fc.string() }, { requiredKeys: [] });
	const result = fc.oneof(
		fc.record({ envelope, preview, to }).map((each) => ({
			items: [0],
			outcome: { outcome: 'accepted' as const, ...each },
			to: each.to,
		})),
		fc
			.constantFrom(OPTED_OUT, keyTaken('k', true), noNumber('“x” is no number'))
			.map((outcome) => ({ items: [1], outcome })),
		to.map((each) => failed([1], {}, { to: each })),
	);
	const options = fc.record({
		isDryRun: fc.boolean(),
		hasText: fc.boolean(),
		hasFile: fc.boolean(),
		hasQueueId: fc.boolean(),
	});
	return fc.assert(
		fc.asyncProperty(fc.array(result, { minLength: 1 }), options, async (results, given) => {
			const rows = await rowsOf(results as Result[], given);
			expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
			const empty = rows.flatMap((row) => Object.values(row)).filter((value) => value === '');
			expect(empty).toEqual([]);
		}),
	);
});
