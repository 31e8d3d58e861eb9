/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** A tool call ends before its caller gives up and calls again. Its time passes 20 times as fast. */
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { INode, INodeParameters } from 'n8n-workflow';
import { bulk, file, numberOf, text, useHarness, withServer } from '../support/harness';
import { useFastClock } from '../support/fastClock';

const harness = useHarness({ binaryMode: 'filesystem' });
useFastClock(20);
afterEach(() => harness.engine.history.rows.clear());

const TOOL = { rewireOutputLogTo: 'ai_tool' } as Partial<INode>;
/** Milliseconds after which nobody waits for a tool call. */
const MOST = 45_000;

const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const random = (most: number) => 1 + Math.floor(Math.random() * most);
/** As n8n stores the mark of the lock. */
const MARK = createHash('md5').update('locked').digest('base64');
const hang: RequestListener = () => undefined;
const keyed = (options: INodeParameters = {}) => ({
	options: { sendOnceKey: 'order 7', ...options },
});

/** Calls the tool once, and resolves to its result and the milliseconds that it took. */
async function call(parameters: INodeParameters, credential: object = {}) {
	const began = Date.now();
	const run = await harness.run(parameters, {
		items: [{ json: {} }],
		node: TOOL,
		credential: { ...harness.credential, ...credential },
	});
	const results = run.runs.at(-1)?.data?.ai_tool?.[0]?.map(({ json }) => json) ?? [];
	return { results, took: Date.now() - began, said: JSON.stringify(results) };
}

interface Trouble {
	name: string;
	options?: INodeParameters;
	requestsPerMinute?: number;
	begin?: () => unknown;
	end?: () => Promise<unknown>;
	parameters?: (url: string) => INodeParameters;
}

const busy = (headers = {}) => harness.gateway.misbehave({ respond: { status: 429, headers } });

const NOT_SENT: Trouble[] = [
	{ name: 'the gateway is busy and does not say how long', begin: () => busy() },
	{ name: 'the gateway asks for a pause of 50 s', begin: () => busy({ 'Retry-After': '50' }) },
	{ name: 'the gateway asks for a pause of an hour', begin: () => busy({ 'Retry-After': '3600' }) },
	{
		name: 'the plan allows no more messages in this minute',
		requestsPerMinute: 1,
		begin: async () => await call(text(), { requestsPerMinute: 1 }),
	},
	{ name: 'Random Delay is long', options: { randomDelay: 2_000_000_000 } },
	{
		name: 'the server of the file does not answer',
		parameters: (fileUrl) => file('image', 'send', { ...keyed(), fileSource: 'url', fileUrl }),
	},
	{
		name: "n8n's database is slow",
		begin: () => void (harness.engine.history.latency = 800),
		end: async () => {
			harness.engine.history.latency = 0;
			await sleep(90_000);
		},
	},
	{
		name: 'other processes have the lock of the keys',
		begin: () => {
			const { rows } = harness.engine.history;
			const { get } = rows;
			// It changes all the time, so nobody takes it over.
			rows.get = (name) => {
				if (name.includes(' ')) return get.call(rows, name);
				const entries = Array<string>(random(50)).fill(MARK);
				return JSON.stringify({ mode: 'messaging gateway: one process at a time', entries });
			};
		},
		end: async () => {
			Reflect.deleteProperty(harness.engine.history.rows, 'get');
			await sleep(30_000);
		},
	},
];

it.each(NOT_SENT)(
	'a tool call ends in time if $name: it was not sent, says when to call again, and its key is free',
	async ({
		options,
		begin,
		end = async () => undefined,
		requestsPerMinute,
		parameters = () => text(keyed(options)),
	}) => {
		await withServer(hang, async (url) => {
			await begin?.();
			harness.gateway.clear();
			const credential = { requestsPerMinute };
			const { results, took, said } = await call(parameters(`${url}/photo.jpg`), credential);
			expect(results).toMatchObject([{ error: { outcome: 'notSent' } }]);
			expect(said).toMatch(/Call this tool again in \d+ seconds|Wait 60 minutes/);
			expect(took).toBeLessThanOrEqual(MOST);
			expect(harness.gateway.messages).toEqual([]);
		}).finally(end);
		harness.gateway.behave();
		const { results } = await call(text(keyed()));
		expect(results).toMatchObject([{ code: 200 }]);
	},
);

it('a tool call ends in time if the gateway does not answer: it is uncertain, and must not be sent again', async () => {
	harness.gateway.misbehave({ fault: 'silence' });
	const { results, took, said } = await call(text(keyed()));
	expect(results).toMatchObject([{ error: { outcome: 'uncertain' } }]);
	expect(said).toContain('Do not call this tool again');
	expect(took).toBeLessThanOrEqual(MOST);
	harness.gateway.behave();
	expect(await call(text(keyed()))).toMatchObject({ results: [{ skipped: true }] });
});

it('a tool call sends after a pause that ends in time', async () => {
	harness.gateway.misbehave({ respond: { status: 429 }, times: 2 });
	expect(await call(text())).toMatchObject({ results: [{ code: 200 }] });
});

it('a tool call reports what it has sent of a list, and names the rest', async () => {
	const batching = { batch: { batchSize: 1, batchInterval: 20_000 } };
	const numbers = [0, 1, 2, 3].map(numberOf);
	const { results, took } = await call(
		bulk({ phoneNumbers: numbers, options: { numbersPerRequest: 1, batching } }),
	);
	const sent = harness.gateway.messages.flatMap(({ recipients }) => recipients);
	expect(sent).toEqual(numbers.slice(0, 2));
	expect(results).toMatchObject([
		{ code: 200 },
		{ code: 200 },
		{
			error: {
				outcome: 'notSent',
				recipients: numbers.slice(2),
				description: expect.stringMatching(/again in \d+ seconds.*only for the others/) as string,
			},
		},
	]);
	expect(took).toBeLessThanOrEqual(MOST);
});
