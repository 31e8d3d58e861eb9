/* eslint-disable @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
/** The numbers of all countries, in the ways in which people write them, against Google's own implementation. */
import { parsePhoneNumber } from '../../../nodes/MessagingGateway/numbers/phoneNumber';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { chanceOf } from '../../support/chance';
import { EXAMPLES, mayExist, readByGoogle, WRITINGS } from './plans';

const chance = chanceOf(41);
const below = (n: number) => Math.floor(chance() * n);
const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;

/** Returns undefined for a number that is refused. */
const read = (text: string, code: string): string | undefined => {
	try {
		return parsePhoneNumber(text, code).digits;
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
};

it.each(Object.entries(WRITINGS))(
	'of all countries, numbers are read right that are written %s, and none as that of somebody else',
	(_, write) => {
		let [right, all] = [0, 0];
		const elsewhere: string[] = [];
		for (const example of EXAMPLES) {
			const text = write(example);
			if (text === undefined) continue;
			all++;
			const sent = read(text, example.code);
			if (sent === example.digits) right++;
			else if (sent !== undefined) elsewhere.push(`${example.country} ${text}: ${sent}`);
		}
		expect(elsewhere).toEqual([]);
		expect(all).toBeGreaterThan(200);
		// Where every number begins with 0, nobody knows a number without it.
		expect(right / all).toBeGreaterThanOrEqual(
			write === WRITINGS['without the dropped 0'] ? 0.94 : 0.99,
		);
	},
);

it('without a country, a national number goes out only as it is, or if it is one of another country', () => {
	for (const { national } of EXAMPLES) {
		const digits = national.replace(/\D/g, '');
		const sent = read(national, '');
		if (digits.startsWith('0')) expect(sent).toBe(digits);
		else expect(sent === undefined || mayExist(sent)).toBe(true);
	}
});

it('of 2,000 numbers with a digit too few or too many, only those go out that may exist', () => {
	const spoilings: Array<(text: string, at: number) => string> = [
		(text, at) => text.slice(0, at) + text.slice(at + 1),
		(text, at) => text.slice(0, at) + (text[at] ?? '') + text.slice(at),
		(text) => text + String(below(10)),
	];
	const odd: string[] = [];
	let refused = 0;
	for (let n = 0; n < 2_000; n++) {
		const { code, national, digits } = oneOf(EXAMPLES);
		const text = oneOf([national.replace(/\D/g, ''), digits, `+${digits}`]);
		const spoiled = oneOf(spoilings)(text, 1 + below(text.length - 1));
		const sent = read(spoiled, code);
		if (sent === undefined) refused++;
		else if (!mayExist(sent)) odd.push(`${spoiled} (${code}): ${sent}`);
	}
	expect(odd).toEqual([]);
	expect(refused).toBeGreaterThan(1_000);
});

it('numbers near the examples are read as Google reads them, or not at all', () => {
	const odd: string[] = [];
	let sure = 0;
	for (let n = 0; n < 6_000; n++) {
		const example = oneOf(EXAMPLES);
		const text = oneOf([example.national, example.international]).replace(
			/\d(?=(?:\D*\d){0,2}$)/g,
			() => String(below(10)),
		);
		const truth = readByGoogle(text, example.country);
		if (truth === undefined) continue;
		const sent = read(text, example.country);
		if (sent === truth) sure++;
		else if (sent !== undefined) odd.push(`${text} (${example.country}): ${sent}, not ${truth}`);
	}
	expect(odd).toEqual([]);
	expect(sure).toBeGreaterThan(4_000);
});
