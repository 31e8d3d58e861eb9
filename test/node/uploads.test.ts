/** The bytes of each upload, read by undici, the parser that comes with Node.js. The practice gateway has another one. */
import { createEngine, type Engine } from '../support/engine/engine';
import { DEVICE, files, TOKEN, type Send } from '../support/everySend';
import { jsonOf, sha256 } from '../support/harness';
import { startRawServer, type RawServer } from '../support/rawServer';

let server: RawServer;
let engine: Engine;

beforeAll(async () => (server = await startRawServer()));
afterAll(async () => await server.close());

/** Resolves to the parts of a request, in their order. */
async function partsIn(raw: Buffer): Promise<Array<[field: string, value: unknown]>> {
	const end = raw.indexOf('\r\n\r\n');
	const [, type = ''] = /^content-type: (.*)$/im.exec(raw.subarray(0, end).toString()) ?? [];
	const body = new Uint8Array(raw.subarray(end + 4));
	const form = await new Response(body, { headers: { 'Content-Type': type } }).formData();
	const parts = [...form].map(async ([field, value]): Promise<[string, unknown]> => {
		if (typeof value === 'string') return [field, value];
		const bytes = Buffer.from(await value.arrayBuffer());
		return [field, { name: value.name, type: value.type, size: value.size, sha256: sha256(bytes) }];
	});
	return await Promise.all(parts);
}

async function sent({ parameters, items }: Send): Promise<Buffer> {
	server.requests.length = 0;
	const credential = { baseUrl: server.baseUrl, accessToken: TOKEN, deviceId: DEVICE };
	const run = await engine.run({ parameters, items, credential });
	expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
	expect(server.requests).toHaveLength(1);
	return server.requests[0] as Buffer;
}

describe.each(['default', 'filesystem'] as const)('from files in %s mode', (binaryMode) => {
	beforeAll(async () => (engine = await createEngine({ binaryMode })));
	afterAll(async () => await engine.close());

	it.each(Object.entries(files))('a parser reads what was sent: %s', async (_, send) => {
		expect(await partsIn(await sent(send))).toEqual(
			Object.entries({ ...send.fields, ...send.files }),
		);
	});
});
