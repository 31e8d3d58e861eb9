/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { parsePhoneNumber } from '../../../nodes/MessagingGateway/numbers/phoneNumber';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { inputErrorOf } from '../../support/rooms';

/** “country code: as written → as sent”; what is refused is told with its reason. */
const read = (value: unknown, code = '', doubtful: 'refuse' | 'send' = 'refuse') => {
	try {
		return parsePhoneNumber(value, code, doubtful).digits;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return error.what;
	}
};

const ID = '6281234567890';

it.each<[code: string, written: unknown, sent: string]>([
	// With a country code: as it is.
	['', '+62 812-3456-7890', ID],
	['34', '0062 812 3456 7890', ID],
	['62', ID, ID],
	['62', '+62 (0)812 3456 7890', ID],
	['62', '62 0812 3456 7890', ID],
	['62', '62812345678', '62812345678'],
	['49', '4915123456789', '4915123456789'],
	['62', '4915123456789', '4915123456789'],
	['39', '+39 (0)6 1234 5678', '390612345678'],
	['62', '44 7911 123456', '447911123456'],
	['7', '8 10 62 812 3456 7890', ID],
	['US', '011 62 812 3456 7890', ID],
	['61', '0011 62 812 3456 7890', ID],
	// As people in the country write it.
	['62', '0812-3456-7890', ID],
	['62', '021 555 1234', '62215551234'],
	['34', '612 34 56 78', '34612345678'],
	['ES', '911 23 45 67', '34911234567'],
	['1', '(201) 555-0123', '12015550123'],
	['7', '8 (912) 345-67-89', '79123456789'],
	['36', '06 20 123 4567', '36201234567'],
	['39', '06 1234 5678', '390612345678'],
	['55', '(11) 98765-4321', '5511987654321'],
	['55', '0 15 11 98765-4321', '5511987654321'],
	['54', '011 15-2345-6789', '5491123456789'],
	['52', '55 1234 5678', '525512345678'],
	['52', '044 55 1234 5678', '525512345678'],
	['52', '01 55 1234 5678', '525512345678'],
	['52', '1 55 1234 5678', '525512345678'],
	['91', '9198765432', '919198765432'],
	['TT', '291 1234', '18682911234'],
	['1868', '291 1234', '18682911234'],
	// An area that the plans do not know.
	['1555', '(201) 555-0123', '12015550123'],
	['YT', '0639 01 23 45', '262639012345'],
	// A spreadsheet has dropped the 0.
	['62', 81234567890, ID],
	['44', '7911123456', '447911123456'],
	// Ranges that are newer than the plans, if they have the length of mobile numbers.
	['', '+62 866 9999 9999', '6286699999999'],
	['34', '695 123 456', '34695123456'],
	['34', '599 12 34 56', '34599123456'],
	// What WhatsApp keeps of older numbers.
	['', '+52 1 55 1234 5678', '5215512345678'],
	['55', '(11) 6123-4567', '551161234567'],
	['225', '07 12 34 56', '22507123456'],
	['', '+229 97 12 34 56', '22997123456'],
	// Without a country.
	['', '0812 3456 7890', '081234567890'],
	['', ID, ID],
	['', '62215551234', '62215551234'],
	// The 62 is no index of a list.
	['', '62. 812. 3456. 7890', ID],
	// The longest that there are.
	['', '+49 30 12345678901', '493012345678901'],
])('with the code “%s”, %j goes to %s', (code, written, sent) => {
	expect(read(written, code)).toBe(sent);
});

