import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { OUTDATED, UNKNOWN_END } from '../../nodes/MessagingGateway/delivery/memory/heldBack';
import type { Result } from '../../nodes/MessagingGateway/delivery/result';
import { keyTaken } from '../../nodes/MessagingGateway/delivery/row';
import { CANCELED } from '../../nodes/MessagingGateway/delivery/shipment';
import { LOOK_FIRST, type Failure } from '../../nodes/MessagingGateway/gateway/outcome';
import { firstFailure, toError } from '../../nodes/MessagingGateway/nodeError';
import { accepted, failed } from './results';

const NODE: INode = {
	id: '1',
	name: 'Messaging Gateway',
	type: 'n8n-nodes-messaging-gateway.messagingGateway',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
describe('the error that stops the node', () => {
	it('is an API error, with the status and the item', () => {
		const error = toError(NODE, failed([3]), [failed([3])], 4);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The gateway refused the message (status 422): “no”.',
			description:
				'Nothing was sent; 3 items were not tried. Correct it. Then run the workflow again.',
			httpCode: '422',
			context: { itemIndex: 3 },
		});
	});

	it('has no status where the gateway gave none', () => {
		const lost = failed([0], { httpCode: undefined });
		expect(toError(NODE, lost, [lost], 1)).toMatchObject({ httpCode: null });
	});

	it('keeps the words of the gateway among the details that n8n shows', () => {
		expect(toError(NODE, failed([0]), [], 1).messages).toEqual([
			'The gateway refused the message (status 422): “no”.',
		]);
	});

	it('does not say that nothing was sent where any message may have been', () => {
		const refused = failed([0]);
		const unsure = failed([1], { outcome: 'uncertain' });
		const { description } = toError(NODE, refused, [refused, unsure], 2);
		expect(description).toBe(
			'This message was not sent. Correct it. Then use Retry in the list of executions: it sends only the rest.',
		);
	});

	it('is an operation error where the input was wrong', () => {
		const wrong = failed([0], { origin: 'input', httpCode: undefined });
		const error = toError(NODE, wrong, [wrong], 2);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.context).toMatchObject({ itemIndex: 0 });
		expect(error.description).toContain('Nothing was sent; 1 item was not tried.');
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
			toError(NODE, failed([0], {}, { recipients: numbers.slice(0, count) }), [], 1).description;
		expect(described(5)).toContain('The request was for 1, 2, 3, 4, 5.');
		expect(described(7)).toContain('The request was for 1, 2, 3, 4, 5 and 2 more.');
		expect(described(0)).not.toContain('The request');
	});

	it('names the one recipient of a message that is uncertain, to be looked for', () => {
		const described = (outcome: 'uncertain' | 'notSent', to?: string) =>
			toError(NODE, failed([0], { outcome }, { to }), [], 1).description;
		expect(described('uncertain', '628')).toContain('Correct it. The request was for 628.');
		expect(described('uncertain')).not.toContain('The request');
		expect(described('notSent', '628')).not.toContain('The request');
	});

	it('is that of the first failed item', () => {
		const [first, second] = [failed([1]), failed([2])];
		expect(firstFailure([accepted([0]), first, second])).toBe(first);
		expect(firstFailure([accepted([0])])).toBeUndefined();
	});
});

