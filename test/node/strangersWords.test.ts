import type { INodeParameters } from 'n8n-workflow';
import type { ItemInput, Run, RunOptions } from '../support/engine/engine';
import {
	bulk,
	file,
	groupText,
	NUMBER,
	sample,
	text,
	TO_ERROR_OUTPUT,
	useHarness,
	withFile,
	withServer,
} from '../support/harness';

const harness = useHarness();

/** What n8n's editor would show as a link, an image and formatted text. */
const HOSTILE =
	'<a href="https://evil.example/x">Sign in</a><img src="https://evil.example/p.png">&lt;b&gt; `c` [x](https://evil.example)';
const MARKUP = /<[a-z/!?]|&#?\w+;|\]\(/i;

/** Everything that the node says itself: not the gateway's answer, nor a text exactly as it would be sent. */
function wordsOf({ error, hints, output }: Run): string[] {
	const items = output.flat().map((each) => each?.json ?? {});
	const own = items.flatMap(({ error: failure, reason, to, status, message, file: name }) => [
		...Object.values(failure ?? {}).flat(),
		reason,
		...(status === undefined ? [] : [to, message, name]),
	]);
	const said = [error?.message, error?.description, ...hints.map(({ message }) => message), ...own];
	return said.filter((each) => typeof each === 'string');
}

const withOptions = (parameters: INodeParameters, options: object) =>
	({
		...parameters,
		options: { ...(parameters.options as object), ...options },
	}) as INodeParameters;

/** Resolves to what the node says of hostile words, with each kind of output and of errors. */
async function wordsFor(parameters: INodeParameters, items: ItemInput[]): Promise<string[]> {
	const ways: Array<[options: object, node: RunOptions['node']]> = [
		[{ maxRetries: 0 }, {}],
		[{ maxRetries: 0 }, TO_ERROR_OUTPUT],
		[{ maxRetries: 0, output: 'perRecipient' }, { onError: 'continueRegularOutput' }],
		[{ dryRun: true }, {}],
	];
	const said: string[] = [];
	for (const [options, node] of ways) {
		said.push(...wordsOf(await harness.run(withOptions(parameters, options), { items, node })));
	}
	return said;
}

const PHOTO = withFile('photo.jpg');
const named = (fileName: string, mimeType = 'image/jpeg') => ({
	json: {},
	binary: { data: { fileName, mimeType, content: sample('photo.jpg') } },
});

it.each<[string, INodeParameters, ItemInput]>([
	['a phone number', text({ phoneNumber: HOSTILE }), {}],
	[
		'a phone number in an expression',
		text({ phoneNumber: '={{ $json.a }}' }),
		{ json: { a: HOSTILE } },
	],
	['a list', bulk({ phoneNumbers: `${HOSTILE}\n${NUMBER}` }), {}],
	[
		'a list without its wrong numbers',
		bulk({ phoneNumbers: `${HOSTILE}\n${NUMBER}`, options: { invalidNumbers: 'skip' } }),
		{},
	],
	['an array in a list', bulk({ phoneNumbers: '={{ [[$json.a]] }}' }), { json: { a: HOSTILE } }],
	['a field of an item', bulk({ recipientSource: 'items' }), { json: { phone: HOSTILE } }],
	[
		'the name of a field',
		bulk({ recipientSource: 'items', phoneNumberField: HOSTILE }),
		{ json: { [HOSTILE]: 1 } },
	],
	['the fields of an item', bulk({ recipientSource: 'items' }), { json: { [HOSTILE]: 1 } }],
	['the name of a group', groupText({ groupId: `Class ${HOSTILE}` }), {}],
	['a long ID of a group', groupText({ groupId: HOSTILE.repeat(20) }), {}],
	['a file name', file('image', 'send'), named(`${HOSTILE}.exe`)],
	['a file name that is accepted', file('image', 'send'), named(`${HOSTILE}.jpg`)],
	['a chosen file name', file('image', 'send', { options: { fileName: HOSTILE } }), named('a.exe')],
	['a binary field', file('image', 'send', { binaryPropertyName: HOSTILE }), PHOTO],
	[
		'the binary fields of an item',
		file('image', 'send'),
		{ binary: { [HOSTILE]: { mimeType: 'image/jpeg', content: sample('photo.jpg') } } },
	],
	['a file URL', file('image', 'send', { fileSource: 'url', fileUrl: HOSTILE }), {}],
	[
		'a file URL to nowhere',
		file('image', 'send', { fileSource: 'url', fileUrl: `http://127.0.0.1:1/${HOSTILE}` }),
		{},
	],
	[
		'a country code',
		text({ phoneNumber: '0812345678', options: { defaultCountryCode: HOSTILE } }),
		{},
	],
	['an opt-out', text({ options: { skipNumbers: HOSTILE } }), {}],
	[
		'the expression of opt-outs',
		text({ options: { skipNumbers: `={{ $json['${HOSTILE.replaceAll('{', '')}'] }}` } }),
		{},
	],
	['a choice', text({ options: { doubtfulNumbers: HOSTILE } }), {}],
	['a dry run', text({ options: { dryRun: HOSTILE } }), {}],
	['an operation', text({ operation: HOSTILE }), {}],
	[
		'an expression that fails',
		text({ message: '={{ (() => { throw new Error($json.a) })() }}' }),
		{ json: { a: HOSTILE } },
	],
	[
		'a text that is JSON in an expression',
		text({ message: '={{ JSON.parse($json.a) }}' }),
		{ json: { a: HOSTILE } },
	],
	['a Send-Once Key', text({ options: { sendOnceKey: HOSTILE } }), {}],
])('the node never shows %s as HTML in hints, errors and rows', async (_, parameters, item) => {
	const said = await wordsFor(parameters, [item, item]);
	expect(said.length).toBeGreaterThan(0);
	expect(said.filter((words) => MARKUP.test(words))).toEqual([]);
});

it.each<[string, number, string | object, Record<string, string>]>([
	['a refusal', 422, { message: HOSTILE, errors: { [HOSTILE]: [HOSTILE] } }, {}],
	['an error', 500, HOSTILE, {}],
	['a page', 502, `<title>&lt;a href=x>${HOSTILE}</title>`, {}],
	['a code', 200, { code: HOSTILE, message: HOSTILE }, {}],
	['an accepted answer', 200, { code: 200, message: HOSTILE, data: { queue_id: '1' } }, {}],
	['a redirect', 302, '', { Location: `https://evil.example/${encodeURI(HOSTILE)}&lt;` }],
])("the node never shows the gateway's words in %s as HTML", async (_, status, body, headers) => {
	harness.gateway.misbehave({ respond: { status, body, headers } });
	const said = await wordsFor(text(), [{}, {}]);
	expect(said.filter((words) => MARKUP.test(words))).toEqual([]);
});

it('the node never shows the name that a server gives a file as HTML', async () => {
	await withServer(
		(_, response) => {
			const name = encodeURIComponent(`${HOSTILE}.exe`);
			response.setHeader('Content-Disposition', `attachment; filename*=UTF-8''${name}`);
			response.end('x');
		},
		async (url) => {
			const parameters = file('document', 'send', { fileSource: 'url', fileUrl: `${url}/a` });
			const said = await wordsFor(parameters, [{}]);
			expect(said.join()).toContain('evil.example');
			expect(said.filter((words) => MARKUP.test(words))).toEqual([]);
		},
	);
});
