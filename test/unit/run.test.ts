import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';
import { KeyQueue } from '../../nodes/MessagingGateway/delivery/memory/keyHistory';
import { run } from '../../nodes/MessagingGateway/run';
import { properties } from '../../nodes/MessagingGateway/operations/index';
import { BEGINNINGS } from '../support/beginnings';
import { inNode, serve, TOKEN, type NodeOptions, type RunningServer } from '../support/rooms';

const ENVELOPE = { code: 200, message: 'queued' };
const TOOL = 'n8n-nodes-messaging-gateway.messagingGatewayTool';
const NUMBER = '6281234567890';

let server: RunningServer;
let bodies: string[] = [];
let status = 200;

beforeAll(async () => {
	server = await serve((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			bodies.push(body);
			response.statusCode = status;
			response.end(JSON.stringify({ ...ENVELOPE, code: status }));
		});
	});
});
afterEach(() => {
	bodies = [];
	status = 200;
	jest.restoreAllMocks();
});
afterAll(async () => await server.close());

type Host = Partial<Omit<IExecuteFunctions, 'getNode'>> & { node?: Partial<INode> };

/** Runs `use` in a node whose host differs from n8n in what `host` says. */
async function on<T>(
	host: Host,
	use: (context: IExecuteFunctions) => Promise<T>,
	options: NodeOptions = {},
): Promise<T> {
	const { node, ...methods } = host;
	const credential = { baseUrl: server.url, accessToken: TOKEN, deviceId: 'd' };
	return await inNode(
		async (context) => {
			const whole = { ...context.getNode(), ...node };
			const own = Object.getOwnPropertyDescriptors({ ...methods, getNode: () => whole });
			return await use(Object.create(context, own) as IExecuteFunctions);
		},
		{ properties, credential, ...options },
	);
}

const text = (more: NodeOptions['parameters'] = {}, items: NodeOptions['items'] = 1) => ({
	parameters: { phoneNumber: NUMBER, message: 'Halo', ...more },
	items,
});
const jsonOn = async (host: Host, options: NodeOptions): Promise<IDataObject[]> =>
	await on(host, async (context) => (await run(context)).map(({ json }) => json), options);

it('a run sends one message for each item', async () => {
	expect(await jsonOn({}, text({}, 2))).toEqual([ENVELOPE, ENVELOPE]);
	expect(bodies).toHaveLength(2);
});

it('a run works in releases of n8n without a signal for a stop, workflow settings and hints', async () => {
	const older = {
		getExecutionCancelSignal: undefined,
		getWorkflowSettings: undefined,
		addExecutionHints: undefined,
	} as unknown as Host;
	expect(await jsonOn(older, text())).toEqual([ENVELOPE]);
});

it('a run has no output without input', async () => {
	const node = { retryOnFail: true };
	expect(await jsonOn({ getInputData: () => [], node }, text())).toEqual([]);
	expect(bodies).toEqual([]);
});

it('a run tells the log of n8n why it waits', async () => {
	const debug = jest.fn();
	const logger = { debug } as unknown as IExecuteFunctions['logger'];
	const batching = { batch: { batchSize: 1, batchInterval: 1 } };
	await jsonOn({ logger }, text({ options: { batching } }, 2));
	expect(debug.mock.calls).toContainEqual(['Pausing 1 ms after 1 requests']);
});

it('a run tells n8n what a person should know', async () => {
	const addExecutionHints = jest.fn();
	await jsonOn({ addExecutionHints }, text({}, 2));
	expect(addExecutionHints.mock.calls).toEqual([
		[
			{
				message: expect.stringMatching(/^2 messages to 1 number: 2 queued\. By country: 2 Ind/),
				location: 'outputPane',
			},
			{ message: expect.stringMatching(/^1 message was sent/), location: 'outputPane' },
		],
	]);
});

