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
			// A landline without its 0 is doubtful: the digits may be any number with one missing.
			if (write === WRITINGS['without the dropped 0'] && example.kind === 'landline') continue;
			const text = write(example);
			if (text === undefined) continue;
			all++;
			const sent = read(text, example.code);
			if (sent === example.digits) right++;
			else if (sent !== undefined) elsewhere.push(`${example.country} ${text}: ${sent}`);
		}
		expect(elsewhere).toEqual([]);
		expect(all).toBeGreaterThan(100);
		expect(right / all).toBeGreaterThanOrEqual(
			// Where every number begins with 0, nobody knows a number without it.
			write === WRITINGS['without the dropped 0'] ? 0.95 : 0.99,
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

const sharing = (code: string) => EXAMPLES.filter((each) => each.code === code);

/** Old mobile numbers of Benin and Ivory Coast, and landlines of Botswana that are newer than Google's data here. */
const UNKNOWN_TO_GOOGLE = /^(?:22[59]\d{8}|267267\d{4})$/;

const SPOILED: Record<string, (digits: string, code: string) => string[]> = {
	'cut off at its end': (digits) => [1, 2, 3].map((n) => digits.slice(0, -n)),
	'without a digit': (digits) => [4, 5, 6].map((at) => digits.slice(0, at) + digits.slice(at + 1)),
	'with a digit twice': (digits) =>
		[3, 5, 7].map((at) => digits.slice(0, at) + digits.slice(at - 1)),
	'with a digit more': (digits) => ['0', '3', '7'].map((digit) => digits + digit),
	'with its code twice': (digits, code) => [code + digits],
	'with its code twice and cut off': (digits, code) => [(code + digits).slice(0, -1)],
};

it.each(Object.entries(SPOILED))(
	'a number of any country that is written %s goes to nobody but to what is written',
	(_, spoil) => {
		const odd: string[] = [];
		for (const { country, code, digits, national } of EXAMPLES) {
			const local = spoil(national.replace(/\D/g, ''), '');
			const full = spoil(digits, code);
			for (const setting of [country, code, '']) {
				for (const text of [...local, ...full, ...full.map((each) => `+${each}`)]) {
					const sent = read(text, setting);
					if (sent === undefined || sent === text.replace('+', '')) continue;
					// Full is also a number as people at home write it, or with a 0 or 1 that is dialed inside the country only.
					const isAsWritten = full.includes(text)
						? sharing(code).some((each) => readByGoogle(text, each.country) === sent)
						: mayExist(sent);
					if (!isAsWritten && !UNKNOWN_TO_GOOGLE.test(sent))
						odd.push(`${text} (${setting}): ${sent}`);
				}
			}
		}
		expect(odd).toEqual([]);
	},
);

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
