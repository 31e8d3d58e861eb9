/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** The files of messages, as the outbox hands them out: opened only where that is safe. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../index';

const FILES = join(__dirname, '../../test/support/files');
const PAGE = Buffer.from('<script>alert(document.domain)</script>');

let gateway: Gateway;

beforeEach(async () => {
	gateway = await startGateway({ keepFiles: 'bytes' });
});

afterEach(async () => await gateway.close());

/** Sends a document, and gives what the outbox answers when its file is opened. */
async function opened(name: string, bytes: Buffer): Promise<Response> {
	const form = new FormData();
	form.set('phone', '6281234567890');
	form.set('document', new Blob([new Uint8Array(bytes)]), name);
	const sent = await fetch(`${gateway.baseUrl}/api/v2/message/send-document`, {
		method: 'POST',
		headers: { authorization: `Bearer ${gateway.token}` },
		body: form,
	});
	expect(sent.status).toBe(200);
	return await fetch(`${gateway.baseUrl}/outbox/files/${gateway.messages.at(-1)?.queueId}`);
}

const sample = (name: string) => readFileSync(join(FILES, name));
const dispositionOf = ({ headers }: Response) => headers.get('content-disposition') ?? '';

test.each([
	['photo.jpg', 'image/jpeg'],
	['picture.png', 'image/png'],
	['document.pdf', 'application/pdf'],
])('the file %s comes back byte for byte, to be opened', async (name, type) => {
	const answer = await opened(name, sample(name));
	expect(answer.headers.get('content-type')).toBe(type);
	expect(dispositionOf(answer)).toMatch(/^inline;/);
	expect(Buffer.from(await answer.arrayBuffer()).equals(sample(name))).toBe(true);
});

test.each([
	['a table', 'table.csv', sample('table.csv')],
	['an Office file', 'sheet.xlsx', sample('sheet.xlsx')],
	['a page that is called a PDF', 'invoice.pdf', PAGE],
	['a page that is called a picture', 'picture.png', PAGE],
])('the outbox lets %s be saved, not opened', async (_what, name, bytes) => {
	const answer = await opened(name, bytes);
	expect(answer.headers.get('content-type')).toBe('application/octet-stream');
	expect(dispositionOf(answer)).toMatch(/^attachment;/);
});

test('every file is sandboxed, and its type is not guessed', async () => {
	for (const name of ['photo.jpg', 'document.pdf', 'table.csv']) {
		const { headers } = await opened(name, sample(name));
		expect(headers.get('x-content-type-options')).toBe('nosniff');
		expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
	}
});

test('a name that could end the header, or has other letters, travels as it is', async () => {
	const name = "Rechnung März ' ; filename=evil.html (1).pdf";
	const disposition = dispositionOf(await opened(name, sample('document.pdf')));
	const [, encoded = ''] = /^inline; filename\*=UTF-8''([\w%.~-]+)$/.exec(disposition) ?? [];
	expect(decodeURIComponent(encoded)).toBe(name);
});

test('a message that is unknown or was cleared has no file', async () => {
	const { url } = await opened('document.pdf', sample('document.pdf'));
	gateway.clear();
	for (const address of [url, `${gateway.baseUrl}/outbox/files/1`]) {
		const answer = await fetch(address);
		expect(answer.status).toBe(404);
		expect(await answer.text()).toContain('does not keep this file');
	}
});
