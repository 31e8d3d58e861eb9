import fc from 'fast-check';
import { parsePhoneNumber } from '../../../nodes/MessagingGateway/input/phoneNumber';
import { readingsOfRecipient, withReadings } from '../../../nodes/MessagingGateway/input/readings';
import { parseSkipNumbers } from '../../../nodes/MessagingGateway/input/skipNumbers';

/** Resolves to whether a recipient gets nothing because of an opt-out. */
const isSkipped = async (
	optOut: unknown,
	to: unknown,
	{ list = [], own = list }: { list?: string[]; own?: string[] } = {},
) => {
	const { readings } = await parseSkipNumbers([optOut], list);
	const number = parsePhoneNumber(to, own[0], 'send');
	return readingsOfRecipient(number, own).some((each) => readings.has(each));
};

describe('somebody who opted out', () => {
	it.each<[name: string, one: string, other: string, codes?: { list?: string[]; own?: string[] }]>([
		['0 behind a country code', '+62 0812 3456 7890', '081234567890', { list: ['62'] }],
		['the same with 00', '0062 0812 3456 7890', '+6281234567890', { list: ['62'] }],
		['no code known', '0062 0812 3456 7890', '+6281234567890'],
		['a code that the item has', '0123456789', '0123456789', { list: ['62'], own: ['60', '62'] }],
		['a code that only the item has', '0123456789', '+60123456789', { own: ['60'] }],
		[
			'the code of the credential',
			'+62123456789',
			'0123456789',
			{ list: ['62'], own: ['60', '62'] },
		],
		['a code that nobody has', '081234567890', '+6281234567890'],
		['a lost 0', '81234567890', '081234567890', { list: ['62'] }],
		['a lost 0, and no code', '81234567890', '+6281234567890'],
		['a lost 0 beside a 0', '81234567890', '081234567890'],
		['a lost 0 before twelve digits', '812345678901', '0812345678901', { list: ['62'] }],
		['a lost 0 before a country code that is none', '2101234567890', '02101234567890'],
		['several zeros', '+000812345678', '0812345678'],
		['the 8 of Russia', '8 912 345-67-89', '+7 912 345-67-89', { list: ['7'] }],
		['the 8 of Russia, and no code', '8 912 345-67-89', '+7 912 345-67-89'],
		['the 06 of Hungary', '06 30 123 4567', '+36 30 123 4567', { list: ['36'] }],
		['the 06 of Hungary, and no code', '06 30 123 4567', '+36 30 123 4567'],
		['the 8 0 of Belarus', '8 029 123-45-67', '+375 29 123-45-67', { list: ['375'] }],
		['the 0 of Italy', '+39 06 1234 5678', '39 6 1234 5678', { list: ['39'] }],
		['the 1 of Mexico', '5215512345678', '+52 55 1234 5678'],
		['the 9 of Argentina', '+54 9 11 1234 5678', '+54 11 1234 5678'],
		['the 9 of Brazil', '+55 11 98765 4321', '551187654321'],
		['other scripts', '٠٨١٢٣٤٥٦٧٨٩٠', '+62 812-3456-7890', { list: ['62'] }],
	])('an opt-out holds with %s, either way round', async (_, one, other, codes = {}) => {
		expect(await isSkipped(one, other, codes)).toBe(true);
		expect(await isSkipped(other, one, codes)).toBe(true);
	});

	it.each([
		['another number', '081234567890', '081234567891', { list: ['62'] }],
		['the same digits in another country', '+60 12 345 6789', '+62 12 345 6789', {}],
		[
			'the same digits in another country than the code says',
			'0123456789',
			'+60123456789',
			{ list: ['62'] },
		],
		['a longer number', '6281234567890', '628123456789', {}],
		['another number without a 0', '6281234567890', '6281234567891', {}],
		['one whose country code is the beginning of it', '0812345678', '+812345678', {}],
		['one that lacks the 8 of its country code', '+84123456789', '04123456789', {}],
		['one that lacks the 8 of a long number', '8491234567890', '0491234567890', {}],
		['one without a zero inside', '+62 810 234 5678', '0812345678', {}],
		[
			'one in another country than the item says',
			'0123456789',
			'+60123456789',
			{ list: [], own: ['62'] },
		],
	])('an opt-out is not mistaken for %s', async (_, one, other, codes) => {
		expect(await isSkipped(one, other, codes)).toBe(false);
		expect(await isSkipped(other, one, codes)).toBe(false);
	});

	it.each([
		['one of two codes', '0123456789', '+62123456789', { own: ['60', '62'] }, true],
		['a code with an area', '868 123 4567', '+1 868 123 4567', { own: ['1868'] }, true],
		['no code at the item', '+60123456789', '0123456789', { list: ['62'], own: [] }, false],
	])('an opt-out is compared with %s', async (_, optOut, to, codes, expected) => {
		expect(await isSkipped(optOut, to, codes)).toBe(expected);
	});

	it('a number has readings only if somebody has opted out', () => {
		const number = parsePhoneNumber('+62 812 345 678');
		expect(withReadings(number)).toBe(number);
		const readings = ['62812345678', '0812345678'];
		expect(withReadings(number, [])).toEqual({ ...number, readings });
	});

	const country = fc.constantFrom('62', '60', '1', '7', '44', '36', '880', '351');
	const national = fc.stringMatching(/^[1-9]\d{8,9}$/);
	/** Ways of writing one number, with the code or without it. */
	const writing = fc.constantFrom<(code: string, rest: string) => string>(
		(code, rest) => `+${code} ${rest}`,
		(code, rest) => `00${code}-${rest}`,
		(code, rest) => `+${code} (0) ${rest}`,
		(code, rest) => `+${code} 0${rest}`,
		(code, rest) => `${code}${rest}`,
		(code, rest) => `${code}${rest}.0`,
		(_, rest) => `0${rest.slice(0, 3)} ${rest.slice(3)}`,
		(_, rest) => rest,
	);
	const known = fc.constantFrom<'neither' | 'both' | 'item'>('neither', 'both', 'item');

	it('an opt-out holds, in whatever two ways the number is written', async () => {
		await fc.assert(
			fc.asyncProperty(
				country,
				national,
				writing,
				writing,
				known,
				async (code, rest, a, b, who) => {
					const list = who === 'both' ? [code] : [];
					const own = who === 'neither' ? [] : [code];
					expect(await isSkipped(a(code, rest), b(code, rest), { list, own })).toBe(true);
				},
			),
			{ numRuns: 2_000 },
		);
	});

	it('an opt-out holds for nobody else: other digits get the message', async () => {
		await fc.assert(
			fc.asyncProperty(
				country,
				national,
				national,
				writing,
				writing,
				known,
				async (code, rest, other, a, b, who) => {
					fc.pre(rest.slice(-7) !== other.slice(-7));
					const list = who === 'both' ? [code] : [];
					const own = who === 'neither' ? [] : [code];
					expect(await isSkipped(a(code, rest), b(code, other), { list, own })).toBe(false);
				},
			),
			{ numRuns: 2_000 },
		);
	});
});
