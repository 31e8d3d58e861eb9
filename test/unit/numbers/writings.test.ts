/* eslint-disable @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
/** The numbers of all countries in the ways in which people and programs write them, and texts that are no number. */
import { parsePhoneNumber } from '../../../nodes/MessagingGateway/numbers/phoneNumber';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { ADDRESSES, AROUND, EXTENSIONS, LETTERHEADS, NO_NUMBERS, SEPARATORS } from './corpus';
import { EXAMPLES, type Example } from './plans';

const read = (text: string, code: string): string => {
	try {
		return parsePhoneNumber(text, code).digits;
	} catch (error) {
		if (error instanceof InputError) return error.what;
		throw error;
	}
};

/** Reads each form with the numbers of every fifth country; returns how many are right, and what went elsewhere. */
function readAll<T>(forms: readonly T[], write: (form: T, example: Example) => string[]) {
	let [right, all] = [0, 0];
	const elsewhere: string[] = [];
	for (const [at, form] of forms.entries()) {
		for (const example of EXAMPLES.filter((_, index) => (index + at) % 5 === 0)) {
			for (const text of write(form, example)) {
				all++;
				const sent = read(text, example.country);
				if (sent === example.digits) right++;
				else if (/^\d+$/.test(sent)) elsewhere.push(`${text} (${example.country}): ${sent}`);
			}
		}
	}
	return { share: right / all, elsewhere };
}

it.each<[string, ReturnType<typeof readAll>, number]>([
	[
		'with all separators',
		readAll(SEPARATORS, (separator, { national, international }) =>
			[national, international].map((text) => text.replace(/[- /]/g, () => separator)),
		),
		0.99,
	],
	[
		'as programs write them',
		readAll(AROUND, (around, { national, international }) => [national, international].map(around)),
		0.99,
	],
	['in addresses and links', readAll(ADDRESSES, (address, { digits }) => [address(digits)]), 0.99],
])(
	'numbers %s are read right, and none as that of somebody else',
	(_, { share, elsewhere }, least) => {
		expect(elsewhere).toEqual([]);
		expect(share).toBeGreaterThanOrEqual(least);
	},
);

it.each(LETTERHEADS)('with the code %s, %j goes to %s', (code, written, sent) => {
	expect(read(written, code)).toBe(sent);
});

it.each(EXTENSIONS)(
	'a number with the extension “%s” is refused, and the error names it',
	(extension) => {
		for (const { national, country } of EXAMPLES.filter((_, index) => index % 9 === 0)) {
			expect(read(national + extension, country)).toContain(
				'has the extension 11, and messengers know no extensions',
			);
		}
	},
);

it.each(NO_NUMBERS)('nothing goes out to %j, wherever the home is', (text) => {
	const homes = [
		'',
		'62',
		'49',
		'43',
		'1',
		'ES',
		'39',
		'91',
		'65',
		'45',
		'48',
		'55',
		'44',
		'32',
		'36',
		'81',
	];
	const sent = homes.map((home) => read(text, home)).filter((each) => /^\d+$/.test(each));
	expect(sent).toEqual([]);
});
