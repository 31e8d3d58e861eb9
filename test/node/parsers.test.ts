/** Checks that all common upload parsers read the same from the bytes that the node sends. */
import { file, jsonOf, withFile } from '../support/harness';
import { createEngine, type Engine } from '../support/engine/engine';
import { latin1Parsers, parse, parsers, type Part } from '../support/parsers';
import { startRawServer, type RawServer } from '../support/rawServer';
import { DEVICE, files, TOKEN, type Send } from '../support/everySend';

let server: RawServer;
let engine: Engine;

beforeAll(async () => (server = await startRawServer()));
afterAll(async () => await server.close());

/** Resolves to the bytes of one request, as sent over the wire. */
async function bytesOf({ parameters, items }: Pick<Send, 'parameters' | 'items'>): Promise<Buffer> {
	const { baseUrl, requests } = server;
	requests.length = 0;
	const credential = { baseUrl, accessToken: TOKEN, deviceId: DEVICE };
	const run = await engine.run({ parameters, items, credential });
	expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
	expect(requests).toHaveLength(1);
	return requests[0] as Buffer;
}

const partsOf = ({ fields, files: sent = {} }: Send): Part[] => [
	...Object.entries(fields).map(([field, value]) => ({ field, value: String(value) })),
	...Object.entries(sent).map(([field, each]) => ({ field, ...each })),
];

const namesIn = (parts: Part[]) => parts.flatMap((part) => ('name' in part ? [part.name] : []));

describe.each(['default', 'filesystem'] as const)('from files in %s mode', (binaryMode) => {
	beforeAll(async () => (engine = await createEngine({ binaryMode })));
	afterAll(async () => await engine.close());

	it.each(Object.entries(files))('all parsers read the same from %s', async (_, send) => {
		const raw = await bytesOf(send);

		for (const [name, parser] of Object.entries(parsers)) {
			expect({ [name]: await parse(raw, parser) }).toEqual({ [name]: partsOf(send) });
		}
	});
});

describe('where parsers differ', () => {
	beforeAll(async () => (engine = await createEngine()));
	afterAll(async () => await engine.close());

	const namesOf = async (given: string, readers: typeof parsers) => {
		const items = [withFile('document.pdf', given)];
		const raw = await bytesOf({ parameters: file('document', 'send'), items });
		const entries = Object.entries(readers).map(async ([name, parser]) => {
			return [name, namesIn(await parse(raw, parser)).join()];
		});
		return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
	};

	it('the parsers busboy and multer read a UTF-8 name as Latin-1 unless configured otherwise', async () => {
		const garbled = 'Ã¼.pdf';

		expect(await namesOf('ü.pdf', latin1Parsers)).toEqual({ busboy: garbled, multer: garbled });
	});

	it('some parsers decode an escaped quote in a name', async () => {
		expect(await namesOf('100%2522.pdf', parsers)).toEqual({
			busboy: '100%22.pdf',
			multer: '100".pdf',
			'@fastify/multipart': '100%22.pdf',
			formidable: '100".pdf',
			multiparty: '100".pdf',
			'Response.formData': '100".pdf',
		});
	});
});
