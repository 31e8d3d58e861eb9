import fc from 'fast-check';
import { toGroupId } from '../../../nodes/MessagingGateway/input/groupId';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { inputErrorOf } from '../../support/rooms';

const anyText = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary' }),
	fc.string({ unit: 'grapheme' }),
);
/** UTF-16 as a program may cut it, halves of characters included. */
const anyUnits = fc
	.array(fc.integer({ min: 0, max: 0xffff }))
	.map((units) => String.fromCharCode(...units));

const groupIdOf = (value: unknown) => toGroupId(value, 'chat group ID').id;

it.each(['Class 5B', 'Kelas\u00A05B', 'Ü 1', 'family ❤️'])('a group may be called %s', (value) => {
	expect(toGroupId(value, 'chat group ID')).toEqual({ id: value, looksLikeName: true });
});

it.each(['120363025246125016', '120363025246125016@g.us', 'team', ' team ', '1203 6302', '12-ab'])(
	'a group ID is not a name: %s',
	(value) => {
		expect(toGroupId(value, 'chat group ID').looksLikeName).toBe(false);
	},
);

it('a group ID is called by its kind', () => {
	expect(inputErrorOf(() => toGroupId('', 'contact group ID'))).toMatchObject({
		what: 'The contact group ID is empty',
		advice: expect.stringContaining("'Contact Group ID'"),
	});
});

it('a group ID is trimmed', () => {
	expect(groupIdOf(' 120363025246125016\n')).toBe('120363025246125016');
	expect(groupIdOf(12036302)).toBe('12036302');
});

it.each([
	'1.20363E+17',
	'1,20363e17',
	'120363025246125016.0',
	'12E+16',
	'1.20363E+17@g.us',
	'1042.0',
])('a group ID is refused if a spreadsheet shortened it: %s', (value) => {
	expect(inputErrorOf(() => groupIdOf(value))).toMatchObject({
		what: `“${value}” is not the whole chat group ID: your spreadsheet shortened it`,
		advice: 'Format the column as text in the spreadsheet and enter the whole ID again.',
	});
});

it.each(['12e5', '6281234567890-1586343326', '1.2.3', 'v1.5', 'a@1.5'])(
	'a group ID may look like a number: %s',
	(value) => {
		expect(groupIdOf(value)).toBe(value);
	},
);

it('a group ID is no long text', () => {
	expect(groupIdOf('a'.repeat(1_000))).toHaveLength(1_000);
	expect(inputErrorOf(() => groupIdOf('a'.repeat(1_001))).what).toMatch(
		/^“a+ …” is not a chat group ID$/,
	);
});

it.each([
	['https://chat.whatsapp.com/AbCdEf', 'a link'],
	['chat.whatsapp.com/invite/AbCdEf?x=1', 'a link'],
	['wa.me/6281234567890', 'a link'],
	['+62 812-3456-7890', 'a phone number'],
	['tel:+6281234567890', 'a phone number'],
	['6281234567890@c.us', 'a phone number'],
	['6281234567890@s.whatsapp.net', 'a phone number'],
])('a group ID is neither an invite link nor a person: %s', (value, what) => {
	expect(inputErrorOf(() => groupIdOf(value))).toMatchObject({
		what: `“${value}” is ${what}, not a chat group ID`,
		advice: 'Copy the chat group ID from your gateway.',
	});
});

// Of the API's examples, and of services that send to groups.
it.each([
	'1586343326',
	'6281234567890-1586343326',
	'120363025246125016@g.us',
	'team/5+1',
	'a.b/c d',
])('a group ID may be %s', (value) => {
	expect(groupIdOf(value)).toBe(value);
});

it('a group ID has no code that n8n did not fill in', () => {
	expect(inputErrorOf(() => groupIdOf('{{ $json.group }}'))).toMatchObject({
		what: 'The chat group ID contains “{{ $json.group }}”, which n8n did not fill in',
		advice: expect.stringContaining("Set 'Chat Group ID' to Expression") as string,
	});
});

it.each(['.', '..', ' .. '])('a group ID that changes the path is refused: “%s”', (value) => {
	expect(inputErrorOf(() => groupIdOf(value))).toMatchObject({
		what: `“${value.trim()}” is not a chat group ID`,
		advice: 'Copy the chat group ID from your gateway.',
	});
});

it.each(['', ' ', undefined])('a group ID is refused if it is missing: %j', (value) => {
	expect(inputErrorOf(() => groupIdOf(value))).toMatchObject({
		what: 'The chat group ID is empty',
		advice: "Enter it in 'Chat Group ID', or check the expression there.",
	});
});

it('a group ID is always one part of the path', () => {
	const nasty = fc.constantFrom(
		'a/b',
		'../x',
		'...',
		'%2e%2e',
		'.%2e',
		'?a#b',
		'\\',
		'Ü 漢',
		'/',
		'\uFFF9',
		'\u200B..\u200B',
	);
	fc.assert(
		fc.property(fc.oneof(anyText, anyUnits, nasty), (value) => {
			const base = 'https://gateway.example.com/prefix';
			let id: string;
			try {
				id = groupIdOf(value);
			} catch (error) {
				expect(error).toBeInstanceOf(InputError);
				if (/^\s*\d/.test(value)) return;
				const seen = value.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
				expect(['', '.', '..']).toContain(seen);
				return;
			}
			const path = ['api', 'v1', 'message', 'sendgroup', id];
			const url = new URL(`${base}/${path.map(encodeURIComponent).join('/')}`);
			expect(url.origin + url.search + url.hash).toBe('https://gateway.example.com');
			expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'prefix', ...path]);
		}),
		{ numRuns: 1_000 },
	);
});
