import fc from 'fast-check';
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { skipped, type Result } from '../../nodes/MessagingGateway/delivery/result';
import type { Failure } from '../../nodes/MessagingGateway/gateway/outcome';
import { toError, toItems } from '../../nodes/MessagingGateway/output';

const NODE: INode = {
	id: '1',
	name: 'Messaging Gateway',
	type: 'n8n-nodes-messaging-gateway.messagingGateway',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const ENVELOPE = { code: 200, message: 'queued', data: { queue_id: '7' } };
const accepted = (items: number[], recipients?: string[]): Result => ({
	items,
	outcome: { outcome: 'accepted', envelope: ENVELOPE },
	...(recipients ? { recipients } : {}),
});
const REFUSED: Failure = {
	outcome: 'notSent',
	origin: 'gateway',
	what: 'The gateway refused the message (status 422): “no”',
	advice: 'Correct it.',
	httpCode: 422,
};
const failed = (items: number[], over: Partial<Failure> = {}, recipients?: string[]) => ({
	items,
	outcome: { ...REFUSED, ...over },
	...(recipients ? { recipients } : {}),
});

describe('output items', () => {
	it('are the envelopes as they came, linked to their items', () => {
		expect(toItems([accepted([0]), accepted([1, 4], ['1', '2'])], 5)).toEqual([
			{ json: ENVELOPE, pairedItem: { item: 0 } },
			{ json: ENVELOPE, pairedItem: [{ item: 1 }, { item: 4 }] },
		]);
	});

	it('stand in the order of their input items, several of one item as they were sent', () => {
		const results = fc.array(fc.nat(5).map((item) => accepted([item])));
		fc.assert(
			fc.property(results, (given) => {
				const tagged = given.map((result, index) => ({
					...result,
					outcome: { outcome: 'accepted' as const, envelope: { index } },
				}));
				const output = toItems(tagged, 6).map(({ json, pairedItem }) => [
					(pairedItem as { item: number }).item,
					json.index as number,
				]);
				const sorted = [...output].sort(
					(a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0),
				);
				expect(output).toEqual(sorted);
			}),
		);
	});

	it('say what was skipped, and why', () => {
		expect(toItems([{ items: [0], outcome: skipped('k', false) }], 1)[0]?.json).toEqual({
			skipped: true,
			reason: 'A message with this Send-Once Key was sent before.',
			sendOnceKey: 'k',
		});
	});

	it('hold an error and nothing else, so that every n8n takes them for failed', () => {
		expect(toItems([failed([2])], 3)).toEqual([
			{
				json: {
					error: {
						message: 'The gateway refused the message (status 422): “no”.',
						description: 'Nothing was sent for item 2 (n8n counts items from 0). Correct it.',
						outcome: 'notSent',
						httpCode: '422',
					},
				},
				pairedItem: { item: 2 },
			},
		]);
	});

	it('say of an uncertain one that it is so, and name the numbers of a bulk request', () => {
		const uncertain = failed([0, 3], { outcome: 'uncertain', httpCode: undefined }, ['1', '2']);
		expect(toItems([uncertain], 4)[0]?.json).toEqual({
			error: {
				message: 'The gateway refused the message (status 422): “no”.',
				description:
					'It is uncertain whether the gateway queued the message for 2 items, the first of them item 0 (n8n counts items from 0). Correct it.',
				outcome: 'uncertain',
				recipients: ['1', '2'],
			},
		});
	});
});

describe('the error that stops the node', () => {
	it('is an API error, with the status and the item', () => {
		const error = toError(NODE, failed([3]), [failed([3])], 4);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The gateway refused the message (status 422): “no”.',
			description:
				'Nothing was sent for item 3 (n8n counts items from 0). Correct it. In this run the gateway accepted 0 messages, and 3 of 4 items were not begun.',
			httpCode: '422',
			context: { itemIndex: 3 },
		});
	});

	it('is an operation error where the input was wrong', () => {
		const wrong = failed([0], { origin: 'input', httpCode: undefined });
		const error = toError(NODE, wrong, [], 2);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.context).toMatchObject({ itemIndex: 0 });
		expect(error.description).toContain('Nothing was sent for item 0');
	});

	it.each(['ENOENT', 'ECONNREFUSED', 'ETIMEDOUT', 'getaddrinfo ENOTFOUND a', '429', 'x'])(
		'keeps its own words where n8n has others for “%s”',
		(word) => {
			for (const origin of ['gateway', 'input'] as const) {
				const said = failed([0], { what: `The gateway says ${word}`, origin });
				const error = toError(NODE, said, [], 1);
				expect(error.message).toBe(`The gateway says ${word}.`);
			}
		},
	);

	it('names five numbers of a bulk request, and counts the others', () => {
		const numbers = ['1', '2', '3', '4', '5', '6', '7'];
		const described = (count: number) =>
			toError(NODE, failed([0], {}, numbers.slice(0, count)), [], 1).description;
		expect(described(5)).toContain('The request was for 1, 2, 3, 4, 5.');
		expect(described(7)).toContain('The request was for 1, 2, 3, 4, 5 and 2 more.');
		expect(described(0)).not.toContain('The request');
	});
});

describe('how far a run came', () => {
	it.each([
		[[accepted([0])], 3, '1 message, and 2 of 3 items were not begun.'],
		[[accepted([0])], 2, '1 message, and 1 of 2 items was not begun.'],
		[[accepted([0, 1], ['1', '2', '3']), failed([2])], 4, '3 messages, and 1 of 4 items was'],
		[[{ items: [0], outcome: skipped('k', true) }], 2, '0 messages, and 1 of 2 items was'],
		[[accepted([0], ['1', '2'])], 1, '2 messages.'],
	])('%#', (begun, items, expected) => {
		const { description } = toError(NODE, failed([0]), begun as Result[], items);
		expect(description).toContain(`In this run the gateway accepted ${expected}`);
	});

	it('is not said of the only item, nor is its number', () => {
		const { description } = toError(NODE, failed([0]), [failed([0])], 1);
		expect(description).toBe('Nothing was sent. Correct it.');
	});
});
