import {
	WAIT_INDEFINITELY,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { Ask } from '../../../nodes/MessagingGateway/ask/ask';
import { inputErrorOf } from '../../support/rooms';
import type { Question } from '../../../nodes/MessagingGateway/shared/question';

const question: Question = { kind: 'freeText', text: 'Why?' };
const PUBLIC = 'https://n8n.example.com/webhook-waiting/1/node';

interface Given {
	/** Where n8n believes itself to be. */
	address?: string;
	runIndex?: number;
	/** What came into the node. */
	input?: INodeExecutionData[];
	type?: string;
	mode?: string;
	/** Other nodes of the workflow, before and behind this one. */
	neighbors?: [object[], object[]];
	/** Functions that older releases of n8n do not have. */
	newer?: object;
}

/** n8n gives the parameters of other nodes only if it is asked for them. */
const known =
	(nodes: object[]) =>
	(_name: string, asked: { includeNodeParameters?: boolean } = {}) =>
		asked.includeNodeParameters ? nodes : nodes.map((node) => ({ ...node, parameters: undefined }));

/** A run of the node, and what it has left with n8n. */
function start({ address = PUBLIC, runIndex = 0, input = [], type = 'node', ...more }: Given = {}) {
	const { mode = 'trigger', neighbors = [[], []], newer } = more;
	const node = { name: 'Ask', type };
	const left = {
		/** What n8n keeps while it waits, and passes on where nobody answers. */
		entry: { node, data: { main: [input, null] } },
		context: {} as { question?: string },
		hints: [] as NodeExecutionHint[],
		waitTill: undefined as Date | undefined,
	};
	const context = {
		getContext: (type: string) => (type === 'node' ? left.context : {}),
		getSignedResumeUrl: (parameters: Record<string, string>) =>
			`${address}?${String(new URLSearchParams(parameters))}&signature=signed`,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		putExecutionToWait: async (until: Date) => void (left.waitTill = until),
		getNode: () => node,
		getExecuteData: () => left.entry,
		getInputData: () => input,
		getMode: () => mode,
		getParentNodes: known(neighbors[0]),
		getChildNodes: known(neighbors[1]),
		...(newer ?? {
			getExecutionCancelSignal: () => undefined,
			addExecutionHints: (...hints: NodeExecutionHint[]) => void left.hints.push(...hints),
		}),
	};
	return { ask: new Ask(context as unknown as IExecuteFunctions), left, node };
}

const idOf = (given?: Given, asked: Question = question) =>
	new URL(start(given).ask.openPage(asked, undefined)).searchParams.get('question');

const invalid = () => {
	throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' });
};

it.each<[string, Given]>([
	['without a scheme, but with a port', { address: 'localhost:5678/webhook-waiting/1/node' }],
	['of another kind', { address: 'ftp://n8n.example.com/webhook-waiting/1/node' }],
	['that is a path', { address: '/webhook-waiting/1/node' }],
	['that n8n cannot parse', { newer: { getSignedResumeUrl: invalid } }],
])('a question is refused if the address of n8n is one %s', (_, given) => {
	const { ask } = start(given);
	const error = inputErrorOf(() => ask.openPage(question, undefined));
	expect(error.what).toContain('does not start with https://');
	expect(error.advice).toMatch(/N8N_WEBHOOK_URL, or WEBHOOK_URL/);
});

const MINUTE = 60_000;

it.each<[number | undefined, number | undefined, boolean]>([
	[60, 2 * MINUTE, true],
	[60, undefined, true],
	[600, 2 * MINUTE, false],
	[-1, undefined, false],
	[undefined, undefined, false],
])(
	'with a time limit of the workflow of %s s and a wait of %s ms, a hint comes: %s',
	async (executionTimeout, milliseconds, comes) => {
		const hints: NodeExecutionHint[] = [];
		const newer = {
			getWorkflowSettings: () => ({ executionTimeout }),
			addExecutionHints: (hint: NodeExecutionHint) => void hints.push(hint),
		};
		const { ask } = start({ newer });
		ask.openPage(question, milliseconds === undefined ? undefined : { milliseconds });
		await ask.wait();
		expect(hints.map(({ message }) => message.includes('Timeout Workflow'))).toEqual(
			comes ? [true] : [],
		);
	},
);

it('the link to a question is signed by n8n, and the node keeps the question for its page', () => {
	const { ask, left } = start();
	const link = ask.openPage(question, undefined);
	const id = idOf();
	expect(link).toBe(`${PUBLIC}?question=${id}&signature=signed`);
	expect(JSON.parse(left.context.question ?? '')).toEqual({ question, id });
});

it('the link to a question is another one for another question, or in the next run of a loop', () => {
	const ids = [
		idOf(),
		idOf({ runIndex: 1 }),
		idOf({}, { ...question, text: 'Why not?' }),
		idOf({}, { kind: 'approval', text: 'Why?', approveLabel: 'Yes' }),
	];
	expect(new Set(ids).size).toBe(4);
	expect(idOf()).toBe(ids[0]);
});

it('the link to a question stays short, and has no character that a messenger could end it at', () => {
	for (let runIndex = 0; runIndex < 50; runIndex++) {
		expect(idOf({ runIndex })).toMatch(/^[\w-]{16}$/);
	}
});

describe('the execution of a question', () => {
	afterEach(() => void jest.useRealTimers());

	const waitTill = async (limit: Parameters<Ask['openPage']>[1], given?: Given) => {
		const { ask, left } = start(given);
		ask.openPage(question, limit);
		await ask.wait();
		return left.waitTill;
	};

	it('an execution that asks waits without a limit, until a date, or for a time from now', async () => {
		jest.useFakeTimers();
		jest.setSystemTime(new Date('2026-02-03T04:05:06Z'));
		expect(await waitTill(undefined)).toBe(WAIT_INDEFINITELY);
		const until = new Date('2027-01-01T00:00:00Z');
		expect(await waitTill({ until })).toEqual(until);
		expect(await waitTill({ milliseconds: 60_000 })).toEqual(new Date('2026-02-03T04:06:06Z'));
	});

	it('an execution that asks keeps its time limit for the page', async () => {
		const until = new Date('2027-01-01T00:00:00Z');
		const keptUntil = async (limit?: { until: Date }) => {
			const { ask, left } = start();
			ask.openPage(question, limit);
			await ask.wait();
			return (JSON.parse(left.context.question ?? '') as { until?: number }).until;
		};
		expect(await keptUntil({ until })).toBe(until.getTime());
		expect(await keptUntil()).toBeUndefined();
	});

	it('an execution that asks does not wait once it was stopped, and says so', async () => {
		const { ask, left } = start({ newer: { getExecutionCancelSignal: () => AbortSignal.abort() } });
		ask.openPage(question, undefined);
		await expect(ask.wait()).rejects.toMatchObject({
			message: 'The question is queued, but the execution was stopped, so nobody can answer.',
			description: expect.stringContaining(
				"n8n's editor cannot retry a stopped execution. To ask again, start",
			) as string,
		});
		expect(left.waitTill).toBeUndefined();
	});

	it('an execution that asks waits in an n8n that neither tells nodes of stops nor takes hints from them', async () => {
		const until = new Date('2027-01-01T00:00:00Z');
		const address = 'http://localhost:5678/n8n/webhook-waiting/1/node';
		expect(await waitTill({ until }, { address, newer: {} })).toEqual(until);
	});

	it.each([
		['http://localhost:5678/webhook-waiting/1/node', 'on the computer that runs n8n'],
		['https://192.168.1.20/webhook-waiting/1/node', 'in your own network'],
	])('a hint says that a phone cannot open the link: %s', async (address, where) => {
		const { ask, left } = start({ address });
		ask.openPage(question, undefined);
		await ask.wait();
		expect(left.hints).toEqual([
			{
				message: `The link in the question starts with ${new URL(address).origin}, which opens only ${where}. Set n8n's environment variable WEBHOOK_URL to the address of your n8n on the internet, restart n8n, and send the question again.`,
				location: 'outputPane',
			},
		]);
		expect(left.waitTill).toBe(WAIT_INDEFINITELY);
	});

	it('a hint says that a proxy may take a part of the link off, which n8n has signed', async () => {
		const { ask, left } = start({ address: 'https://example.com/n8n/webhook-waiting/1/node' });
		ask.openPage(question, undefined);
		await ask.wait();
		expect(left.hints).toEqual([
			{
				message:
					'The link in the question has the path /n8n. If a proxy in front of n8n removes this path, n8n shows “Invalid Form Link” and accepts no answer. Set WEBHOOK_URL to an address without a path, such as https://n8n.example.com/.',
				location: 'outputPane',
			},
		]);
	});

	it('no hint comes with a link that a phone can open', async () => {
		const { ask, left } = start();
		ask.openPage(question, undefined);
		await ask.wait();
		expect(left.hints).toEqual([]);
	});
});

it.each<[string, boolean, Given]>([
	['the same turn', true, {}],
	['another turn of a loop', false, { runIndex: 1 }],
	['an execution that is no retry', false, { mode: 'trigger' }],
	['an input without a reply', false, { input: [{ json: { data: { approved: true } } }] }],
	['an input without data', false, { input: [{ json: {} }] }],
	['no input', false, { input: [] }],
])('a question that an execution waited for is answered in %s: %j', async (_, is, given) => {
	const asked = start();
	asked.ask.openPage(question, undefined);
	const beforeItWaits = asked.left.context.question;
	await asked.ask.wait();
	const input = [{ json: { data: { respondedAt: '2026-02-03T04:05:06Z' } } }];
	const isAnswered = (kept?: string) => {
		const { ask, left } = start({ mode: 'retry', input, ...given });
		if (kept !== undefined) left.context.question = kept;
		return ask.isAnswered;
	};
	expect(isAnswered(asked.left.context.question)).toBe(is);
	expect(isAnswered(beforeItWaits)).toBe(false);
	expect(isAnswered()).toBe(false);
});

describe('the input of a question that nobody answers', () => {
	const earlier = { data: { approved: true }, approved: true, order: 7 };
	const item = { json: earlier, binary: {}, pairedItem: { item: 0 } };

	const passedOn = async (given: Given) => {
		const { ask, left, node } = start({ input: [item, item], ...given });
		ask.openPage(question, undefined);
		await ask.wait();
		return { ...left.entry, isSameNode: left.entry.node === node };
	};

	it('n8n passes on the input of an unanswered question without an earlier reply, and the input itself stays', async () => {
		const rest = { ...item, json: { approved: true, order: 7 } };
		expect((await passedOn({})).data.main).toEqual([[rest, rest], null]);
		expect(item.json).toEqual({ data: { approved: true }, approved: true, order: 7 });
	});

	it('a question for which n8n holds no input passes on none', async () => {
		const { ask, left } = start();
		left.entry.data = {} as typeof left.entry.data;
		await ask.wait();
		expect(left.entry.data).toEqual({ main: [] });
	});

	it('n8n passes on nothing of the input at a human review, of which an agent reads more', async () => {
		const { data } = await passedOn({ type: 'messagingGatewayHitlTool' });
		expect(data.main[0]).toEqual([
			{ ...item, json: {} },
			{ ...item, json: {} },
		]);
	});

	it('n8n does not pass on what another call of the node got, for which it would not ask', async () => {
		const { node, isSameNode } = await passedOn({});
		expect(isSameNode).toBe(false);
		expect(node).toEqual({ name: 'Ask', type: 'node' });
	});

	it('the input of a question stays whole until it has gone out, as n8n may try again', () => {
		const { ask, left } = start({ input: [item] });
		ask.openPage(question, undefined);
		expect(left.entry.data.main[0]).toEqual([item]);
	});
});

describe('a question next to a switched-off one', () => {
	const other = (more: object = {}) => ({
		name: 'Finance',
		type: 'node',
		disabled: true,
		parameters: { operation: 'sendAndWait' },
		...more,
	});
	const link = (given: Given) =>
		start({ mode: 'retry', ...given }).ask.openPage(question, undefined);

	it.each<[string, Given]>([
		['before', { neighbors: [[other()], []] }],
		['behind', { neighbors: [[], [other({ disabled: false }), other()]] }],
	])('a Retry asks no question whose reply would pass for that of the other: %s', (_, given) => {
		expect(inputErrorOf(() => link(given))).toMatchObject({
			what: "The node 'Finance' would not ask its question in this execution",
			advice:
				'It is deactivated: n8n does this when you retry an execution that was stopped while waiting for an answer.',
			step: 'Use Retry with currently saved workflow in the list of executions. If you deactivated the node yourself, activate or delete it first.',
		});
	});

	it.each<[string, Given]>([
		['no Retry', { mode: 'trigger', neighbors: [[other()], []] }],
		['an active node', { neighbors: [[other({ disabled: false })], []] }],
		['another node', { neighbors: [[other({ type: 'slack' })], []] }],
		['another operation', { neighbors: [[other({ parameters: { operation: 'send' } })], []] }],
		['a release that does not tell', { neighbors: [[other({ parameters: undefined })], []] }],
	])('a question next to a switched-off one is asked otherwise: %s', (_, given) => {
		expect(link(given)).toContain('question=');
	});
});

describe('the link of a question', () => {
	const warningFor = async (address: string) => {
		const { ask, left } = start({ address });
		ask.openPage(question, undefined);
		await ask.wait();
		return left.hints.map(({ message }) => message).join();
	};

	it.each([
		...['http://localhost:5678', 'http://LOCALHOST', 'http://n8n.localhost', 'http://127.0.0.1'],
		...['http://127.1', 'http://0.0.0.0', 'http://[::1]:5678', 'http://localhost.', 'http://[::]'],
	])('a link that opens only on the computer of n8n is told: %s', async (origin) => {
		expect(await warningFor(`${origin}/webhook-waiting/1/node`)).toContain(
			'opens only on the computer that runs n8n',
		);
	});

	it.each([
		...['http://n8n:5678', 'http://n8n.local', 'http://n8n.lan.', 'http://host.docker.internal'],
		...['http://10.1.2.3', 'http://172.16.0.1', 'http://172.31.255.1', 'http://192.168.1.20:5678'],
		...['http://169.254.1.1', 'http://[fd12::1]', 'http://[fe80::1]'],
	])('a link that opens only in one network is told: %s', async (origin) => {
		expect(await warningFor(`${origin}/webhook-waiting/1/node`)).toContain(
			'opens only in your own network',
		);
	});

	it.each([
		...['https://n8n.example.com', 'https://203.0.113.5', 'https://172.15.0.1', 'https://11.0.0.1'],
		...['https://172.32.0.1', 'https://192.169.1.1', 'https://[2001:db8::1]'],
		...['https://local.example.com', 'https://10.example.com'],
	])('a link that may open anywhere needs no words: %s', async (origin) => {
		expect(await warningFor(`${origin}/webhook-waiting/1/node`)).toBe('');
	});

	it('a path before the own path of n8n is told', async () => {
		expect(await warningFor('https://example.com/n8n/webhook-waiting/1/node')).toContain(
			'has the path /n8n.',
		);
	});
});
