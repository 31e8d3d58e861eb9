import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
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
	until,
	useHarness,
	withFile,
	withJson,
	withServer,
} from '../support/harness';

const harness = useHarness({ binaryMode: 'filesystem' });

const [message, request] = [
	() => harness.gateway.messages.at(-1),
	() => harness.gateway.requests.at(-1),
];
const PHOTO = { fileName: 'photo.jpg', mimeType: 'image/jpeg', content: sample('photo.jpg') };
const hintsOf = (run: Run) => run.hints.map((hint) => hint.message);
const recipients = () => harness.gateway.messages.flatMap((each) => each.recipients);
const sendFile = async (name: string, fileName?: string, parameters = file('document', 'send')) =>
	await harness.run(parameters, { items: [withFile(name, fileName)], node: CONTINUE_ON_FAIL });

/** Refused before any request, in these words. */
async function expectRefused(
	parameters: INodeParameters,
	items: ItemInput[] | undefined,
	what: string | RegExp,
	advice: RegExp = /./,
): Promise<void> {
	const run = await harness.run(parameters, { items });

	expect(run.status).toBe('error');
	expect(run.error?.name).toBe('NodeOperationError');
	if (typeof what === 'string') expect(run.error?.message).toBe(what);
	else expect(run.error?.message).toMatch(what);
	expect(run.error?.description).toMatch(/^Nothing was sent( for item 0 .*)?\. /);
	expect(run.error?.description).toMatch(advice);
	expect(run.error?.context?.itemIndex).toBe(0);
	expect(harness.requestCount).toBe(0);
}

describe('the seven operations', () => {
	const tricky = 'Grüße & 100 % = “ok”?\n+1 😀 #tag';
	const rows: Array<[string, INodeParameters, ItemInput, string, object]> = [
		[
			'text to a number',
			text({ message: tricky }),
			{},
			'/api/v1/message/send',
			{ endpoint: 'v1/send', recipients: [NUMBER], text: tricky, bodyFormat: 'form' },
		],
		[
			'bulk as JSON',
			bulk({ phoneNumbers: [1, 2].map(numberOf), message: tricky }),
			{},
			'/api/v1/message/sendbulk',
			{ recipients: [1, 2].map(numberOf), text: tricky, bodyFormat: 'json' },
		],
		[
			'bulk as a form',
			bulk({
				phoneNumbers: [1, 2].map(numberOf),
				message: tricky,
				options: { bodyFormat: 'form' },
			}),
			{},
			'/api/v1/message/sendbulk',
			{ recipients: [1, 2].map(numberOf), text: tricky, bodyFormat: 'form' },
		],
		[
			'text to a group as JSON',
			groupText({ groupId: '1/2 ?3', message: tricky }),
			{},
			'/api/v1/message/sendgroup/1%2F2%20%3F3',
			{ endpoint: 'v1/sendgroup', groupId: '1/2 ?3', text: tricky, bodyFormat: 'json' },
		],
		[
			'text to a group as a form',
			groupText({ message: tricky, options: { bodyFormat: 'form' } }),
			{},
			'/api/v1/message/sendgroup/team',
			{ groupId: 'team', text: tricky, bodyFormat: 'form' },
		],
		[
			'image to a number',
			file('image', 'send', { caption: tricky }),
			withFile('photo.jpg'),
			'/api/v2/message/send-image',
			{ endpoint: 'v2/send-image', recipients: [NUMBER], text: tricky, bodyFormat: 'multipart' },
		],
		[
			'image to a group',
			file('image', 'sendToGroup', { caption: tricky }),
			withFile('picture.png'),
			'/api/v2/message/send-group-image',
			{ recipients: [NUMBER], groupId: 'team', text: tricky },
		],
		[
			'document to a number',
			file('document', 'send'),
			withFile('document.pdf'),
			'/api/v2/message/send-document',
			{ endpoint: 'v2/send-document', recipients: [NUMBER] },
		],
		[
			'document to a group',
			file('document', 'sendToGroup'),
			withFile('sheet.xlsx'),
			'/api/v2/message/send-group-document',
			{ recipients: [NUMBER], groupId: 'team' },
		],
	];

	it.each(rows)('%s', async (_, parameters, item, path, fields) => {
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
		const summary = path.includes('sendbulk') ? ['2 recipients: 2 queued.'] : [];
		expect(hintsOf(run)).toEqual(summary);
	});

	it('leaves a caption out that is empty', async () => {
		await harness.run(file('image', 'send'), { items: [withFile('photo.jpg')] });

		expect(message()).not.toHaveProperty('text');
	});

	it('gives the envelope as it came', async () => {
		const body = { code: 200, message: 'queued', data: { queue_id: '1', x: null }, more: [1] };
		harness.gateway.misbehave({ respond: { status: 200, body } });

		expect(jsonOf(await harness.run(text()))).toEqual([body]);
	});

	it('keeps a path prefix, and ignores slashes at the end of the Base URL', async () => {
		const seen: string[] = [];
		await withServer(
			({ url = '' }, response) => {
				seen.push(url);
				response.end('{"code":200}');
			},
			async (url) => {
				for (const tail of ['', '/', '/tenant-7', '/tenant-7//']) {
					const credential = { ...harness.credential, baseUrl: ` ${url}${tail} ` };
					await harness.run(text(), { credential });
				}
			},
		);

		const path = '/api/v1/message/send';
		expect(seen).toEqual([path, path, `/tenant-7${path}`, `/tenant-7${path}`]);
	});
});