it.each<[code: string, written: unknown, why: string]>([
	[
		'',
		'+34 612 34 56',
		'“+34 612 34 56” is not a phone number of Spain (34): it has 7 digits after the country code instead of 9',
	],
	[
		'62',
		'0812345',
		'“0812345” is not a phone number of Indonesia (62): it has 6 digits after the 0 instead of 9 to 12',
	],
	['62', '442079460958', '“442079460958” is not a mobile number of Indonesia (62)'],
	[
		'62',
		'819012345678',
		'“819012345678” may be +62819012345678 (Indonesia) or +819012345678 (Japan)',
	],
	['GR', '2415565541', '“2415565541” may be +302415565541 (Greece) or +2415565541 (Gabon)'],
	// A 0 behind the country code does not count as a digit of the number.
	[
		'',
		'+33 012 34 56 78',
		'“+33 012 34 56 78” is not a phone number of France (33): it has 8 digits after the 0 instead of 9',
	],
	['', '+800 12345', '“+800 12345” is not a phone number of +800'],
	['', '+999123456789', '“+999123456789” does not begin with an existing country code'],
	// A code that is there twice, or a digit that is missing.
	[
		'62',
		'6262812345678',
		'“6262812345678” may be +6262812345678 (Indonesia) or +62812345678 (Indonesia)',
	],
	[
		'62',
		'6281234567',
		'“6281234567” is not a phone number of Indonesia (62): it has 8 digits after the country code instead of 9 to 12',
	],
	[
		'34',
		'34612345',
		'“34612345” is not a phone number of Spain (34): it has 6 digits after the country code instead of 9',
	],
	[
		'62',
		'0062 81234',
		'“0062 81234” is not a phone number of Indonesia (62): it has 5 digits after the country code instead of 9 to 12',
	],
])(
	'with the code “%s”, %j is refused, unless doubtful numbers are sent to',
	(code, written, why) => {
		expect(inputErrorOf(() => parsePhoneNumber(written, code))).toMatchObject({
			what: why,
			advice: expect.stringMatching(
				/after the country code|^“\+/.test(why)
					? /^Correct it\. .*'Doubtful Numbers' to 'Send'/
					: /with \+ and its country code\. .*'Doubtful Numbers' to 'Send'/,
			) as string,
		});
		expect(read(written, code, 'send')).toMatch(/^\d{6,15}$/);
	},
);

it.each([
	[
		'34',
		'612 34 56',
		'“612 34 56” is not a phone number of Spain (34): it has 7 digits instead of 9',
	],
	[
		'34',
		'+351 1',
		'“+351 1” is not a phone number of Portugal (351): it has 1 digit after the country code instead of 9',
	],
	['62', '612345678', '“612345678” is not a mobile number of Indonesia (62)'],
	// An identifier that WhatsApp has in place of some numbers.
	['62', '184069530861739', '“184069530861739” is not a phone number of Indonesia (62)'],
])(
	'with the code “%s”, %j has none, and nobody is told to send to it as it is',
	(code, written, why) => {
		const { what, advice } = inputErrorOf(() => parsePhoneNumber(written, code));
		expect(what).toContain(why);
		expect(advice).toBe(
			written.startsWith('+')
				? 'Correct it.'
				: `${why.includes('mobile') ? 'Enter it as people there write it' : 'Correct it'}, or enter it with + and its country code.`,
		);
	},
);

it.each(['612 345 678', '(415) 555-2671', '62812345', '628111111', '184069530861739'])(
	'%s is refused without a country, and the error says where to set it',
	(written) => {
		for (const doubtful of ['refuse', 'send'] as const) {
			expect(inputErrorOf(() => parsePhoneNumber(written, '', doubtful))).toMatchObject({
				what: `“${written}” has no country code, or a wrong number of digits`,
				advice: expect.stringContaining("'Default Country Code' in the credential") as string,
			});
		}
	},
);

