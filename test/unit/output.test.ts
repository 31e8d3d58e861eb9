import type { Result } from '../../nodes/MessagingGateway/delivery/result';
import { keyTaken, OPTED_OUT } from '../../nodes/MessagingGateway/delivery/row';
import { toItems } from '../../nodes/MessagingGateway/output';
import { Breather } from '../../nodes/MessagingGateway/shared/breather';
import { accepted, ENVELOPE, failed } from './results';

const jsonOf = async (result: Result, format: 'envelope' | 'queued' | 'ready' = 'envelope') =>
	(await toItems([result], format))[0]?.json;

describe('output items', () => {
	afterEach(() => jest.restoreAllMocks());

	it('are made in short stretches, so that n8n can do other work in between', async () => {
		const breathe = jest.spyOn(Breather.prototype, 'breathe').mockResolvedValue();
		const isDue = jest.spyOn(Breather.prototype, 'isDue').mockReturnValue(false);
		const results = [accepted([0]), accepted([1])];
		await toItems(results, 'envelope');
		expect(breathe).toHaveBeenCalledTimes(0);
		isDue.mockReturnValue(true);
		await toItems(results, 'envelope');
		expect(breathe).toHaveBeenCalledTimes(2);
	});

	it('name the numbers of an error only where one request has several', async () => {
		const json = await jsonOf(failed([0], {}, { to: '62812' }));
		expect(Object.keys(json?.error as object)).not.toContain('recipients');
	});

	it('are the envelopes as they came, linked to their items', async () => {
		const results = [accepted([0]), accepted([1, 4], { recipients: ['1', '2'] })];
		expect(await toItems(results, 'envelope')).toEqual([
			{ json: ENVELOPE, pairedItem: { item: 0 } },
			{ json: ENVELOPE, pairedItem: [{ item: 1 }, { item: 4 }] },
		]);
	});

	it('say what was skipped, and why', async () => {
		expect(await jsonOf({ items: [0], outcome: keyTaken('k', false) })).toEqual({
			skipped: true,
			reason: 'A message with this Send-Once Key was sent before, or may have been sent.',
			sendOnceKey: 'k',
		});
		expect(await jsonOf({ items: [0], outcome: OPTED_OUT, to: '62812' })).toEqual({
			skipped: true,
			reason: "The number is in 'Skip Numbers'.",
			to: '62812',
		});
	});

	it('hold an error and nothing else, so that every n8n version treats them as failed', async () => {
		expect(await toItems([failed([2])], 'envelope')).toEqual([
			{
				json: {
					error: {
						message: 'The gateway refused the message (status 422): “no”.',
						description: 'This message was not sent. Correct it.',
						outcome: 'notSent',
						httpCode: '422',
					},
				},
				pairedItem: { item: 2 },
			},
		]);
	});

	it('say which message is uncertain, and name the numbers of a bulk request', async () => {
		const details = { outcome: 'uncertain', httpCode: undefined } as const;
		expect(await jsonOf(failed([0, 3], details, { recipients: ['1', '2'] }))).toEqual({
			error: {
				message: 'The gateway refused the message (status 422): “no”.',
				description: 'This message may or may not have been sent. Correct it.',
				outcome: 'uncertain',
				recipients: ['1', '2'],
			},
		});
	});
});

describe('a row for a recipient', () => {
	it('has the number of the gateway as it came, a text or a number', async () => {
		const outcome = { outcome: 'accepted' as const, envelope: { data: { queue_id: 7 } } };
		expect(await jsonOf({ items: [0], outcome, to: '1' }, 'queued')).toEqual({
			to: '1',
			status: 'queued',
			queueId: 7,
		});
	});

	it('says that the message is queued, in the words and with the number of the gateway', async () => {
		const row = { to: '62812', status: 'queued', message: 'queued', queueId: '7' };
		expect(await jsonOf(accepted([0], { to: '62812' }), 'queued')).toEqual(row);
	});

	it.each([{}, { message: 5, data: null }, { data: { queue_id: { deep: true } } }])(
		'leaves out what the gateway does not say: %j',
		async (envelope) => {
			const outcome = { outcome: 'accepted' as const, envelope: { code: 200, ...envelope } };
			expect(await jsonOf({ items: [0], outcome, to: '1' }, 'queued')).toEqual({
				to: '1',
				status: 'queued',
			});
		},
	);

	it('says in a dry run that the message is ready', async () => {
		const outcome = { outcome: 'accepted' as const, envelope: {} };
		expect(await jsonOf({ items: [0], outcome, to: '1' }, 'ready')).toEqual({
			to: '1',
			status: 'ready',
		});
	});

	it('says why somebody was skipped', async () => {
		const result = { items: [0], outcome: OPTED_OUT, to: '62812' };
		expect(await jsonOf(result, 'queued')).toEqual({
			to: '62812',
			status: 'skipped',
			reason: "The number is in 'Skip Numbers'.",
		});
	});

	it('names the recipient of an error', async () => {
		const json = await jsonOf(failed([0], {}, { to: '62812' }), 'queued');
		expect(json?.error).toMatchObject({ outcome: 'notSent', recipients: ['62812'] });
	});

	it('names nobody where an item could not be read, so that its recipient is unknown', async () => {
		const skipped = await jsonOf({ items: [0], outcome: keyTaken('k', true) }, 'queued');
		expect(skipped).toStrictEqual({
			status: 'skipped',
			reason: 'An earlier item of this run has the same Send-Once Key.',
		});
		const failure = await jsonOf(failed([0]), 'queued');
		expect(Object.keys(failure?.error as object)).not.toContain('recipients');
	});
});
