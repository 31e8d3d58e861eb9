import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { PAGE, type Run } from '../../../nodes/MessagingGateway/output/advice';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import { keyTaken } from '../../../nodes/MessagingGateway/delivery/skipped';
import type { Failure } from '../../../nodes/MessagingGateway/gateway/outcome';
import { dryRunOfRetry, toError } from '../../../nodes/MessagingGateway/output/nodeError';
import { accepted, failed, runOf } from './results';

const NODE: INode = {
	id: '1',
	name: 'Messaging Gateway',
	type: 'n8n-nodes-messaging-gateway.messagingGateway',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const MORE = `More: ${PAGE}`;

it('the error that stops the node is an API error, with the status', () => {
	const error = toError(NODE, failed([3]), [failed([3])], runOf(4));
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		message: 'Item 4: The gateway refused the message (status 422): “no”.',
		description: `Nothing was queued; 3 items were not tried. Correct it. Then retry: Executions → the failed one → ↷. Only the rest is sent. ${MORE}`,
		httpCode: '422',
	});
});

it.each<[string, Partial<Failure>, object, number, string]>([
	['as a person counts', { origin: 'input' }, {}, 4, 'Item 3: The'],
	['by its recipient', {}, { to: '628' }, 4, 'The'],
	['by its own words if it is alone', { origin: 'input' }, {}, 1, 'The'],
	['not if the mistake concerns all', { blame: 'subscription' }, {}, 4, 'The'],
	['not if the gateway is away', { blame: 'gateway' }, {}, 4, 'The'],
	['not if no item can be read', { origin: 'input', cause: 'wholeRun' }, {}, 4, 'The'],
])('the error that stops the node names its item %s', (_, over, whom, items, begins) => {
	const error = toError(NODE, failed([2], over, whom), [], runOf(items));
	expect(error.message.startsWith(`${begins} gateway refused`)).toBe(true);
	// n8n would show the item with a number that is one too low.
	expect(error.context.itemIndex).toBeUndefined();
});

it('the error that stops the node has no status if the gateway gave none', () => {
	const lost = failed([0], { httpCode: undefined });
	expect(toError(NODE, lost, [lost], runOf(1))).toMatchObject({ httpCode: null });
});

it('the error that stops the node keeps the words of the gateway among the details that n8n shows', () => {
	expect(toError(NODE, failed([0]), [], runOf(1)).messages).toEqual([
		'The gateway refused the message (status 422): “no”.',
	]);
});

it('the error that stops the node does not say that nothing was sent if any message may have been', () => {
	const refused = failed([0]);
	const unsure = failed([1], { outcome: 'uncertain' });
	const { description } = toError(NODE, refused, [refused, unsure], runOf(2));
	expect(description).toMatch(/^This message was not queued\. Correct it\. Then retry/);
});

it('the error that stops the node is an operation error if the input was wrong', () => {
	const wrong = failed([0], { origin: 'input', httpCode: undefined });
	expect(toError(NODE, wrong, [wrong], runOf(2))).toBeInstanceOf(NodeOperationError);
});

it('the error that stops the node says first what a Retry has sent, if only earlier doubts are left', () => {
	const doubt = failed([0], { outcome: 'uncertain' }, { isEarlier: true });
	const results = [doubt, accepted([1]), accepted([2]), accepted([3], { isEarlier: true })];
	const retry = { ...runOf(4), isRetry: true };
	expect(toError(NODE, doubt, results, retry).message).toBe(
		'2 messages are queued now. 1 more may have been queued by an earlier try.',
	);
	const other = failed([4], { outcome: 'uncertain' });
	expect(toError(NODE, doubt, [...results, other], retry).message).toMatch(/^Item 1: The gateway/);
});

it.each(['ENOENT', 'ECONNREFUSED', 'ETIMEDOUT', 'getaddrinfo ENOTFOUND a', '429', 'x'])(
	'the error that stops the node keeps its own words if n8n has others for “%s”',
	(word) => {
		for (const origin of ['gateway', 'input'] as const) {
			const said = failed([0], { what: `The gateway says ${word}`, origin });
			const error = toError(NODE, said, [], runOf(1));
			expect(error.message).toBe(`The gateway says ${word}.`);
		}
	},
);

