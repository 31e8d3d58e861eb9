/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { createEngine, type ItemInput, type Run } from '../support/engine/engine';
import {
	bulk,
	errorOf,
	expectEachOnce,
	file,
	CONTINUE_ON_FAIL,
	groupText,
	jsonOf,
	linksOf,
	NUMBER,
	numberOf,
	sample,
	sha256,
	text,
	TO_ERROR_OUTPUT,
	useHarness,
	withFile,
	withJson,
	withServer,
} from '../support/harness';

const harness = useHarness({ binaryMode: 'filesystem' });

const message = () => harness.gateway.messages.at(-1);
const request = () => harness.gateway.requests.at(-1);
const hintsOf = (run: Run) => run.hints.map((hint) => hint.message);
const recipients = () => harness.gateway.messages.flatMap((each) => each.recipients);

const TRICKY = 'Grüße & 100 % = “ok”?\n+1 😀 #tag';
const operations: Array<[string, INodeParameters, ItemInput, string, object]> = [
	[
		'a text to a number',
		text({ message: TRICKY }),
		{},
		'/api/v1/message/send',
		{ endpoint: 'v1/send', recipients: [NUMBER], text: TRICKY, bodyFormat: 'form' },
	],
	[
		'a list as JSON',
		bulk({ phoneNumbers: [1, 2].map(numberOf), message: TRICKY }),
		{},
		'/api/v1/message/sendbulk',
		{ recipients: [1, 2].map(numberOf), text: TRICKY, bodyFormat: 'json' },
	],
	[
		'a list as a form',
		bulk({
			phoneNumbers: [1, 2].map(numberOf),
			message: TRICKY,
			options: { bodyFormat: 'form' },
		}),
		{},
		'/api/v1/message/sendbulk',
		{ recipients: [1, 2].map(numberOf), text: TRICKY, bodyFormat: 'form' },
	],
	[
		'a text to a group as JSON',
		groupText({ groupId: '1/2 ?3', message: TRICKY }),
		{},
		'/api/v1/message/sendgroup/1%2F2%20%3F3',
		{ endpoint: 'v1/sendgroup', groupId: '1/2 ?3', text: TRICKY, bodyFormat: 'json' },
	],
	[
		'a text to a group as a form',
		groupText({ message: TRICKY, options: { bodyFormat: 'form' } }),
		{},
		'/api/v1/message/sendgroup/team',
		{ groupId: 'team', text: TRICKY, bodyFormat: 'form' },
	],
	[
		'an image to a number',
		file('image', 'send', { caption: TRICKY }),
		withFile('photo.jpg'),
		'/api/v2/message/send-image',
		{ endpoint: 'v2/send-image', recipients: [NUMBER], text: TRICKY, bodyFormat: 'multipart' },
	],
	[
		'an image to a group',
		file('image', 'sendToGroup', { caption: TRICKY }),
		withFile('picture.png'),
		'/api/v2/message/send-group-image',
		{ recipients: [NUMBER], groupId: 'team', text: TRICKY },
	],
	[
		'a document to a number',
		file('document', 'send'),
		withFile('document.pdf'),
		'/api/v2/message/send-document',
		{ endpoint: 'v2/send-document', recipients: [NUMBER] },
	],
	[
		'a document to a group',
		file('document', 'sendToGroup'),
		withFile('sheet.xlsx'),
		'/api/v2/message/send-group-document',
		{ recipients: [NUMBER], groupId: 'team' },
	],
];

it.each(operations)('the node sends %s', async (_, parameters, item, path, fields) => {
	const run = await harness.run(parameters, { items: [item] });

	expect(run.error).toBeUndefined();
	expect(message()).toMatchObject(fields);
	expect(request()).toMatchObject({ method: 'POST', url: path, status: 200 });
	const { headers = {} } = request() ?? {};
	expect(headers).toMatchObject({
		authorization: `Bearer ${harness.gateway.token}`,
		accept: 'application/json',
		'content-length': expect.stringMatching(/^\d+$/),
	});
	expect(headers['transfer-encoding']).toBeUndefined();
	expect(message()?.deviceId).toBe(path.includes('v1') ? harness.gateway.deviceId : undefined);
	expect(jsonOf(run)).toMatchObject([{ code: 200, message: expect.any(String) }]);
	expect(run.output[0]?.[0]?.pairedItem).toEqual({ item: 0 });
	const country = /^\d recipients?: \d queued\. By country: \d Indonesia\./;
	const summary = path.includes('group') ? [] : [expect.stringMatching(country)];
	expect(hintsOf(run)).toEqual(summary);
});