describe('the description of the error', () => {
	const describedWith = (results: Result[], all: number, over: Partial<Failure> = {}) =>
		toError(NODE, failed([9], over), [...results, failed([9], over)], all).description;

	it.each<[Result[], number, string]>([
		[[accepted([0])], 3, '1 message was sent; 1 item was not tried.'],
		[[accepted([0])], 4, '1 message was sent; 2 items were not tried.'],
		[[accepted([0, 1], { recipients: ['1', '2', '3'] })], 3, '3 messages were sent.'],
		[
			[accepted([0], { isEarlier: true }), accepted([1])],
			3,
			'2 messages were sent (1 of them in an earlier try).',
		],
		[[{ items: [0], outcome: keyTaken('k', true) }], 2, 'Nothing was sent.'],
	])('%# begins with how many messages were sent', (results, all, expected) => {
		expect(describedWith(results, all)?.startsWith(`${expected} `)).toBe(true);
	});

	it('names Retry if something was sent, as it sends only the rest', () => {
		expect(describedWith([accepted([0])], 2)).toBe(
			'1 message was sent. This message was not sent. Correct it. Then use Retry in the list of executions: it sends only the rest.',
		);
		expect(describedWith([accepted([0])], 3, { outcome: 'uncertain' })).toMatch(
			/This message may or may not have been sent\. .* Retry in the list of executions sends only the rest\.$/,
		);
	});

	it('names Retry for an uncertain message where another one was not sent', () => {
		const retry = 'Retry in the list of executions sends only the rest.';
		const uncertain = (...results: Result[]) =>
			describedWith(results, results.length + 1, { outcome: 'uncertain' });
		expect(uncertain(accepted([0]), failed([1]))).toContain(retry);
		expect(uncertain(accepted([0]), accepted([1]))).not.toContain(retry);
		expect(uncertain(failed([0]))).not.toContain(retry);
	});

	it('says of an uncertain message how to send it without the others, once', () => {
		const alone =
			'If it is not there, send it by itself: a new execution sends to everybody again.';
		const advised = (advice: string, ...results: Result[]) =>
			describedWith(results, 5, { outcome: 'uncertain', advice });
		expect(advised(LOOK_FIRST, accepted([0]))).toContain(
			`${LOOK_FIRST} ${alone} Retry in the list`,
		);
		expect(describedWith([accepted([0])], 5, UNKNOWN_END)).not.toContain(alone);
		expect(advised(LOOK_FIRST)).not.toContain(alone);
	});

	it('names a mistake in another item, at which a Retry would stop again', () => {
		const wrong = failed([1], { origin: 'input', what: '“x” is not a phone number' });
		const step =
			'Another item was refused: “x” is not a phone number. Correct it. Then use Retry with currently saved workflow in the list of executions: it sends only the rest. Retry keeps';
		for (const results of [[accepted([0]), wrong], [wrong]]) {
			const description = describedWith(results, 5, { outcome: 'uncertain' });
			expect(description).toContain(step);
			expect(description).not.toContain('Retry in the list of executions');
		}
		expect(
			describedWith([accepted([0]), failed([1], CANCELED)], 5, { outcome: 'uncertain' }),
		).toMatch(/Retry in the list of executions sends only the rest\.$/);
	});

	it('does not name Retry where everything else was sent', () => {
		expect(describedWith([accepted([0])], 2, { outcome: 'uncertain' })).toBe(
			'1 message was sent. This message may or may not have been sent. Correct it. If it is not there, send it by itself: a new execution sends to everybody again.',
		);
	});

	it('says how to correct an item: a Retry keeps the data of earlier nodes', () => {
		const wrong = { origin: 'input' } as const;
		expect(describedWith([accepted([0])], 2, wrong)).toBe(
			"1 message was sent. This message was not sent. Correct it. Then use Retry with currently saved workflow in the list of executions: it sends only the rest. Retry keeps the data of earlier nodes: if the mistake is there, set 'On Error' of this node to 'Continue (using error output)' before you retry, and send the corrected items by themselves afterwards.",
		);
		expect(describedWith([], 1, wrong)).toMatch(/Correct it\. Then run the workflow again\.$/);
	});

	it('has nothing to correct where the execution was canceled', () => {
		expect(describedWith([accepted([0])], 2, CANCELED)).toMatch(
			/This message was not sent\. Then use Retry in the list of executions: it sends only the rest\.$/,
		);
	});

	it('says to run the workflow again only if it is certain that nothing was sent', () => {
		expect(describedWith([], 1)).toBe('Nothing was sent. Correct it. Then run the workflow again.');
		expect(describedWith([], 1, { outcome: 'uncertain' })).toBe(
			'This message may or may not have been sent. Correct it.',
		);
	});

	it('never says to run the workflow again if another message may have been sent', () => {
		expect(describedWith([failed([0], { outcome: 'uncertain' })], 2)).toMatch(
			/Correct it\. Then use Retry in the list of executions: it sends only the rest\.$/,
		);
	});

	it('keeps the step of a failure that has its own', () => {
		const { description } = toError(NODE, { items: [0], outcome: OUTDATED }, [], 1);
		expect(description).toMatch(/it knows what was sent, and sends only the rest\.$/);
	});
});