it('the error that stops the node names five numbers of a bulk request, and counts the others', () => {
	const numbers = ['1', '2', '3', '4', '5', '6', '7'];
	const described = (count: number) =>
		toError(NODE, failed([0], {}, { recipients: numbers.slice(0, count) }), [], runOf(1))
			.description;
	expect(described(5)).toContain('The request was for 1, 2, 3, 4, 5.');
	expect(described(7)).toContain('The request was for 1, 2, 3, 4, 5 and 2 more.');
	expect(described(0)).not.toContain('The request');
});

it.each<[Partial<Failure>, boolean]>([
	[{}, true],
	[{ origin: 'input' }, false],
	[{ blame: 'subscription' }, false],
])('the error that stops the node names the number of a single message: %j', (over, isNamed) => {
	const { description } = toError(NODE, failed([6], over, { to: '34600100200' }), [], runOf(8));
	expect(description?.includes('The request was for 34600100200.')).toBe(isNamed);
});

it('the error that stops the node names whose messages are uncertain, to be looked for', () => {
	const described = (...numbers: string[]) => {
		const unsure = { outcome: 'uncertain' } as const;
		const recipients = numbers.map((to) => failed([0], unsure, { to }));
		const others = [failed([1], {}, { to: '7' }), failed([2], unsure)];
		const run = { ...runOf(1), recipients: [...recipients, ...others] };
		return toError(NODE, failed([0], unsure), [], run).description;
	};
	expect(described('628')).toContain('Correct it. The uncertain message was for 628. ');
	expect(described()).not.toContain('for ');
	expect(described('1', '2', '1')).toContain('The uncertain messages were for 1, 2. ');
	expect(described('1', '2', '3', '4', '5')).not.toContain('To see all of them');
	expect(described('1', '2', '3', '4', '5', '6')).toContain(
		'for 1, 2, 3, 4, 5 and 1 more. To see all of them, set Settings → On Error to',
	);
});

describe('the description of the error', () => {
	const describedWith = (results: Result[], all: number, over: Partial<Run> = {}) =>
		toError(NODE, failed([9]), [...results, failed([9])], { ...runOf(all), ...over }).description;

	it.each<[Result[], number, string]>([
		[[accepted([0])], 3, '1 message is queued; 1 item was not tried.'],
		[[accepted([0])], 4, '1 message is queued; 2 items were not tried.'],
		[[accepted([0, 1], { recipients: ['1', '2', '3'] })], 3, '3 messages are queued.'],
		[
			[accepted([0], { isEarlier: true }), accepted([1])],
			3,
			'2 messages are queued (1 of them in an earlier try).',
		],
		[[{ items: [0], outcome: keyTaken('k', true) }], 2, 'Nothing was queued.'],
	])('a description (%#) begins with how many messages are queued', (results, all, expected) => {
		expect(describedWith(results, all)?.startsWith(`${expected} `)).toBe(true);
	});

	it('the description of the error counts only this turn if the node runs again, as in a loop', () => {
		const later = { isLaterRun: true };
		expect(describedWith([], 2, later)).toMatch(/^Nothing was queued in this turn; 1 item was/);
		expect(describedWith([accepted([0])], 2, later)).toMatch(/^1 message is queued in this turn\./);
	});

	it('the description of the error says not to execute again, where a person could', () => {
		const by = { isManual: true };
		expect(describedWith([accepted([0])], 2, by)).toMatch(
			/^1 message is queued\. Do not press 'Execute step': it would send it again\./,
		);
		expect(describedWith([], 2, by)).not.toContain('Execute');
	});
});

it.each([
	['dryRun' as const, 'This was a dry run of a retry: nothing was queued.', 'Dry Run'],
	[
		'test' as const,
		'This was a test of a retry: nothing was queued to anybody else.',
		'Test Number',
	],
])('the error of a dry run of a retry says how to send the rest: %s', (mode, what, option) => {
	expect(dryRunOfRetry(NODE, mode)).toMatchObject({
		message: what,
		description: `The node stops here on purpose, so that n8n still offers Retry. To send the rest, remove the option '${option}', save, and retry: Executions → the failed one → ↷ → 'Retry with currently saved workflow'.`,
	});
});