it.each(['filesystem', 'default'] as const)(
	'the node sends a file of 20 MB whole (%s mode)',
	async (binaryMode) => {
		await harness.engine.close();
		harness.engine = await createEngine({ binaryMode });
		const content = Buffer.alloc(20 * 1024 * 1024, 'messaging').fill('%PDF-1.7', 0, 8);
		const item = { binary: { data: { fileName: 'a.pdf', mimeType: 'application/pdf', content } } };
		await harness.run(file('document', 'send'), { items: [item] });

		expect(message()?.file).toMatchObject({ size: content.length, sha256: sha256(content) });
	},
);

it('the node gives each file the name that the option has for its item', async () => {
	const parameters = file('document', 'send', {
		options: { fileName: '=Invoice {{ $json.no }}.pdf', maxConcurrency: 1 },
	});
	const items = [1, 2].map((no) => ({ ...withFile('document.pdf'), json: { no } }));
	await harness.run(parameters, { items });

	const names = harness.gateway.messages.map((each) => each.file?.name);
	expect(names).toEqual(['Invoice 1.pdf', 'Invoice 2.pdf']);
});

it('the node takes no part of a caption for a field, even of one who knows what Math.random gives', async () => {
	const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
	let boundary: string | undefined;
	const listener = (asked: IncomingMessage, answer: ServerResponse) => {
		boundary = /boundary=(.+)$/.exec(asked.headers['content-type'] ?? '')?.[1];
		asked.resume().on('end', () => answer.end('{"code":200}'));
	};
	const items = [withFile('photo.jpg')];
	try {
		await withServer(listener, async (baseUrl) => {
			const credential = { ...harness.credential, baseUrl };
			await harness.run(file('image', 'send'), { items, credential });
		});
		const caption = `x\r\n--${boundary}\r\ncontent-disposition: form-data; name="groupid"\r\n\r\n1`;
		await harness.run(file('image', 'send', { caption }), { items });

		expect(boundary).toMatch(/^[0-9a-f-]{36}$/);
		expect(message()).toMatchObject({ recipients: [NUMBER], text: caption.replaceAll('\r', '') });
	} finally {
		random.mockRestore();
	}
});

it.each<[string, INodeParameters, string]>([
	['a number', text({ phoneNumber: 'abc' }), '“abc” is not a phone number.'],
	['a list', bulk({ phoneNumbers: `${NUMBER}, 12x` }), '“12x” is not a phone number.'],
	['a group', groupText({ groupId: '..' }), '“..” is not a contact group ID.'],
	['a file', file('image', 'send'), 'The item has no file in “data”.'],
])('wrong input is refused before any request, and named: %s', async (_, parameters, what) => {
	const run = await harness.run(parameters);

	expect(run.status).toBe('error');
	expect(run.error?.name).toBe('NodeOperationError');
	expect(run.error?.message).toBe(what);
	expect(run.error?.description).toMatch(/^Nothing was (sent|queued)( for item 0 .*)?\. /);
	expect(harness.requestCount).toBe(0);
});

it('the node needs a device for a text, and none for a file', async () => {
	const credential = { ...harness.credential, deviceId: '' };
	const run = await harness.run(text(), { credential });
	expect(run.error?.message).toBe('The Device ID is missing.');
	expect(harness.requestCount).toBe(0);

	await harness.run(text({ options: { deviceId: harness.gateway.deviceId } }), { credential });
	await harness.run(file('image', 'send'), { credential, items: [withFile('photo.jpg')] });
	expect(harness.gateway.messages).toHaveLength(2);
});

const ALL = [1, 2, 3, 4, 5].map(numberOf);

it('the node sends a text to a number once per run, however the number is written', async () => {
	const phoneNumbers = `+${ALL[0]}, ${ALL[0]}\n00${ALL[1]}; ${ALL[1]}`;
	const run = await harness.run(bulk({ phoneNumbers, options: { numbersPerRequest: 1 } }), {
		items: 2,
	});

	expect(recipients()).toEqual(ALL.slice(0, 2));
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(
			/^5 messages to 2 numbers: 2 queued, 3 skipped\. By country: 2 Indonesia\./,
		),
		expect.stringMatching(/^3 duplicate phone numbers skipped/),
	]);
	expect(new Set(linksOf(run).flat())).toEqual(new Set([0, 1]));
});

it('the node takes the numbers of a bulk send from a path in the input items', async () => {
	const parameters = bulk({ recipientSource: 'items', phoneNumberField: 'who.tel[0]' });
	const items = withJson(...ALL.map((tel) => ({ who: { tel: [Number(tel)] } })));
	const run = await harness.run(parameters, { items });

	expect(recipients()).toEqual(ALL);
	expect(harness.requestCount).toBe(1);
	expectEachOnce(run, 5);
});