const FILE = { fileName: 'a.png', mimeType: 'image/png', content: BEGINNINGS.png };
const repeat = (times: number) => Array.from({ length: times }, () => ({ binary: { data: FILE } }));

it.each([
	['text', 'send', true],
	['text', 'sendToGroup', false],
	['image', 'send', false],
])(
	'a run of 20 equal messages has a hint to Send Bulk, for %s:%s: %j',
	async (resource, operation, is) => {
		const addExecutionHints = jest.fn();
		const more = { resource, operation, groupId: '7' };
		await jsonOn({ addExecutionHints }, text(more, repeat(20)));
		expect(JSON.stringify(addExecutionHints.mock.calls).includes("'Send Bulk'")).toBe(is);
	},
);

const QUEUED = { status: 'queued', message: 'queued' };

it.each([
	['text', 'send', { to: NUMBER, ...QUEUED }],
	['image', 'send', { to: NUMBER, ...QUEUED, queueId: '(none)' }],
	['image', 'sendToGroup', { to: '7', ...QUEUED }],
])(
	'a run has the row of a recipient with a queue number only if the API knows one: %s:%s',
	async (resource, operation, row) => {
		const options = { output: 'perRecipient' };
		const more = { resource, operation, groupId: '7', options };
		expect(await jsonOn({}, text(more, repeat(1)))).toEqual([row]);
	},
);

it.each<[string, INodeParameters, Array<string | undefined>]>([
	['a text', { phoneNumber: '={{ $json.to }}' }, [NUMBER, 'x']],
	[
		'a bulk text to the items',
		{ operation: 'sendBulk', recipientSource: 'items', phoneNumberField: 'to' },
		[NUMBER, 'x'],
	],
	[
		'a bulk text to the items, in a field that cannot be read',
		{ operation: 'sendBulk', recipientSource: 'items', phoneNumberField: "={{ $('No').item }}" },
		['(none)', '(none)'],
	],
	[
		'a bulk text to a list',
		{ operation: 'sendBulk', phoneNumbers: '={{ [$json.to, 1] }}' },
		['["0812 3456 7890",1]', '["x",1]'],
	],
])('the rows of a run that cannot send name the recipients of %s', async (_, parameters, to) => {
	const credential = { baseUrl: server.url, accessToken: TOKEN, deviceId: 'd' };
	const options = { output: 'perRecipient', skipNumbers: '={{ undefined }}' };
	const given = text({ ...parameters, options }, [
		{ json: { to: '0812 3456 7890' } },
		{ json: { to: 'x' } },
	]);
	const withCode = { ...given, credential: { ...credential, defaultCountryCode: '62' } };
	const rows = await jsonOn({ continueOnFail: () => true }, withCode);
	expect(rows.map((row) => [row.to, row.status])).toEqual(to.map((each) => [each, 'notSent']));
	expect(bodies).toEqual([]);
});

it('a test goes to a number that is read with the country code of the credential', async () => {
	const credential = { baseUrl: server.url, accessToken: TOKEN, deviceId: 'd' };
	const options = { testNumber: '0812 3456 7890' };
	const given = { ...text({ options }), credential: { ...credential, defaultCountryCode: '62' } };
	expect(await jsonOn({}, given)).toMatchObject([{ to: NUMBER, status: 'queued' }]);
});

it('a run has the Send-Once Keys of its own node in its own workflow', async () => {
	const join = jest.spyOn(KeyQueue, 'join');
	const node = { id: 'node-1' };
	const workflow = (id?: string) => ({ getWorkflow: () => ({ id, active: false }) }) as Host;
	await jsonOn({ node, ...workflow('workflow-1') }, text());
	expect(join.mock.calls).toEqual([['workflow-1', 'node-1']]);
	// A workflow that nobody has saved.
	await jsonOn({ node, ...workflow() }, text());
	expect(join.mock.calls).toEqual([
		['workflow-1', 'node-1'],
		['', 'node-1'],
	]);
	expect(KeyQueue.count).toBe(0);
});