describe.each(['filesystem', 'default'] as const)('files in %s mode', (binaryMode) => {
	beforeAll(async () => {
		await harness.engine.close();
		harness.engine = await createEngine({ binaryMode });
	});

	it.each([
		['document.pdf', 'application/pdf'],
		['letter.doc', 'application/msword'],
		['letter.docx', expect.stringContaining('wordprocessingml')],
		['sheet.xls', 'application/vnd.ms-excel'],
		['sheet.xlsx', expect.stringContaining('spreadsheetml')],
		['slides.pptx', expect.stringContaining('presentationml')],
		['table.csv', 'text/csv'],
		['photo.jpg', 'image/jpeg'],
		['picture.png', 'image/png'],
	])('%s arrives whole', async (name, contentType) => {
		await sendFile(name);

		const bytes = sample(name);
		expect(message()?.file).toMatchObject({
			field: 'document',
			name,
			contentType,
			size: bytes.length,
			sha256: sha256(bytes),
		});
	});

	it('of 20 MB arrives whole', async () => {
		const content = Buffer.alloc(20 * 1024 * 1024, 'messaging');
		const item = { binary: { data: { fileName: 'a.pdf', mimeType: 'application/pdf', content } } };
		await harness.run(file('document', 'send'), { items: [item] });

		expect(message()?.file).toMatchObject({ size: content.length, sha256: sha256(content) });
	});

	it('that is empty is refused', async () => {
		const content = Buffer.alloc(0);
		const data = { fileName: 'a.pdf', mimeType: 'application/pdf', content };
		await expectRefused(
			file('document', 'send'),
			[{ binary: { data } }],
			'The file “a.pdf” is empty.',
			/Check the node that created it/,
		);
	});
});