it('the node refuses an item of a bulk send without a number, and sends to the others', async () => {
	const items = withJson(...[ALL[0], 'none', ALL[1]].map((phone) => ({ phone: phone as string })));
	const run = await harness.run(bulk({ recipientSource: 'items' }), {
		items,
		node: CONTINUE_ON_FAIL,
	});

	expectEachOnce(run, 3);
	expect(recipients()).toEqual(ALL.slice(0, 2));
	expect(linksOf(run)).toEqual([[0, 2], [1]]);
});

const EACH = text({
	phoneNumber: '={{ $json.phone }}',
	message: '={{ $json.say }}',
	options: { maxConcurrency: 1 },
});
const PEOPLE = withJson(
	{ phone: numberOf(0), say: 'a' },
	{ phone: 'wrong', say: 'b' },
	{ phone: numberOf(2), say: 'c' },
	{ phone: numberOf(3), say: 'd' },
);

it('the node stops at a wrong item, names it, and counts what was sent and what was not tried', async () => {
	const run = await harness.run(EACH, { items: PEOPLE });

	expect(run.error?.name).toBe('NodeOperationError');
	expect(run.error?.message).toBe('Item 2: “wrong” is not a phone number.');
	expect(run.error?.message).toMatch(/^Item 2: /);
	expect(run.error?.description).toMatch(
		/^1 message is queued; 2 items were not tried\. .* Then save, and retry: Executions → /,
	);
	expect(harness.texts).toEqual(['a']);
});

it('the node gives an error in the place of a wrong item with Continue On Fail', async () => {
	const run = await harness.run(EACH, { items: PEOPLE, node: CONTINUE_ON_FAIL });

	expect(linksOf(run)).toEqual([[0], [1], [2], [3]]);
	expect(jsonOf(run)[1]).toEqual({
		error: {
			message: '“wrong” is not a phone number.',
			description: expect.stringMatching(/^This message was not queued\./),
			outcome: 'notSent',
		},
	});
	expect(harness.texts).toEqual(['a', 'c', 'd']);
});

it('the node says where its recipients live, if in several countries, and nothing of groups', async () => {
	const to = '={{ $json.to }}';
	const items = withJson({ to: '34612345678' }, { to: '6281234567890' }, { to: '6281234567891' });
	expect(hintsOf(await harness.run(text({ phoneNumber: to }), { items }))).toEqual([
		"3 recipients: 3 queued. By country: 2 Indonesia, 1 Spain. 3 numbers have no +: if a country is wrong, set 'Default Country Code'.",
	]);
	expect(hintsOf(await harness.run(groupText({ groupId: to }), { items }))).toEqual([
		'3 recipients: 3 queued.',
	]);
});

it('a dry run says that a real run would stop at a refused item, unless it would not', async () => {
	const dryRun = { ...EACH, options: { dryRun: true } };
	const hints = async (node?: object) =>
		hintsOf(await harness.run(dryRun as INodeParameters, { items: PEOPLE, node })).join(' ');
	expect(await hints()).toContain('A real run stops at the first refused item');
	expect(await hints(CONTINUE_ON_FAIL)).not.toContain('A real run stops');
	expect(hintsOf(await harness.run(EACH, { items: PEOPLE })).join(' ')).not.toContain('A real run');
});

it('the node names the execution to retry, and says if it is the one of a sub-workflow', async () => {
	const description = async (mode: 'integrated' | 'trigger') =>
		(await harness.run(EACH, { items: PEOPLE, mode })).error?.description;
	expect(await description('integrated')).toContain('of this sub-workflow (ID');
	expect(await description('trigger')).not.toContain('sub-workflow');
});

it.each([
	['the item', "={{ $itemIndex === 0 ? $('Nope').item.json.id : 'k' + $itemIndex }}", true],
	['all items', "={{ $('Nope').item.json.id }}", false],
])('an expression that fails makes the node refuse %s', async (_, sendOnceKey, goesOn) => {
	const node = goesOn ? CONTINUE_ON_FAIL : TO_ERROR_OUTPUT;
	const run = await harness.run(text({ options: { sendOnceKey } }), { items: 2, node });

	expect(harness.requestCount).toBe(goesOn ? 1 : 0);
	if (goesOn) expect(jsonOf(run)).toMatchObject([{ error: { outcome: 'notSent' } }, { code: 200 }]);
	else expect(run.output.map((each) => each.length)).toEqual([0, 2]);
});