it('a run asks n8n only for the options that the node has, as that takes long for many items', async () => {
	const askedFor = async (options: IDataObject) =>
		await on(
			{},
			async (context) => {
				const { getNodeParameter } = context;
				const names: string[] = [];
				const spied = ((...args: Parameters<typeof getNodeParameter>) => {
					names.push(args[0]);
					return getNodeParameter.apply(context, args);
				}) as IExecuteFunctions['getNodeParameter'];
				await run(Object.assign(context, { getNodeParameter: spied }));
				return names.filter((name) => /sendOnceKey|timeout/.test(name));
			},
			text({ options: options as never }),
		);
	expect(await askedFor({ timeout: 5_000 })).toEqual(['options.timeout']);
	expect(await askedFor({})).toEqual([]);
});

describe('the record of an execution', () => {
	const recordOn = async (host: Host, parameters: NodeOptions['parameters'] = {}) =>
		await on(
			host,
			async (context) => {
				await run(context);
				const { journal } = context.getContext('node');
				return journal as { id: string; runs: object } | undefined;
			},
			text(parameters),
		);
	const continues = { continueOnFail: () => true };
	const retryOnFail = { node: { retryOnFail: true } };

	it('a run leaves nothing of what it sent in the record, once n8n goes on to the next node', async () => {
		expect((await recordOn({}))?.runs).toEqual({});
		expect((await recordOn(retryOnFail))?.runs).toEqual({});
		status = 422;
		expect((await recordOn(continues))?.runs).toEqual({});
	});

	it('a run leaves what it sent in the record if n8n tries again because the first item has an error', async () => {
		status = 422;
		const record = await recordOn({ ...continues, ...retryOnFail });
		expect(Object.keys(record?.runs ?? {})).toEqual(['0']);
	});

	it('a run leaves nothing at all in the record after a dry run', async () => {
		expect(await recordOn({}, { options: { dryRun: true } })).toBeUndefined();
	});

	const withToken = (mode: 'retry' | 'manual', query: string): Host => {
		const resumeUrl = `https://n8n.example/webhook-waiting/7${query}`;
		const proxy = { $runIndex: 0, $execution: { resumeUrl } };
		return {
			getMode: () => mode,
			getWorkflowDataProxy: () => proxy as never,
		};
	};
	const nameOn = async (mode: 'retry' | 'manual', query: string) =>
		(await recordOn(withToken(mode, query)))?.id;

	it('all retries of an execution have one name, so that only one of them sends', async () => {
		const name = await nameOn('retry', '?signature=a');
		expect(await nameOn('retry', '?signature=a')).toBe(name);
		expect(await nameOn('retry', '?signature=b')).not.toBe(name);
	});

	it('any other run has a name of its own, also if n8n has no token', async () => {
		expect(await nameOn('manual', '?signature=a')).not.toBe(await nameOn('manual', '?signature=a'));
		expect(await nameOn('retry', '')).not.toBe(await nameOn('retry', ''));
	});
});