describe('file names', () => {
	it.each([
		['My report (final) v1.2.pdf', 'My report (final) v1.2.pdf'],
		['Übersicht – 日本語 😀.pdf', 'Übersicht – 日本語 😀.pdf'],
		['say "hello".pdf', "say 'hello'.pdf"],
		['two\r\nlines.pdf', 'two lines.pdf'],
		['../../etc/passwd.pdf', expect.stringMatching(/passwd\.pdf$/)],
		['LOUD.PDF', 'LOUD.PDF'],
		['percent %22 %0d%0a.pdf', 'percent %22 %0d%0a.pdf'],
		[`${'x'.repeat(300)}.pdf`, expect.stringMatching(/^x{100,}\.pdf$/)],
	])('%j arrives readable', async (given, arrived) => {
		const run = await sendFile('document.pdf', given);

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(message()?.file).toMatchObject({
			name: arrived,
			sha256: sha256(sample('document.pdf')),
		});
		expect(message()?.recipients).toEqual([NUMBER]);
	});

	it.each([
		['document.pdf', 'scan', 'scan.pdf'],
		['photo.jpg', 'IMG_1', 'IMG_1.jpg'],
		['table.csv', 'rows', 'rows.csv'],
		['document.pdf', '', 'document.pdf'],
	])('%s named %j gets its ending from the MIME type', async (name, given, arrived) => {
		await sendFile(name, given);

		expect(message()?.file?.name).toBe(arrived);
	});

	it('can be set, for each item', async () => {
		const parameters = file('document', 'send', {
			options: { fileName: '=Invoice {{ $json.no }}.pdf', maxConcurrency: 1 },
		});
		const items = [1, 2].map((no) => ({ ...withFile('document.pdf'), json: { no } }));
		await harness.run(parameters, { items });

		const names = harness.gateway.messages.map((each) => each.file?.name);
		expect(names).toEqual(['Invoice 1.pdf', 'Invoice 2.pdf']);
	});
});

it('takes no part of a caption for a field, even of one who knows what Math.random gives', async () => {
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
		expect(message()).toMatchObject({ recipients: [NUMBER], text: caption });
	} finally {
		random.mockRestore();
	}
});

