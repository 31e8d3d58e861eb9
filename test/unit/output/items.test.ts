import type { IDataObject } from 'n8n-workflow';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import { keyTaken, OPTED_OUT } from '../../../nodes/MessagingGateway/delivery/skipped';
import { toItems } from '../../../nodes/MessagingGateway/output/items';
import { Breather } from '../../../nodes/MessagingGateway/shared/time';
import { accepted, ENVELOPE, failed } from './results';

const jsonOf = async (result: Result) => (await toItems([result]))[0]?.json;

describe('output items', () => {
	afterEach(() => jest.restoreAllMocks());

	it('output items are made in short stretches, so that n8n can do other work in between', async () => {
		const breathe = jest.spyOn(Breather.prototype, 'breathe').mockResolvedValue();
		const isDue = jest.spyOn(Breather.prototype, 'isDue').mockReturnValue(false);
		const results = [accepted([0]), accepted([1])];
		await toItems(results);
		expect(breathe).toHaveBeenCalledTimes(0);
		isDue.mockReturnValue(true);
		await toItems(results);
		expect(breathe).toHaveBeenCalledTimes(2);
	});

	it('output items name the numbers of an error only if one request has several', async () => {
		const json = await jsonOf(failed([0], {}, { to: '62812' }));
		expect(Object.keys(json?.error as object)).not.toContain('recipients');
	});

	it('output items are the envelopes as they came, linked to their items', async () => {
		const results = [accepted([0]), accepted([1, 4], { recipients: ['1', '2'] })];
		expect(await toItems(results)).toEqual([
			{ json: ENVELOPE, pairedItem: { item: 0 } },
			{ json: ENVELOPE, pairedItem: [{ item: 1 }, { item: 4 }] },
		]);
	});

	it.each([[], {}, 'no', true, 0, '', null])(
		'output items hold an accepted answer with the error %j so that n8n takes it for none',
		async (error) => {
			const envelope = { message: 'queued', error } as IDataObject;
			const json = await jsonOf({ items: [0], outcome: { outcome: 'accepted', envelope } });
			expect(json).toEqual(error ? { response: envelope } : envelope);
		},
	);

	it('output items say what was skipped, and why', async () => {
		expect(await jsonOf({ items: [0], outcome: keyTaken('k', false) })).toEqual({
			skipped: true,
			reason: 'A message with this Send-Once Key is already queued, or may be.',
			sendOnceKey: 'k',
		});
		expect(await jsonOf({ items: [0], outcome: OPTED_OUT, to: '62812' })).toEqual({
			skipped: true,
			reason: "The number is in 'Skip Numbers'.",
			to: '62812',
		});
	});

	it('output items hold an error and nothing else, so that every n8n version treats them as failed', async () => {
		expect(await toItems([failed([2])])).toEqual([
			{
				json: {
					error: {
						message: 'The gateway refused the message (status 422): “no”.',
						description: 'This message was not queued. Correct it.',
						outcome: 'notSent',
						httpCode: '422',
					},
				},
				pairedItem: { item: 2 },
			},
		]);
	});

	it('output items say which message is uncertain, and name the numbers of a bulk request', async () => {
		const details = { outcome: 'uncertain', httpCode: undefined } as const;
		expect(await jsonOf(failed([0, 3], details, { recipients: ['1', '2'] }))).toEqual({
			error: {
				message: 'The gateway refused the message (status 422): “no”.',
				description: 'This message may or may not be queued. Correct it.',
				outcome: 'uncertain',
				recipients: ['1', '2'],
			},
		});
	});
});
