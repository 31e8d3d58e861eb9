/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** The Stop button and the time limit of the workflow, at every stage of a message. */
import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import type { Gateway } from '../../practice-gateway/index';
import { startDescribedGateway } from '../support/describedGateway';
import type { ItemInput } from '../support/engine/engine';
import {
	bulk,
	file,
	CONTINUE_ON_FAIL,
	jsonOf,
	numberOf,
	sample,
	text,
	until,
	useHarness,
	withFile,
	withServer,
} from '../support/harness';

const harness = useHarness({ binaryMode: 'filesystem' });
afterEach(() => void (harness.engine.history.latency = 0));

type Kind = 'a text each' | 'a list' | 'bulk from items' | 'a file from disk' | 'a file from a URL';
const ALL: Kind[] = [
	'a text each',
	'a list',
	'bulk from items',
	'a file from disk',
	'a file from a URL',
];
const PAUSE = { batching: { batch: { batchSize: 1, batchInterval: 50_000 } } };

/** Two messages in a request each, the second after the first; each item has a Send-Once Key. */
function sends(kind: Kind, name: string, fileUrl: string, options: object) {
	const more = {
		phoneNumber: '={{ $json.phone }}',
		options: {
			maxConcurrency: 1,
			maxRetries: 3,
			numbersPerRequest: 1,
			sendOnceKey: '={{ $json.key }}',
			...options,
		} as never,
	};
	const image = withFile('photo.jpg').binary;
	const items = [0, 1].map((n): ItemInput => ({
		json: { phone: numberOf(n), key: `${name} ${n}` },
		...(kind === 'a file from disk' && { binary: image }),
	}));
	const parameters: Record<Kind, () => INodeParameters> = {
		'a text each': () => text(more),
		'bulk from items': () => bulk({ ...more, recipientSource: 'items' }),
		'a list': () => bulk({ ...more, phoneNumbers: [0, 1].map(numberOf) }),
		'a file from disk': () => file('image', 'send', more),
		'a file from a URL': () => file('image', 'send', { ...more, fileSource: 'url', fileUrl }),
	};
	return { items: kind === 'a list' ? items.slice(0, 1) : items, parameters: parameters[kind]() };
}

interface Stage {
	name: string;
	kinds: Kind[];
	/** What is said of the message that was at this stage. */
	is: 'notSent' | 'uncertain';
	/** How many messages had been sent by then. */
	sent: 0 | 1;
	options?: object;
	/** A limit of the credential. The last minute counts, so the gateway is then one of its own. */
	requestsPerMinute?: number;
	prepare?: () => void;
	/** What the server of the file does. */
	serve?: RequestListener;
	isReached: (gateway: Gateway) => boolean;
}

const givesPhoto: RequestListener = (_, response) => {
	response.setHeader('Content-Type', 'image/jpeg').end(sample('photo.jpg'));
};
let downloads = 0;
let looks = 0;
/** Whether something was so at many looks, 5 ms and a turn of the event loop apart, so that what follows it has begun. */
const isLongSince = (isSo: boolean) => isSo && ++looks > 25;
const isFirstSent = ({ messages }: Gateway) => isLongSince(messages.length === 1);

const STAGES: Stage[] = [
	{
		name: 'before anything',
		kinds: ALL,
		is: 'notSent',
		sent: 0,
		options: { randomDelay: 10_000_000 },
		isReached: () => isLongSince(harness.engine.credentialReads > readsBefore),
	},
	{
		name: 'while its key is recorded',
		kinds: ALL,
		is: 'notSent',
		sent: 0,
		prepare: () => (harness.engine.history.latency = 100),
		isReached: () => harness.engine.history.calls > callsBefore,
	},
	{
		name: 'while its file is asked for',
		kinds: ['a file from a URL'],
		is: 'notSent',
		sent: 0,
		serve: () => void downloads++,
		isReached: () => downloads > 0,
	},
	{
		name: 'while its file comes in',
		kinds: ['a file from a URL'],
		is: 'notSent',
		sent: 0,
		serve: (_, response) => {
			response.setHeader('Content-Type', 'image/jpeg');
			response.write(sample('photo.jpg').subarray(0, 100));
			downloads++;
		},
		isReached: () => downloads > 0,
	},
	{
		name: 'in a pause of Batching',
		kinds: ALL,
		is: 'notSent',
		sent: 1,
		options: PAUSE,
		isReached: isFirstSent,
	},
	{
		name: 'while it waits for the plan',
		kinds: ALL,
		is: 'notSent',
		sent: 1,
		requestsPerMinute: 1,
		isReached: isFirstSent,
	},
	{
		name: 'between two tries',
		kinds: ALL,
		is: 'notSent',
		sent: 0,
		prepare: () =>
			harness.gateway.misbehave({ respond: { status: 429, headers: { 'Retry-After': '50' } } }),
		isReached: () => isLongSince(harness.requestCount > 0),
	},
	{
		name: 'while the answer is awaited',
		kinds: ALL,
		is: 'uncertain',
		sent: 0,
		prepare: () => harness.gateway.misbehave({ fault: 'silence' }),
		// The whole request has arrived by then.
		isReached: () => isLongSince(harness.requestCount > 0),
	},
	{
		name: 'while the answer comes',
		kinds: ALL,
		is: 'uncertain',
		sent: 0,
		prepare: () => harness.gateway.misbehave({ fault: 'slowDrip' }),
		// The whole request has arrived by then.
		isReached: () => isLongSince(harness.requestCount > 0),
	},
];
let callsBefore = 0;
let readsBefore = 0;