describe('refused before any request', () => {
	it.each<[string, INodeParameters, ItemInput[] | undefined, string | RegExp, RegExp]>([
		[
			'something that is not a number',
			text({ phoneNumber: 'abc' }),
			undefined,
			'“abc” is not a phone number.',
			/6 to 15 digits/,
		],
		[
			'a number that is too long',
			text({ phoneNumber: '1234567890123456' }),
			undefined,
			/“1234567890123456” is not/,
			/15 digits/,
		],
		[
			'a number that a spreadsheet shortened',
			text({ phoneNumber: '6,28123E+12' }),
			undefined,
			/your spreadsheet shortened it/,
			/Format the column as text/,
		],
		[
			'no number',
			text({ phoneNumber: '={{ $json.none }}' }),
			undefined,
			'The phone number is missing.',
			/Enter a number/,
		],
		[
			'a negative number',
			text({ phoneNumber: '={{ -6281234567890 }}' }),
			undefined,
			'“-6281234567890” begins with a minus sign.',
			/spreadsheet/,
		],
		[
			'a date for a number',
			text({ phoneNumber: '2026-11-21' }),
			undefined,
			'“2026-11-21” is a date, not a phone number.',
			/where the number comes from/,
		],
		[
			'an IP address for a number',
			text({ phoneNumber: '192.168.1.100' }),
			undefined,
			'“192.168.1.100” is an IP address, not a phone number.',
			/where the number comes from/,
		],
		['no message', text({ message: ' \n' }), undefined, 'The message is empty.', /'Message'/],
		[
			'an object for a message',
			text({ message: '={{ {a: 1} }}' }),
			undefined,
			/The message is an object/,
			/'Message': choose a single field/,
		],
		[
			'no group',
			groupText({ groupId: '={{ $json.none }}' }),
			undefined,
			'The contact group ID is empty.',
			/'Contact Group ID'/,
		],
		[
			'a group of dots',
			groupText({ groupId: '..' }),
			undefined,
			/“\.\.” is not a contact group ID/,
			/Copy/,
		],
		[
			'an empty list',
			bulk({ phoneNumbers: ' ,;\n' }),
			undefined,
			/list of phone numbers is empty/,
			/one number per line/,
		],
		[
			'a list with an entry that is not a number',
			bulk({ phoneNumbers: `${NUMBER}, 12x` }),
			undefined,
			/“12x” is not a phone number/,
			/digits/,
		],
		[
			'no field to take the number from',
			bulk({ recipientSource: 'items', phoneNumberField: 'tel' }),
			undefined,
			'The item has no field “tel”.',
			/Its fields are: \w+.* Enter one of them in 'Phone Number Field'/,
		],
		[
			'an invalid country code',
			text({ phoneNumber: '0812345678', options: { defaultCountryCode: 'ID' } }),
			undefined,
			/“ID” is not a country code/,
			/62/,
		],
		[
			'no file',
			file('image', 'send'),
			undefined,
			'The item has no file in “data”.',
			/no files at all.*'File From'/,
		],
		[
			'a file in another field',
			file('image', 'send', { binaryPropertyName: 'photo' }),
			[withFile('photo.jpg')],
			'The item has no file in “photo”.',
			/It has a file in “data”: enter that name in 'Input Binary Field'/,
		],
		[
			'a file in two other fields',
			file('image', 'send', { binaryPropertyName: 'photo' }),
			[{ binary: { front: PHOTO, back: PHOTO } }],
			'The item has no file in “photo”.',
			/front, back.*'Input Binary Field'/,
		],
		[
			'a document as an image',
			file('image', 'send'),
			[withFile('document.pdf')],
			'The gateway does not accept “document.pdf” as an image.',
			/choose the resource 'Document'/,
		],
		[
			'a program as a document',
			file('document', 'send'),
			[withFile('document.pdf', 'setup.exe')],
			'The gateway does not accept “setup.exe” as a document.',
			/\.pdf/,
		],
		[
			'an invalid address',
			file('image', 'send', { fileSource: 'url', fileUrl: 'photo.jpg' }),
			undefined,
			/“photo\.jpg” is not the address of a file/,
			/https:\/\//,
		],
		[
			'a local file',
			file('image', 'send', { fileSource: 'url', fileUrl: 'file:///etc/passwd' }),
			undefined,
			/is not the address/,
			/https/,
		],
	])('%s', async (_, parameters, items, what, advice) => {
		await expectRefused(parameters, items, what, advice);
	});

	it('no device: v1 needs one, v2 does not', async () => {
		const credential = { ...harness.credential, deviceId: '' };
		const run = await harness.run(text(), { credential });
		expect(run.error?.message).toBe('The Device ID is missing.');
		expect(harness.requestCount).toBe(0);

		await harness.run(text({ options: { deviceId: harness.gateway.deviceId } }), { credential });
		await harness.run(file('image', 'send'), { credential, items: [withFile('photo.jpg')] });
		expect(harness.gateway.messages).toHaveLength(2);
	});
});

it('a device that the gateway does not know leads to the credential', async () => {
	const run = await harness.run(text(), { credential: { ...harness.credential, deviceId: 'd' } });

	expect(run.error?.message).toContain('deviceid');
	expect(run.error?.description).toMatch(/^Nothing was sent.*Device ID in the credential/);
	expect(harness.gateway.messages).toEqual([]);
});

it('the option Device ID goes before the one of the credential', async () => {
	const credential = { ...harness.credential, deviceId: 'another' };
	await harness.run(text({ options: { deviceId: harness.gateway.deviceId } }), { credential });

	expect(message()?.deviceId).toBe(harness.gateway.deviceId);
});