describe('an operation', () => {
	const tool = { node: { type: TOOL } };

	it('an operation cannot wait for a response if an AI agent runs it', async () => {
		expect(await jsonOn(tool, text({ operation: 'sendAndWait' }))).toEqual([
			{
				error: {
					message: 'An AI agent cannot wait for a response with this tool.',
					description:
						'This message was not queued. Choose another operation, or add this node as a human review step of another tool.',
					outcome: 'notSent',
				},
			},
		]);
		expect(bodies).toEqual([]);
	});

	it('an operation sends if an AI agent runs it', async () => {
		expect(await jsonOn(tool, text())).toEqual([ENVELOPE]);
	});

	const none = { resource: 'image', operation: 'sendBulk' };

	it('an operation is refused if there is none of its name', async () => {
		const host = { continueOnFail: () => true, addExecutionHints: jest.fn() };
		expect(await jsonOn(host, text(none))).toEqual([
			{
				error: {
					message: 'There is no operation “sendBulk” for the resource “image”.',
					description: 'This message was not queued. Open the node and choose the operation again.',
					outcome: 'notSent',
				},
			},
		]);
		expect(host.addExecutionHints.mock.calls).toEqual([[]]);
	});

	it('an operation of which there is none stops the node for all items', async () => {
		await expect(jsonOn({}, text(none, 2))).rejects.toMatchObject({
			message: 'There is no operation “sendBulk” for the resource “image”.',
			description: expect.stringContaining(
				'Nothing was queued; 1 item was not tried. Open the node and choose the operation again. Then save, and retry: Executions',
			),
			context: { itemIndex: undefined },
		});
	});

	it('an operation stops the node if the gateway refuses a message', async () => {
		status = 422;
		await expect(jsonOn({}, text())).rejects.toBeInstanceOf(NodeApiError);
	});
});

describe('the boundary of a run', () => {
	const fails = (error: Error) => () => {
		throw error;
	};
	const invalidUrl = Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' });
	const broken = new Error('n8n is broken');
	/** The parts of n8n that a run calls before it sends. */
	const hosts: Array<[string, Host]> = [
		[
			'the address of n8n is no web address',
			{ getNodeParameter: fails(invalidUrl), getWorkflowDataProxy: fails(invalidUrl) },
		],
		['parameters cannot be read', { getNodeParameter: fails(broken) }],
		['the run has no number', { getWorkflowDataProxy: fails(broken) }],
		['the record cannot be opened', { getContext: fails(broken) }],
		['the credential cannot be opened', { getCredentials: fails(broken) }],
		['the source of the items is not known', { getExecuteData: fails(broken) }],
		['the workflow is not known', { getWorkflow: fails(broken) }],
	];
	const tool = { type: TOOL };
	const review = { type: TOOL.replace(/Tool$/, 'HitlTool') };

	describe.each(hosts)('if %s', (_, host) => {
		it.each<[string, Host]>([
			['a node that continues', { continueOnFail: () => true }],
			['a tool', { node: tool }],
			['a human review step that continues', { node: review, continueOnFail: () => true }],
		])('every item of %s comes out as an error, not sent', async (__, more) => {
			const output = await on({ ...host, ...more }, run, text({}, 3));
			expect(output).toHaveLength(3);
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			for (const { json } of output) {
				expect(json).toEqual({ error: expect.objectContaining({ outcome: 'notSent' }) });
			}
			expect(bodies).toEqual([]);
		});

		it.each<[string, Host]>([
			['a node', {}],
			['a human review step', { node: review }],
		])('%s that stops at errors fails', async (__, more) => {
			await expect(jsonOn({ ...host, ...more }, text({}, 3))).rejects.toMatchObject({
				description: expect.stringContaining('Nothing was queued'),
			});
			expect(bodies).toEqual([]);
		});
	});

	it('the error names the address of n8n if it is no web address', async () => {
		const [, host] = hosts[0] as [string, Host];
		const [json] = await jsonOn({ ...host, continueOnFail: () => true }, text());
		expect(JSON.stringify(json)).toContain(
			'WEBHOOK_URL if that is not set, to an address that starts with https://',
		);
	});

	it('in a retry, nobody can tell what an earlier try has sent', async () => {
		const host = { getContext: fails(broken), getMode: () => 'retry' as const };
		const output = await jsonOn({ ...host, continueOnFail: () => true }, text({}, 2));
		expect(output).toEqual(
			Array(2).fill({ error: expect.objectContaining({ outcome: 'uncertain' }) }),
		);
	});

	it('hints that cannot be shown change nothing', async () => {
		expect(await jsonOn({ addExecutionHints: fails(broken) }, text())).toEqual([ENVELOPE]);
	});
});