it.each(STAGES.flatMap((stage) => stage.kinds.map((kind) => ({ kind, name: stage.name, stage }))))(
	'the node reports $kind that is stopped $name as it is, and frees its key unless it may have left',
	async ({ kind, stage }) => {
		const { prepare, serve = givesPhoto, isReached, sent, requestsPerMinute } = stage;
		const ways = { is: serve };
		const gateway = requestsPerMinute ? await startDescribedGateway() : harness.gateway;
		const { baseUrl, token: accessToken, deviceId } = gateway;
		const credential = { baseUrl, accessToken, deviceId };
		await withServer(
			(request, response) => ways.is(request, response),
			async (url) => {
				const name = `${stage.name}, ${kind}`;
				const given = (options?: object) => sends(kind, name, `${url}/photo.jpg`, options ?? {});
				downloads = 0;
				looks = 0;
				callsBefore = harness.engine.history.calls;
				readsBefore = harness.engine.credentialReads;
				prepare?.();
				const running = harness.run(given(stage.options).parameters, {
					items: given().items,
					credential: requestsPerMinute ? { ...credential, requestsPerMinute } : credential,
					node: CONTINUE_ON_FAIL,
				});
				await until(() => isReached(gateway), 'the stage was reached', 10_000);
				harness.engine.cancel();
				const stopped = await running;

				const errors = jsonOf(stopped).flatMap(({ error }) => (error ? [error] : []));
				expect(errors[0]).toMatchObject({ outcome: stage.is });
				for (const error of errors.slice(1)) expect(error).toMatchObject({ outcome: 'notSent' });
				expect(gateway.messages).toHaveLength(sent);

				gateway.behave();
				harness.engine.history.latency = 0;
				ways.is = givesPhoto;
				const mayHaveLeft = stage.is === 'uncertain' ? 1 : sent;
				const later = await harness.run(given().parameters, {
					items: given().items,
					credential,
					node: CONTINUE_ON_FAIL,
				});
				const reached = gateway.messages.flatMap(({ recipients }) => recipients);
				const free = stage.is === 'uncertain' ? [1] : [0, 1];
				// The one key of a list hangs on all of its requests.
				const expected = kind === 'a list' && mayHaveLeft > 0 ? [0].slice(0, sent) : free;
				expect(reached.sort()).toEqual(expected.map(numberOf));
				expect(later.status).toBe('success');
			},
		).finally(async () => {
			if (gateway !== harness.gateway) await gateway.close();
		});
	},
	// Shorter than what a run would wait for that does not stop.
	30_000,
);

it('the node leaves a large file uncertain that is stopped while it is uploaded, and keeps its key', async () => {
	let bytes = 0;
	// A gateway that reads the beginning and no more.
	const slow = createServer((request) => {
		request.once('data', (chunk: Buffer) => {
			bytes += chunk.length;
			request.pause();
		});
	});
	await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
	const { port } = slow.address() as { port: number };
	const jpeg = Buffer.concat([sample('photo.jpg'), randomBytes(20_000_000)]);
	const items: ItemInput[] = [
		{ binary: { data: { fileName: 'a.jpg', mimeType: 'image/jpeg', content: jpeg } } },
	];
	const parameters = file('image', 'send', { options: { sendOnceKey: 'uploading' } });
	try {
		const credential = { ...harness.credential, baseUrl: `http://127.0.0.1:${port}` };
		const running = harness.run(parameters, { items, credential, node: CONTINUE_ON_FAIL });
		await until(() => bytes > 0, 'bytes came', 10_000);
		harness.engine.cancel();
		const stopped = await running;
		expect(jsonOf(stopped)).toMatchObject([{ error: { outcome: 'uncertain' } }]);
		const later = await harness.run(parameters, { items });
		expect(jsonOf(later)).toMatchObject([{ skipped: true }]);
	} finally {
		slow.closeAllConnections();
		slow.close();
	}
});

it('the node frees the key if the time limit of the workflow comes during a download', async () => {
	const ways: { is: RequestListener } = { is: () => undefined };
	await withServer(
		(request, response) => ways.is(request, response),
		async (url) => {
			const { parameters, items } = sends(
				'a file from a URL',
				'time limit',
				`${url}/photo.jpg`,
				{},
			);
			const settings = { executionTimeout: 1 };
			const ended = await harness.run(parameters, { items, settings, node: CONTINUE_ON_FAIL });
			expect(jsonOf(ended)[0]).toMatchObject({ error: { outcome: 'notSent' } });
			ways.is = givesPhoto;
			const later = await harness.run(parameters, { items });

			expect(jsonOf(later)).toMatchObject([{ code: 200 }, { code: 200 }]);
		},
	);
});
