import type { INodeParameters } from 'n8n-workflow';
import { properties } from '../../nodes/MessagingGateway/operations/index';
import { readOptions } from '../../nodes/MessagingGateway/start';
import { inNode } from '../support/rooms';

const optionsFor = async (options: INodeParameters) =>
	await inNode(async (context) => await Promise.resolve(readOptions(context)), {
		parameters: { phoneNumber: '1', message: 'a', options },
		properties,
	});

describe('the options of a run', () => {
	it('the options of a run are the defaults if nothing is set', async () => {
		expect(await optionsFor({})).toEqual({
			maxConcurrency: 5,
			batchSize: 0,
			batchInterval: 1_000,
			randomDelay: 0,
			maxRetries: 3,
			numbersPerRequest: 500,
			resendUncertain: false,
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
	])('a run reads its options: %j', async (options, expected) => {
		expect(await optionsFor(options)).toMatchObject(expected);
	});
});
