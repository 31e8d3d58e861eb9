/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import {
	isBlank,
	toIdentifier,
	toReadable,
	toRequiredText,
	toText,
} from '../../../nodes/MessagingGateway/input/text';
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

const isWhole = (text: string) => Buffer.from(text).toString('utf8') === text;

it.each([undefined, null, '', ' \n\t\u00a0'])('the value %j is blank', (value) => {
	expect(isBlank(value)).toBe(true);
});

it.each([' a ', 0, false, NaN, [], {}])('the value %j is not blank', (value) => {
	expect(isBlank(value)).toBe(false);
});

it.each([
	[' order 7 ', 'order 7'],
	['\u200B\u2066a\u200Bb\uFEFF\n', 'a\u200Bb'],
	[' \u200B', ''],
	['', ''],
	[undefined, ''],
	[9_007_199_254_740_991, '9007199254740991'],
	[-1.5, '-1.5'],
])('the identifier %j is read as %j', (value, expected) => {
	expect(toIdentifier(value, 'key')).toBe(expected);
});

it.each([9_007_199_254_740_992, -9_007_199_254_740_992, 1.2e21])(
	'an identifier is not a number that has lost its last digits: %d',
	(value) => {
		expect(inputErrorOf(() => toIdentifier(value, 'key'))).toMatchObject({
			what: `The key arrived as the number ${value}, and its last digits were lost`,
			advice: expect.stringMatching(/^Pass it as text: /),
		});
	},
);

it.each([NaN, Infinity, -Infinity])('an identifier is not what no number is: %d', (value) => {
	expect(inputErrorOf(() => toIdentifier(value, 'Send-Once Key'))).toMatchObject({
		what: `The Send-Once Key is ${value}: the expression calculates with something that is not a number`,
		advice: "Correct the expression in 'Send-Once Key'.",
	});
});

it('an identifier is found at once, however much space there is in its middle', () => {
	const long = `a${' '.repeat(1_000_000)}b`;
	const work = () => toIdentifier(` ${long} `, 'key') === long;
	expect(runInNewContext('work()', { work }, { timeout: 30_000 })).toBe(true);
});

it.each([
	['Halo 👋 "kutip"\n', 'Halo 👋 "kutip"\n'],
	['  kept  ', '  kept  '],
	[5, '5'],
	[0, '0'],
	[false, 'false'],
	[10n, '10'],
	[undefined, ''],
	[null, ''],
])('the text %p is read as %p', (value, expected) => {
	expect(toText(value, 'message')).toBe(expected);
});

it('a text is not a list, an object or a function', () => {
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

it('a text has a mark in the place of half a character, which no encoding can carry', () => {
	expect(toText('a\uD83D', 'message')).toBe('a\uFFFD');
	expect(toText('\uDE00b', 'message')).toBe('\uFFFDb');
	expect(toText('\uD83D\uD83D\uDE00\uDE00', 'message')).toBe('\uFFFD😀\uFFFD');
});

it('a text always survives UTF-8', () => {
	fc.assert(
		fc.property(fc.oneof(anyText, anyUnits), (value) => {
			const text = toText(value, 'message');
			expect(Buffer.from(text).toString('utf8')).toBe(text);
			if (isWhole(value)) expect(text).toBe(value);
			else expect(text).toHaveLength(value.length);
		}),
	);
});

it.each(['', '  \n\u00A0', undefined, null])('a required text may not be %j', (value) => {
	expect(inputErrorOf(() => toRequiredText(value, 'message'))).toMatchObject({
		what: 'The message is empty',
		advice: "Enter it in 'Message', or check the expression there.",
	});
});

it('a required text keeps the space around it', () => {
	expect(toRequiredText(' Halo ', 'message')).toBe(' Halo ');
	expect(toRequiredText(0, 'message')).toBe('0');
});

it.each([
	['a "b"', 'a "b"'],
	[7, '7'],
	[undefined, 'undefined'],
	[null, 'null'],
	[{ a: '"' }, '{"a":"\\""}'],
	[['a'], '["a"]'],
	[new Date(0), '1970-01-01T00:00:00.000Z'],
])('the value %j is shown as %s', (value, shown) => {
	expect(toReadable(value)).toBe(shown);
});

it('an object that cannot be written as JSON is shown as an object', () => {
	const circle: Record<string, unknown> = {};
	circle.self = circle;
	expect(toReadable(circle)).toBe('An object');
});
