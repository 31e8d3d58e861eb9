/** Every operation, read by PHP: by its built-in server, and behind nginx under a path of its own. */
import type { INodeParameters } from 'n8n-workflow';
import {
	bulk,
	errorOf,
	file,
	GOES_ON,
	groupText,
	jsonOf,
	NUMBER,
	sample,
	sha256,
	text,
	withFile,
} from '../behaviour/world';
import { createEngine, type Engine, type ItemInput } from '../engine/engine';
import { startWebServers, type SeenByPhp, type WebServers } from './webServers';

const TOKEN = 'token-of-the-test';
const DEVICE = 'device-7';
const TRICKY = 'Grüße & 100 % = “ok”?\n+1 😀 #tag';
const TEXT_FIELDS = { deviceid: DEVICE, message: TRICKY };
const LIST = [NUMBER, '081234567891'];

let servers: WebServers;
let engine: Engine;

beforeAll(async () => {
	servers = await startWebServers();
	engine = await createEngine({ binaryMode: 'filesystem' });
});

afterAll(async () => {
	await servers?.stop();
	await engine?.close();
});

async function sent(
	server: keyof WebServers['urls'],
	parameters: INodeParameters,
	item: ItemInput = {},
): Promise<SeenByPhp> {
	const baseUrl = servers.urls[server];
	const credential = { baseUrl, accessToken: TOKEN, deviceId: DEVICE };
	const run = await engine.run({ credential, parameters, items: [item], node: GOES_ON });
	expect(errorOf(run)).toBeUndefined();
	expect(jsonOf(run)).toEqual([{ code: 200, message: 'PHP has taken it' }]);
	const [seen, ...others] = servers.seen();
	expect(others).toEqual([]);
	return seen as SeenByPhp;
}

const fileSeen = (name: string, type: string, content: Buffer) => ({
	name,
	type,
	size: content.length,
	sha256: sha256(content),
});

describe.each(['php', 'buffered', 'streamed'] as const)('through %s', (server) => {
	it.each<[string, INodeParameters, Partial<SeenByPhp>]>([
		[
			'a text',
			text({ message: TRICKY }),
			{ path: '/api/v1/message/send', fields: { ...TEXT_FIELDS, number: NUMBER } },
		],
		[
			'a bulk text as JSON',
			bulk({ message: TRICKY, phoneNumbers: LIST }),
			{ path: '/api/v1/message/sendbulk', json: { ...TEXT_FIELDS, number: LIST } },
		],
		[
			'a bulk text as a form',
			bulk({ message: TRICKY, phoneNumbers: LIST, options: { bodyFormat: 'form' } }),
			{ path: '/api/v1/message/sendbulk', fields: { ...TEXT_FIELDS, number: LIST } },
		],
		[
			'a group text as JSON',
			groupText({ message: TRICKY, groupId: 'a b ü' }),
			{ path: '/api/v1/message/sendgroup/a%20b%20%C3%BC', json: TEXT_FIELDS },
		],
		[
			'a group text as a form',
			groupText({ message: TRICKY, options: { bodyFormat: 'form' } }),
			{ path: '/api/v1/message/sendgroup/team', fields: TEXT_FIELDS },
		],
	])('%s', async (_, parameters, expected) => {
		const seen = await sent(server, parameters);
		expect(seen).toMatchObject({ ...expected, authorization: `Bearer ${TOKEN}`, files: [] });
	});

	it('an image with a caption', async () => {
		const parameters = file('image', 'send', { caption: TRICKY });
		const seen = await sent(server, parameters, withFile('photo.jpg'));
		expect(seen).toMatchObject({
			path: '/api/v2/message/send-image',
			authorization: `Bearer ${TOKEN}`,
			files: { image: fileSeen('photo.jpg', 'image/jpeg', sample('photo.jpg')) },
		});
		expect(seen.fields).toEqual({ phone: NUMBER, caption: TRICKY });
	});

	it('an image to a group, without a caption', async () => {
		const seen = await sent(server, file('image', 'sendToGroup'), withFile('picture.png'));
		expect(seen.path).toBe('/api/v2/message/send-group-image');
		expect(seen.fields).toEqual({ phone: NUMBER, groupid: 'team' });
		expect(seen.files).toEqual({
			image: fileSeen('picture.png', 'image/png', sample('picture.png')),
		});
	});

	it.each([
		'My report (final).pdf',
		'Übersicht – 日本語 😀.pdf',
		'a;b=c,d.pdf',
		'100 % & more.pdf',
	])('a document with the name %s', async (name) => {
		const seen = await sent(server, file('document', 'send'), withFile('document.pdf', name));
		const content = sample('document.pdf');
		expect(seen.path).toBe('/api/v2/message/send-document');
		expect(seen.fields).toEqual({ phone: NUMBER });
		expect(seen.files).toEqual({ document: fileSeen(name, 'application/pdf', content) });
	});

	it('a document to a group, of 30 MB', async () => {
		const content = Buffer.alloc(30 * 1024 * 1024, 'gateway');
		const data = { fileName: 'large.pdf', mimeType: 'application/pdf', content };
		const seen = await sent(server, file('document', 'sendToGroup'), { binary: { data } });
		expect(seen.path).toBe('/api/v2/message/send-group-document');
		expect(seen.fields).toEqual({ phone: NUMBER, groupid: 'team' });
		expect(seen.files).toEqual({ document: fileSeen('large.pdf', 'application/pdf', content) });
	});
});