describe('phone numbers', () => {
	it.each<[unknown, string, object?]>([
		['+62 812-3456-7890', '6281234567890'],
		['0062 (812) 3456.7890', '6281234567890'],
		['\u202A+62\u00A0812\u20113456\u20117890\u202C', '6281234567890'],
		['081234567890', '081234567890'],
		['={{ 6281234567890 }}', '6281234567890'],
		['081234567890', '6281234567890', { defaultCountryCode: '62' }],
		['081234567890', '6281234567890', { defaultCountryCode: '+62' }],
		['+4915112345678', '4915112345678', { defaultCountryCode: '62' }],
		['+62 (0)812-3456-7890', '6281234567890'],
		['+62 (0)812-3456-7890', '6281234567890', { defaultCountryCode: '62' }],
		['6281234567890.0', '6281234567890'],
		['081234567890.00', '6281234567890', { defaultCountryCode: '62' }],
	])('%j arrives as %s', async (phoneNumber, arrived, options = {}) => {
		await harness.run(text({ phoneNumber, options }));

		expect(recipients()).toEqual([arrived]);
	});
});

describe('bulk', () => {
	const all = [1, 2, 3, 4, 5].map(numberOf);

	it.each([
		['lines', all.join('\n')],
		['commas', all.join(', ')],
		['semicolons', `${all.join(';')};`],
		['an expression that gives a list', `={{ ${JSON.stringify(all)} }}`],
		['numbers', `={{ [${all.join()}] }}`],
	])('takes a list with %s', async (_, phoneNumbers) => {
		await harness.run(bulk({ phoneNumbers }));

		expect(recipients()).toEqual(all);
		expect(harness.requestCount).toBe(1);
	});

	it.each([
		[2, 3],
		[0, 1],
		[5, 1],
		[1, 5],
	])('of five numbers with %i a request makes %i requests', async (numbersPerRequest, count) => {
		const run = await harness.run(bulk({ phoneNumbers: all, options: { numbersPerRequest } }));

		expect(harness.requestCount).toBe(count);
		expect(recipients()).toEqual(all);
		expect(jsonOf(run)).toHaveLength(count);
		expect(linksOf(run)).toEqual(Array(count).fill([0]));
	});

	it('makes two requests of 501 numbers by default', async () => {
		const phoneNumbers = Array.from({ length: 501 }, (_, i) => numberOf(i));
		await harness.run(bulk({ phoneNumbers }));

		expect(harness.gateway.messages.map((each) => each.recipients.length)).toEqual([500, 1]);
	});

	it('sends a text to a number once per run, however the number is written', async () => {
		const phoneNumbers = `+${all[0]}, ${all[0]}\n00${all[1]}; ${all[1]}`;
		const run = await harness.run(bulk({ phoneNumbers, options: { numbersPerRequest: 1 } }), {
			items: 2,
		});

		expect(recipients()).toEqual(all.slice(0, 2));
		expect(hintsOf(run)).toEqual([
			'8 recipients: 2 queued, 6 skipped.',
			expect.stringMatching(/^6 duplicate phone numbers skipped/),
		]);
		expect(new Set(linksOf(run).flat())).toEqual(new Set([0, 1]));
	});

	it('sends another text to the same number', async () => {
		await harness.run(bulk({ phoneNumbers: all, message: '={{ $json.index }}' }), { items: 2 });

		expect(recipients()).toEqual([...all, ...all]);
	});

	it('refuses a list with a wrong number, or leaves the wrong one out', async () => {
		const phoneNumbers = `${all[0]}, abc, ${all[1]}`;
		const refused = await harness.run(bulk({ phoneNumbers }));
		expect(refused.error?.message).toBe('“abc” is not a phone number.');
		expect(harness.requestCount).toBe(0);

		await harness.run(bulk({ phoneNumbers, options: { invalidNumbers: 'skip' } }));
		expect(recipients()).toEqual(all.slice(0, 2));
	});

	it('takes numbers from a path in the input items', async () => {
		const parameters = bulk({ recipientSource: 'items', phoneNumberField: 'who.tel[0]' });
		const items = withJson(...all.map((tel) => ({ who: { tel: [Number(tel)] } })));
		const run = await harness.run(parameters, { items });

		expect(recipients()).toEqual(all);
		expect(harness.requestCount).toBe(1);
		expectEachOnce(run, 5);
	});

	it('refuses an item without a number, and sends the others', async () => {
		const items = withJson(
			{ phone: all[0] as string },
			{ phone: 'none' },
			{ phone: all[1] as string },
		);
		const run = await harness.run(bulk({ recipientSource: 'items' }), {
			items,
			node: CONTINUE_ON_FAIL,
		});

		expectEachOnce(run, 3);
		expect(recipients()).toEqual(all.slice(0, 2));
		expect(linksOf(run)).toEqual([[0, 2], [1]]);
	});
});