it('the node refuses every item if the expression of an option of the whole run fails', async () => {
	const batching = { batch: { batchSize: "={{ $('Nope').item.json.id }}" } };
	const options = { batching };
	const run = await harness.run(text({ options }), { items: 2, node: CONTINUE_ON_FAIL });

	expect(harness.requestCount).toBe(0);
	expect(jsonOf(run)).toMatchObject([
		{ error: { outcome: 'notSent' } },
		{ error: { outcome: 'notSent' } },
	]);
});

it('the node gives a wrong item to the error output, with the fields of its input', async () => {
	const run = await harness.run(EACH, { items: PEOPLE, node: TO_ERROR_OUTPUT });

	expect(run.output[0]).toHaveLength(3);
	expect(run.output[1]?.map(({ json }) => json)).toEqual([
		{ phone: 'wrong', say: 'b', error: expect.objectContaining({ outcome: 'notSent' }) },
	]);
	expectEachOnce(run, 4);
});

it('the node waits for what is under way when it stops, and names the first item that failed', async () => {
	harness.gateway.misbehave({ recipient: numberOf(0), latency: 150, respond: { status: 400 } });
	harness.gateway.misbehave({ recipient: numberOf(2), respond: { status: 422 } });
	harness.gateway.misbehave({ recipient: numberOf(3), latency: 100 });
	const run = await harness.run(
		{ ...EACH, options: { maxConcurrency: 3 } },
		{
			items: PEOPLE.filter((_, index) => index !== 1),
		},
	);

	expect((run.error as { httpCode?: string }).httpCode).toBe('400');
	expect(run.error?.description).toMatch(/^1 message is queued\. [A-Z]/);
	expect(harness.texts).toEqual(['d']);
});

it('the node sends nothing without a credential', async () => {
	const run = await harness.run(text(), { node: { credentials: undefined } });

	expect(run.status).toBe('error');
	expect(harness.requestCount).toBe(0);
});

const PDF = sample('document.pdf');
const fromUrl = async (
	handle: (request: IncomingMessage, response: ServerResponse) => void,
	path = '/a.pdf',
) =>
	await withServer(handle, async (url) => {
		const parameters = file('document', 'send', { fileSource: 'url', fileUrl: url + path });
		return await harness.run(parameters, { node: CONTINUE_ON_FAIL });
	});

it.each(['with', 'without'])(
	'the node sends a file from an address %s a length, and asks for it without the token',
	async (how) => {
		const seen: IncomingMessage[] = [];
		await fromUrl((incoming, response) => {
			seen.push(incoming);
			if (how === 'without') response.write(PDF.subarray(0, 5_000));
			response.end(how === 'without' ? PDF.subarray(5_000) : PDF);
		});

		const { size, sha256: hash } = { size: PDF.length, sha256: sha256(PDF) };
		expect(message()?.file).toMatchObject({ name: 'a.pdf', size, sha256: hash });
		expect(JSON.stringify(seen.map(({ headers }) => headers))).not.toContain(harness.gateway.token);
		expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
		expect(request()?.headers['content-length']).toMatch(/^\d+$/);
		expect(request()?.headers['transfer-encoding']).toBeUndefined();
	},
);

it.each([10_000, 15_000_000])(
	'the node does not send a file from an address that breaks off, of %i bytes',
	async (length) => {
		const run = await fromUrl((_request, response) => {
			response.writeHead(200, { 'Content-Length': length });
			response.write(Buffer.alloc(length / 2), () => response.destroy());
		});

		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('could not be downloaded: its server stopped'),
			outcome: 'notSent',
		});
		expect(harness.requestCount).toBe(0);
	},
);

it('the node does not show what is secret in the address of a file', async () => {
	const run = await fromUrl(
		(_request, response) => response.writeHead(403).end(),
		'/a.pdf?signature=hush',
	);

	expect(errorOf(run).message).toContain('/a.pdf” could not be downloaded (status 403)');
	expect(JSON.stringify(run.output)).not.toContain('hush');
});

// LibreOffice made them.
it.each([
	'document.pdf',
	'letter.doc',
	'letter.docx',
	'sheet.xls',
	'sheet.xlsx',
	'slides.pptx',
	'table.csv',
	'photo.jpg',
	'picture.png',
])(
	'a real file arrives byte for byte, from a binary field and from an address: %s',
	async (name) => {
		const content = sample(name);
		await harness.run(file('document', 'send'), { items: [withFile(name)] });
		await withServer(
			(_request, response) => response.end(content),
			async (url) =>
				await harness.run(
					file('document', 'send', { fileSource: 'url', fileUrl: `${url}/${name}` }),
				),
		);
		const sent = { name, size: content.length, sha256: sha256(content) };
		expect(harness.gateway.messages.map((each) => each.file)).toMatchObject([sent, sent]);
	},
);
