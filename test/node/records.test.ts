/** What earlier releases have stored of an execution is not misread: its Retry sends nothing, and says why. */
import { numberOf, text, useHarness, withJson } from '../support/harness';

const harness = useHarness();

const envelope = { code: 200, message: 'Message is sent in the background.' };
const id = { id: '3f9954c0-a0e3', execution: '1', generation: 0 };
const node = 'Messaging Gateway';

/** Each after the first of three people got the message, and the second was refused. */
const JOURNALS = {
	'1.0': { 0: { requests: { '0:9UE3doBfhZqueZSq': [{ envelope }] }, sendOnceKeys: {} } },
	'1.0, with a list': {
		0: {
			requests: { '8DEkiIaWPro50pl6': [{ numbers: [numberOf(0)], envelope }] },
			sendOnceKeys: {},
		},
	},
	'1.0, in a loop': { 1: { requests: {}, sendOnceKeys: {} } },
	'1.1': {
		...id,
		runs: {
			0: {
				requests: { '0:LGqja3O73scainb7': [{ envelope }], '1:UrpkW3FEdKtGXYr5': [{}] },
				sendOnceKeys: { '0:LGqja3O73scainb7': { [numberOf(0)]: 0 } },
			},
		},
	},
	'1.2': {
		...id,
		node,
		marks: 1,
		runs: {
			0: {
				requests: { '0:L5-okYHHOQhXG0Ie': [{ envelope }] },
				sendOnceKeys: {},
				operation: 'text:send',
			},
		},
	},
	'1.2, in bulk': {
		...id,
		node,
		marks: 1,
		runs: {
			0: {
				requests: {
					'GF-NsyJx_iX1Yab8': [
						{ numbers: [numberOf(0)], items: [0, 0], device: 'Rdg4FJ', envelope },
					],
				},
				sendOnceKeys: {},
				operation: 'text:sendBulk',
			},
		},
	},
	'a later release': { ...id, format: 3, node, runs: { 0: { source: 'Items:0:0', requests: [] } } },
};

it.each(Object.entries(JOURNALS))(
	'a Retry of what %s has stored sends nothing, and says why, each time',
	async (_, journal) => {
		harness.gateway.misbehave({ recipient: numberOf(1), times: 1, respond: { status: 422 } });
		const items = withJson(...[0, 1, 2].map((n) => ({ phone: numberOf(n) })));
		const parameters = text({ phoneNumber: '={{ $json.phone }}', options: { maxConcurrency: 1 } });
		const failed = await harness.run(parameters, { items });
		const data = JSON.parse(failed.stored()) as typeof failed.data;
		if (data.executionData) data.executionData.contextData = { [`node:${node}`]: { journal } };
		harness.gateway.clear();
		const { credential, engine } = harness;
		const stored = { ...failed, stored: () => JSON.stringify(data) };
		const first = await engine.retry(stored, { credential });
		const second = await engine.retry(first, { credential });

		for (const { status, error } of [first, second]) {
			expect(status).toBe('error');
			expect(error?.message).toContain('Another release of this node has run this execution');
		}
		expect(harness.gateway.messages).toEqual([]);
	},
);
