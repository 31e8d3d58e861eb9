import type { IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';
import { GivenOptions } from '../../nodes/MessagingGateway/operations/givenOptions';
import { properties } from '../../nodes/MessagingGateway/operations/index';
import { readSettings, unreadSettings } from '../../nodes/MessagingGateway/readRun';
import { inNode } from '../support/rooms';

const CLIENT = { requestsPerMinute: 30, subscription: 'mine' };

const settingsFor = async (options: INodeParameters) =>
	await inNode(
		async (context) =>
			await Promise.resolve(readSettings(context, new GivenOptions(context), CLIENT)),
		{
			parameters: { phoneNumber: '1', message: 'a', options },
			properties,
		},
	);

describe('the settings of a run', () => {
	it('the settings of a run are the defaults if nothing is set', async () => {
		expect(await settingsFor({})).toEqual({
			maxConcurrency: 5,
			batchSize: 0,
			batchInterval: 1_000,
			randomDelay: 0,
			maxRetries: 3,
			numbersPerRequest: 500,
			resendUncertain: false,
			continueOnFail: false,
			retryOnFail: false,
			subscription: 'mine',
			requestsPerMinute: 30,
			dryRun: false,
			testNumber: '',
			perRecipient: false,
		});
	});

	it.each<[INodeParameters, object]>([
		[{ maxConcurrency: 1 }, { maxConcurrency: 1 }],
		[{ maxConcurrency: 0 }, { maxConcurrency: 1 }],
		[{ maxConcurrency: -3 }, { maxConcurrency: 1 }],
		[{ maxConcurrency: 2.9 }, { maxConcurrency: 2 }],
		[{ maxConcurrency: '={{ "x" }}' }, { maxConcurrency: 5 }],
		[{ maxRetries: 0 }, { maxRetries: 0 }],
		[{ maxRetries: -1 }, { maxRetries: 0 }],
		[{ maxRetries: 'maybe' }, { maxRetries: 0 }],
		[{ randomDelay: 50 }, { randomDelay: 50 }],
		[{ randomDelay: -50 }, { randomDelay: 0 }],
		[{ onUncertain: 'resend' }, { resendUncertain: true }],
		[{ onUncertain: 'doNotResend' }, { resendUncertain: false }],
		[{ batching: { batch: {} } }, { batchSize: 50, batchInterval: 1_000 }],
		[{ batching: { batch: { batchSize: '={{ $json.typo }}' } } }, { batchSize: 50 }],
		[
			{ batching: { batch: { batchSize: 7, batchInterval: 20 } } },
			{ batchSize: 7, batchInterval: 20 },
		],
		[{ batching: { batch: { batchSize: -1, batchInterval: 20 } } }, { batchSize: 0 }],
		[{ batching: { batch: { batchSize: 0, batchInterval: 20 } } }, { batchSize: 1 }],
		[{ batching: { batch: { batchSize: 7, batchInterval: -20 } } }, { batchInterval: 0 }],
		[{ output: 'perRecipient' }, { perRecipient: true }],
		[{ dryRun: true }, { dryRun: true, continueOnFail: true }],
	])('a run reads its options as settings: %j', async (options, expected) => {
		expect(await settingsFor(options)).toMatchObject(expected);
	});

	const as = (node: Partial<INode> & { rewireOutputLogTo?: string }, isTool?: boolean) => {
		const type = 'n8n-nodes-messaging-gateway.messagingGateway';
		const whole = { type, parameters: {}, ...node } as INode;
		const context = {
			getNodeParameter: () => null,
			getNode: () => whole,
			continueOnFail: () => false,
			...(isTool === undefined ? {} : { isToolExecution: () => isTool }),
		} as unknown as IExecuteFunctions;
		return readSettings(context, new GivenOptions(context), CLIENT);
	};

	it('the settings let a node that an AI agent runs continue after errors, however n8n marks it', () => {
		expect(as({}).continueOnFail).toBe(false);
		expect(as({}, false).continueOnFail).toBe(false);
		expect(as({}, true).continueOnFail).toBe(true);
		expect(as({ rewireOutputLogTo: 'ai_tool' }).continueOnFail).toBe(true);
		expect(as({ rewireOutputLogTo: 'main' }).continueOnFail).toBe(false);
		expect(as({ type: 'x.messagingGatewayTool' }).continueOnFail).toBe(true);
	});

	it('the settings let a human review step fail, as n8n reads any output of it as the answer', () => {
		const step = { type: 'x.messagingGatewayHitlTool' };
		expect(as(step).continueOnFail).toBe(false);
		expect(as({ ...step, rewireOutputLogTo: 'ai_tool' }, true).continueOnFail).toBe(false);
	});

	it('the settings know that n8n itself tries again', () => {
		expect(as({ retryOnFail: true }).retryOnFail).toBe(true);
		expect(as({ retryOnFail: false }).retryOnFail).toBe(false);
	});
});

describe('the settings of a run that cannot send', () => {
	const without = async (options: INodeParameters) =>
		await inNode(async (context) => await Promise.resolve(unreadSettings(context)), {
			parameters: { phoneNumber: '1', message: 'a', options },
			properties,
		});

	it('the settings of a run that cannot send are the defaults, but for how its errors come out', async () => {
		const defaults = { ...(await settingsFor({})), subscription: '', requestsPerMinute: 0 };
		expect(await without({})).toEqual(defaults);
		expect(await without({ maxRetries: 9, randomDelay: 50, output: 'perRecipient' })).toEqual({
			...defaults,
			perRecipient: true,
		});
		expect(await without({ maxRetries: 9, dryRun: true })).toEqual({
			...defaults,
			dryRun: true,
			continueOnFail: true,
		});
	});

	it('the settings of a run that cannot send are the defaults if an expression has no value', async () => {
		const options = { output: "={{ $('Nope').all() }}" };
		expect(await without(options)).toMatchObject({ perRecipient: false, maxRetries: 3 });
	});
});