describe('failures', () => {
	const parameters = text({
		phoneNumber: '={{ $json.phone }}',
		message: '={{ $json.say }}',
		options: { maxConcurrency: 1 },
	});
	const items = withJson(
		{ phone: numberOf(0), say: 'a' },
		{ phone: 'wrong', say: 'b' },
		{ phone: numberOf(2), say: 'c' },
		{ phone: numberOf(3), say: 'd' },
	);

	it('stop the node with the item, the words and the counts', async () => {
		const run = await harness.run(parameters, { items });

		expect(run.error?.name).toBe('NodeOperationError');
		expect(run.error?.message).toBe('“wrong” is not a phone number.');
		expect(run.error?.context?.itemIndex).toBe(1);
		expect(run.error?.description).toMatch(
			/^1 message was sent; 2 items were not tried\. This message was not sent\. .* Then use Retry/,
		);
		expect(harness.texts).toEqual(['a']);
	});

	it('with Continue On Fail become items, in order', async () => {
		const run = await harness.run(parameters, { items, node: CONTINUE_ON_FAIL });

		expect(linksOf(run)).toEqual([[0], [1], [2], [3]]);
		expect(jsonOf(run)[1]).toEqual({
			error: {
				message: '“wrong” is not a phone number.',
				description: expect.stringMatching(/^This message was not sent\./),
				outcome: 'notSent',
			},
		});
		expect(harness.texts).toEqual(['a', 'c', 'd']);
	});

	it.each([
		['of the item', "={{ $itemIndex === 0 ? $('Nope').item.json.id : 'k' + $itemIndex }}", true],
		['of all items', "={{ $('Nope').item.json.id }}", false],
	])('of an option whose expression fails come out as such: %s', async (_, sendOnceKey, goesOn) => {
		const node = goesOn ? CONTINUE_ON_FAIL : TO_ERROR_OUTPUT;
		const run = await harness.run(text({ options: { sendOnceKey } }), { items: 2, node });

		expect(harness.requestCount).toBe(goesOn ? 1 : 0);
		if (goesOn)
			expect(jsonOf(run)).toMatchObject([{ error: { outcome: 'notSent' } }, { code: 200 }]);
		else expect(run.output.map((each) => each.length)).toEqual([0, 2]);
	});

	it('of an option of the whole run are those of each item', async () => {
		const batching = { batch: { batchSize: "={{ $('Nope').item.json.id }}" } };
		const options = { batching };
		const run = await harness.run(text({ options }), { items: 2, node: CONTINUE_ON_FAIL });

		expect(harness.requestCount).toBe(0);
		expect(jsonOf(run)).toMatchObject([
			{ error: { outcome: 'notSent' } },
			{ error: { outcome: 'notSent' } },
		]);
	});

	it('go to the error output with the fields of their input', async () => {
		const run = await harness.run(parameters, { items, node: TO_ERROR_OUTPUT });

		expect(run.output[0]).toHaveLength(3);
		expect(run.output[1]?.map(({ json }) => json)).toEqual([
			{ phone: 'wrong', say: 'b', error: expect.objectContaining({ outcome: 'notSent' }) },
		]);
		expectEachOnce(run, 4);
	});

	it('wait for what is under way, and throw the first of them', async () => {
		harness.gateway.misbehave({ recipient: numberOf(0), latency: 150, respond: { status: 400 } });
		harness.gateway.misbehave({ recipient: numberOf(2), respond: { status: 422 } });
		harness.gateway.misbehave({ recipient: numberOf(3), latency: 100 });
		const run = await harness.run(
			{ ...parameters, options: { maxConcurrency: 3 } },
			{
				items: items.filter((_, index) => index !== 1),
			},
		);

		expect(run.error?.context?.itemIndex).toBe(0);
		expect((run.error as { httpCode?: string }).httpCode).toBe('400');
		expect(run.error?.description).toMatch(/^1 message was sent\. This message was not sent\./);
		expect(harness.texts).toEqual(['d']);
	});

	it('of a missing credential say so', async () => {
		const run = await harness.run(text(), { node: { credentials: undefined } });

		expect(run.status).toBe('error');
		expect(harness.requestCount).toBe(0);
	});
});

