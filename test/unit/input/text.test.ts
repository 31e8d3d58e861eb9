import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import {
	isBlank,
	toIdentifier,
	toGroupId,
	toRequiredText,
	toText,
} from '../../../nodes/MessagingGateway/input/text';
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

const isWhole = (text: string) => Buffer.from(text).toString('utf8') === text;

describe('a value', () => {
	it.each([undefined, null, '', ' \n\t\u00a0'])('%j is blank', (value) => {
		expect(isBlank(value)).toBe(true);
	});

	it.each([' a ', 0, false, NaN, [], {}])('%j is not', (value) => {
		expect(isBlank(value)).toBe(false);
	});
});

describe('an identifier', () => {
	it.each([
		[' order 7 ', 'order 7'],
		['\u200B\u2066a\u200Bb\uFEFF\n', 'a\u200Bb'],
		[' \u200B', ''],
		['', ''],
		[undefined, ''],
		[9_007_199_254_740_991, '9007199254740991'],
		[-1.5, '-1.5'],
	])('%j is %j', (value, expected) => {
		expect(toIdentifier(value, 'key')).toBe(expected);
	});

	it.each([9_007_199_254_740_992, -9_007_199_254_740_992, 1.2e21])(
		'is not a number that has lost its last digits: %d',
		(value) => {
			expect(inputErrorOf(() => toIdentifier(value, 'key'))).toMatchObject({
				what: `The key arrived as the number ${value}, and its last digits were lost`,
				advice: expect.stringMatching(/^Pass it as text: /),
			});
			expect(inputErrorOf(() => groupIdOf(value)).what).toContain('The chat group ID arrived as');
		},
	);

	it('is found at once, however much space there is in its middle', () => {
		const long = `a${' '.repeat(1_000_000)}b`;
		const work = () => toIdentifier(` ${long} `, 'key') === long;
		expect(runInNewContext('work()', { work }, { timeout: 30_000 })).toBe(true);
	});
});

describe('a text', () => {
	it.each([
		['Halo 👋 "kutip"\n', 'Halo 👋 "kutip"\n'],
		['  kept  ', '  kept  '],
		[5, '5'],
		[0, '0'],
		[false, 'false'],
		[10n, '10'],
		[undefined, ''],
		[null, ''],
	])('%p is %p', (value, expected) => {
		expect(toText(value, 'message')).toBe(expected);
	});

	it('is not a list, an object or a function', () => {
		const advice = "Check the expression in 'Caption': choose a single field.";
		expect(inputErrorOf(() => toText(['a'], 'caption'))).toMatchObject({
			what: 'The caption is a list, not text',
			advice,
		});
		expect(inputErrorOf(() => toText({ a: 1 }, 'caption'))).toMatchObject({
			what: 'The caption is an object, not text',
			advice,
		});
		expect(inputErrorOf(() => toText(() => 'a', 'caption')).what).toContain('not text');
	});

	it('has a mark in the place of half a character, which no encoding can carry', () => {
		expect(toText('a\uD83D', 'message')).toBe('a\uFFFD');
		expect(toText('\uDE00b', 'message')).toBe('\uFFFDb');
		expect(toText('\uD83D\uD83D\uDE00\uDE00', 'message')).toBe('\uFFFD😀\uFFFD');
	});

	it('always survives UTF-8', () => {
		fc.assert(
			fc.property(fc.oneof(anyText, anyUnits), (value) => {
				const text = toText(value, 'message');
				expect(Buffer.from(text).toString('utf8')).toBe(text);
				if (isWhole(value)) expect(text).toBe(value);
				else expect(text).toHaveLength(value.length);
			}),
		);
	});
});

describe('a text that has to be there', () => {
	it.each(['', '  \n\u00A0', undefined, null])('is refused where it is %j', (value) => {
		expect(inputErrorOf(() => toRequiredText(value, 'message'))).toMatchObject({
			what: 'The message is empty',
			advice: "Enter it in 'Message', or check the expression there.",
		});
	});

	it('keeps the space around it', () => {
		expect(toRequiredText(' Halo ', 'message')).toBe(' Halo ');
		expect(toRequiredText(0, 'message')).toBe('0');
	});
});

describe('the ID of a group', () => {
	it.each(['Class 5B', 'Kelas\u00A05B', 'Ü 1', 'family ❤️'])('may be a name: %s', (value) => {
		expect(toGroupId(value, 'chat group ID')).toEqual({ id: value, looksLikeName: true });
	});

	it.each([
		'120363025246125016',
		'120363025246125016@g.us',
		'team',
		' team ',
		'1203 6302',
		'12-ab',
	])('is not a name: %s', (value) => {
		expect(toGroupId(value, 'chat group ID').looksLikeName).toBe(false);
	});

	it('is called by its kind', () => {
		expect(inputErrorOf(() => toGroupId('', 'contact group ID'))).toMatchObject({
			what: 'The contact group ID is empty',
			advice: expect.stringContaining("'Contact Group ID'"),
		});
	});

	it('is trimmed', () => {
		expect(groupIdOf(' 120363025246125016\n')).toBe('120363025246125016');
		expect(groupIdOf(12036302)).toBe('12036302');
	});

	it.each(['.', '..', ' .. '])('is refused where it would change the path: “%s”', (value) => {
		expect(inputErrorOf(() => groupIdOf(value))).toMatchObject({
			what: `“${value.trim()}” is not a chat group ID`,
			advice: 'Copy the chat group ID from your gateway.',
		});
	});

	it.each(['', ' ', undefined])('is refused if it is missing: %j', (value) => {
		expect(inputErrorOf(() => groupIdOf(value))).toMatchObject({
			what: 'The chat group ID is empty',
			advice: "Enter it in 'Chat Group ID', or check the expression there.",
		});
	});

	it('is always one part of the path', () => {
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
});