describe('what no numbering plan knows', () => {
	it.each<[written: unknown, sent: string]>([
		['6281234567890.0', ID],
		['6281234567890@c.us', ID],
		['6281234567890@s.whatsapp.net', ID],
		['6281234567890:12@s.whatsapp.net', ID],
		['whatsapp:+6281234567890', ID],
		['tel:+62-812-3456-7890', ID],
		['https://wa.me/6281234567890?text=Hi', ID],
		['https://api.whatsapp.com/send?phone=6281234567890&text=Hi', ID],
		['1. 6281234567890', ID],
		['12) 0812-3456-7890', ID],
		['[3] 6281234567890', ID],
		['(2) 081234567890', ID],
		['#1 081234567890', ID],
		['- 081234567890', ID],
		['• 081234567890', ID],
		['– 0812 3456 7890', ID],
		['081234567890 (2)', ID],
		['081234567890[1]', ID],
		['1\t6281234567890', ID],
		['٠٨١٢٣٤٥٦٧٨٩٠', ID],
		['＋６２ ８１２ ３４５６ ７８９０', ID],
		['\u200E+62\u00A0812.3456.7890 ', ID],
		// Marks as people really type them.
		[' tel: 081234567890', ID],
		['  - 081234567890', ID],
		['* - 081234567890', ID],
		['•081234567890', ID],
		['–081234567890', ID],
		[' – 081234567890', ID],
		['· 081234567890', ID],
		['· 6281234567890.0', ID],
		[' (2) +247 40123', '24740123'],
		['(12)  +247 40123', '24740123'],
		['#12 (021) 555 1234', '62215551234'],
		['12.  6281234567890', ID],
		['[12] 6281234567890', ID],
		['12 - 6281234567890', ID],
		[' 12\t6281234567890', ID],
		['081234567890  (2)', ID],
		['081234567890 (12) ', ID],
		['081234567890[12]', ID],
		['081234567890 （2）', ID],
		['081234567890-12', ID],
		['+6281234567890-12', ID],
		['6281234567890 -12', ID],
		[' 6281234567890- 12', ID],
		['6281234567890(12)', ID],
		['6281234567890．0', ID],
		['＋44 20 7946 0958', '442079460958'],
		// The two parts are too short for two numbers: the 00 belongs to neither.
		['0049171 2345678', '491712345678'],
		[' 0049171 2345678', '491712345678'],
	])('%j is a number', (written, sent) => {
		expect(read(written, '62')).toBe(sent);
	});

	it.each<[written: unknown, why: string]>([
		['123456789012345@lid', 'is a WhatsApp ID, not a phone number'],
		['120363025246125016@g.us', 'is a WhatsApp ID, not a phone number'],
		['081234567890-2', 'may be +62812345678902 (Indonesia) or +6281234567890 (Indonesia)'],
		['0812-3456-7890-2', 'may be +62812345678902 (Indonesia) or +6281234567890 (Indonesia)'],
		['6.28E+12', 'is not the whole phone number: your spreadsheet shortened it'],
		['6281234567890.5', 'has decimals, which a phone number never has'],
		['-6281234567890', 'begins with a minus sign'],
		['2026-11-21', 'is a date, not a phone number'],
		['21.11.2026, 9:05', 'is a date, not a phone number'],
		['192.168.1.100', 'is an IP address, not a phone number'],
		['081234567890/081345678901', 'contains more than one phone number'],
		['006281234567890/081345678901', 'contains more than one phone number'],
		['0812 3456 7890 or 0813 4567 8901', 'contains more than one phone number'],
		['081234567890 081345678901', 'contains more than one phone number'],
		['081234567890–2', 'may be +62812345678902 (Indonesia) or +6281234567890 (Indonesia)'],
		['0812-3456-7890 - 2 ', 'may be +62812345678902 (Indonesia) or +6281234567890 (Indonesia)'],
		['· 6281234567890.50', 'has decimals'],
		['· 21.11.2026', 'is a date'],
		['\u22126281234567890', 'begins with a minus sign'],
		['-62812\u00A034567890', 'begins with a minus sign'],
		['0812 3456 7890  or  0813 4567 8901', 'contains more than one phone number'],
		['0812-3456-7890 0813-4567-8901', 'contains more than one phone number'],
		['/081234567890/081345678901/', 'contains more than one phone number'],
		['081234567890\u3000081345678901', 'contains more than one phone number'],
		['5001234 5551234', 'contains more than one phone number'],
		['Budi 081234567890/081345678901', 'contains more than one phone number'],
		['0812 tel: 34567890', 'is not a phone number'],
		['081234567890/081345678901 Budi', 'contains more than one phone number'],
		['081234567890 (2) Budi', 'is not a phone number'],
		['No. (2) +247 40123', 'is not a phone number'],
		['Budi', 'is not a phone number'],
		['300', 'is not a phone number'],
		[2 ** 53, 'is not a phone number'],
		[true, 'is not a phone number'],
	])('%j is refused', (written, why) => {
		expect(read(written, '62', 'send')).toContain(`” ${why}`);
		expect(read(written, '62')).toContain(`” ${why}`);
	});

	it('a text of 1,000 characters may be a number, and a longer one is none', () => {
		expect(read('081234567890'.padEnd(1_000), '62')).toBe(ID);
		expect(read('081234567890'.padEnd(1_001), '62')).toContain('is not a phone number');
	});

	it('a BigInt, as some databases return it, is a number', () => {
		expect(read(BigInt(ID))).toBe(ID);
	});

	it('a last digit that makes the number complete is no index', () => {
		expect(read('201-555-012-3', '1')).toBe('12015550123');
	});

	it('a number of seven digits may stand behind an index', () => {
		expect(read('1. 2911234', 'TT')).toBe('18682911234');
	});

	it('an index is never read as digits of a number: 2. 7911123456 is not +27 911123456', () => {
		expect(read('2. 7911123456', '44')).toBe('447911123456');
		expect(read('2. 7911123456')).toContain('has no country code');
	});

	it.each(['(021) 555 1234', '06-12-34-56-78', '1 (415) 555-2671', '(415) 555-2671'])(
		'the digits of %s are all part of the number',
		(written) => {
			const [code, sent] = {
				'(021) 555 1234': ['62', '62215551234'],
				'06-12-34-56-78': ['33', '33612345678'],
			}[written] ?? ['1', '14155552671'];
			expect(read(written, code)).toBe(sent);
		},
	);
});