describe('a file from an address', () => {
	const PDF = sample('document.pdf');
	type Handler = (request: IncomingMessage, response: ServerResponse, url: string) => void;
	const fromUrl = async (
		handle: Handler,
		path = '/a.pdf',
		more: object = {},
		afterwards = async () => {},
	) => {
		const seen: IncomingMessage[] = [];
		let base = '';
		const run = await withServer(
			(incoming, response) => {
				seen.push(incoming);
				handle(incoming, response, base);
			},
			async (url) => {
				base = url;
				const parameters = { fileSource: 'url', fileUrl: url + path, ...more };
				const sent = await harness.run(file('document', 'send', parameters), {
					node: CONTINUE_ON_FAIL,
				});
				await afterwards();
				return sent;
			},
		);
		return { run, seen };
	};
	const expectPdf = (name: string) =>
		expect(message()?.file).toMatchObject({ name, size: PDF.length, sha256: sha256(PDF) });

	it('travels with its length, and is asked for without the token', async () => {
		const { seen } = await fromUrl((_request, response) => response.end(PDF));

		expectPdf('a.pdf');
		expect(seen).toHaveLength(1);
		expect(JSON.stringify(seen[0]?.headers)).not.toContain(harness.gateway.token);
		expect(seen[0]?.headers.authorization).toBeUndefined();
		expect(request()?.headers['content-length']).toMatch(/^\d+$/);
		expect(request()?.headers['transfer-encoding']).toBeUndefined();
	});

	it.each(['default', 'filesystem'] as const)('without a length arrives too (%s)', async (mode) => {
		await harness.engine.close();
		harness.engine = await createEngine({ binaryMode: mode });
		await fromUrl((_request, response) => {
			response.write(PDF.subarray(0, 5_000));
			setTimeout(() => response.end(PDF.subarray(5_000)), 20);
		});

		expectPdf('a.pdf');
		expect(request()?.headers['content-length']).toMatch(/^\d+$/);
	});

	it('without a length or an end is closed', async () => {
		let isOpen = true;
		const { run } = await fromUrl(
			(_request, response) => {
				const chunk = Buffer.alloc(1024 * 1024);
				const pour = () => {
					while (isOpen && response.write(chunk));
				};
				response.on('drain', pour).on('close', () => (isOpen = false));
				pour();
			},
			'/a.pdf',
			{},
			async () => await until(() => !isOpen),
		);

		expect(errorOf(run).message).toMatch(
			/does not announce its length, and the file is larger than 64 MB/,
		);
		expect(harness.requestCount).toBe(0);
	});

	it('that stops halfway is not waited for longer than the timeout', async () => {
		const { run } = await fromUrl(
			(_request, response) => void response.write(PDF.subarray(0, 5_000)),
			'/a.pdf',
			{ options: { timeout: 300 } },
		);

		expect(errorOf(run)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('its server stopped, or took too long'),
		});
		expect(harness.requestCount).toBe(0);
	});

	it('behind a redirect arrives, from there too without the token', async () => {
		const { seen } = await fromUrl((incoming, response, url) => {
			if (incoming.url === '/b.pdf') response.end(PDF);
			else response.writeHead(302, { Location: `${url}/b.pdf` }).end();
		});

		expect(message()?.file?.sha256).toBe(sha256(PDF));
		expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
	});

	it.each([
		['the address', '/My%20file.pdf?token=1', {}, {}, 'My file.pdf'],
		[
			'the header',
			'/get',
			{ 'Content-Disposition': 'attachment; filename="r 1.pdf"' },
			{},
			'r 1.pdf',
		],
		[
			'the header in UTF-8',
			'/get',
			{ 'Content-Disposition': "attachment; filename=x.pdf; filename*=UTF-8''%C3%BC.pdf" },
			{},
			'ü.pdf',
		],
		['the MIME type', '/get', { 'Content-Type': 'application/pdf' }, {}, 'get.pdf'],
		['the option', '/a.pdf', {}, { options: { fileName: 'mine.pdf' } }, 'mine.pdf'],
	])('is named after %s', async (_, path, headers, more, name) => {
		await fromUrl((_request, response) => response.writeHead(200, headers).end(PDF), path, more);

		expect(message()?.file).toMatchObject({ name, sha256: sha256(PDF) });
	});

	it.each([
		['an SVG', '/logo.svg', 'image/svg+xml', 200, '<svg onload="alert(1)"/>'],
		['a page', '/page', 'text/html', 200, '<html></html>'],
		['a page named after nothing', '/', 'text/html', 200, '<html></html>'],
		['nothing', '/a.pdf', 'application/pdf', 200, ''],
		['404', '/a.pdf', 'text/html', 404, 'gone'],
		['500', '/a.pdf', 'text/html', 500, 'gone'],
	])('is refused where it is %s', async (_, path, type, status, body) => {
		const { run } = await fromUrl(
			(_request, response) => response.writeHead(status, { 'Content-Type': type }).end(body),
			path,
		);

		expect(errorOf(run)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/file|document/),
		});
		expect(harness.requestCount).toBe(0);
	});

	it('that breaks off is not claimed to be sent', async () => {
		const { run } = await fromUrl((_request, response) => {
			response.writeHead(200, { 'Content-Length': PDF.length });
			response.write(PDF.subarray(0, 5_000), () => response.destroy());
		});

		expect(errorOf(run).message).toBe('The file transfer to the gateway was interrupted.');
		expect(harness.gateway.messages).toHaveLength(0);
	});

	it('of a server that falls silent is closed after the timeout', async () => {
		const behave: Parameters<typeof fromUrl>[0] = (_request, response) => {
			response.writeHead(200, { 'Content-Length': PDF.length }).write(PDF.subarray(0, 5_000));
		};
		const { run } = await fromUrl(behave, '/a.pdf', { options: { timeout: 500 } });

		expect(errorOf(run).outcome).toBe('uncertain');
		expect(harness.gateway.messages).toHaveLength(0);
	});

	it('that its server has packed is not sent cut off, as n8n unpacks it', async () => {
		const packed = gzipSync('a,b\n'.repeat(1_000));
		const { run } = await fromUrl((_request, response) => {
			const headers = { 'Content-Encoding': 'gzip', 'Content-Length': packed.length };
			response.writeHead(200, headers).end(packed);
		}, '/a.csv');

		expect(errorOf(run)).toMatchObject({
			outcome: 'uncertain',
			message: 'The file is longer than its server announced.',
		});
		expect(harness.gateway.messages).toHaveLength(0);
	});

	it('does not show what is secret in its address', async () => {
		const { run } = await fromUrl(
			(_request, response) => response.writeHead(403).end(),
			'/a.pdf?signature=hush',
		);

		expect(errorOf(run).message).toContain('/a.pdf” could not be downloaded (status 403)');
		expect(JSON.stringify(run.output)).not.toContain('hush');
	});
});