it.each<[value: unknown, sent: string]>([
	[['081234567890'], ID],
	[[[6281234567890]], ID],
	['["081234567890"]', ID],
	['[6281234567890]', ID],
	['"081234567890"', ID],
])('%j, one number in a list or in quotation marks, is read', (value, sent) => {
	expect(read(value, '62')).toBe(sent);
});

it.each<[value: unknown, shape: string, advice: string]>([
	[[{ label: 'work', value: ID }], 'a list of objects', ', such as phone[0].value.'],
	[{ 'my phone': ID }, 'an object', ', such as phone["my phone"].'],
	['{"to":{"phone":"081234567890"}}', 'an object', ', such as phone.to.phone.'],
	[[ID, ID], 'a list of 2 entries', ', such as phone[0].'],
	[[], 'an empty list', 'field of it.'],
	[{ name: 'Budi' }, 'an object', 'field of it.'],
	[new Date(0), 'a date', 'that provides it.'],
	[{ toMillis: () => 0 }, 'a date', 'that provides it.'],
])('%j is refused as what it is, and a field with a number is named', (value, shape, advice) => {
	const error = inputErrorOf(() => parsePhoneNumber(value, '62', 'send', '', 'phone'));
	expect(error.what).toContain(` is ${shape}, not a phone number`);
	expect(error.advice).toContain(advice);
});

it('a hidden character is named, and where it is', () => {
	expect(
		['\u001f0812345', '0812\u001f345', '0812345\u200B'].map((each) => read(each, '62')),
	).toEqual([
		expect.stringContaining('“0812345” (with a hidden character: U+001F in front)'),
		expect.stringContaining('“0812 345” (with a hidden character: U+001F inside)'),
		expect.stringContaining('“0812345” (with a hidden character: U+200B at the end)'),
	]);
});

it('a number that is sent to all the same has the country code, and not the 0', () => {
	expect(read('0812345', '62', 'send')).toBe('62812345');
});

it('a number that is too short for any country is none, with and without a country', () => {
	expect(['', '62'].map((code) => read('12345', code))).toEqual([
		'“12345” is not a phone number',
		expect.stringContaining('“12345” is not a phone number of Indonesia'),
	]);
});

it('a number is remembered as it was entered, with any country code', () => {
	const entered = (code: string) => parsePhoneNumber('0812 3456 7890', code, 'send').asEntered;
	expect(['', '62', '86'].map(entered)).toEqual(Array(3).fill('081234567890'));
	expect(parsePhoneNumber('0062 812 3456 7890', '34').asEntered).toBe(ID);
	expect(parsePhoneNumber('+0812 3456 7890', '', 'send').asEntered).toBe('081234567890');
});

it.each([undefined, null, '', ' \u200B '])('a number that is %j is missing', (value) => {
	expect(read(value)).toBe('The phone number is missing');
});

it.each(['(', '(0)', ' ', '-', '1.', '9', '1 or ', '0812345, '])(
	'100,000 times “%s” is refused in a moment',
	(part) => {
		const work = () => read(`+62${part.repeat(100_000)}x`, '62');
		runInNewContext('work()', { work }, { timeout: 2_000 });
	},
);

it('anything gives 6 to 15 digits, or an error that names what is wrong', () => {
	const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+-() .@/\u00A0\u200E') });
	fc.assert(
		fc.property(
			fc.oneof(fc.anything(), phoneLike, phoneLike, fc.integer()),
			fc.constantFrom('', '62', '1', '1868', 'ES'),
			fc.constantFrom('refuse' as const, 'send' as const),
			(value, code, doubtful) => {
				try {
					expect(parsePhoneNumber(value, code, doubtful).digits).toMatch(/^\d{6,15}$/);
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					expect((error as InputError).advice).not.toBe('');
				}
			},
		),
		{ numRuns: 2_000 },
	);
});
