import * as plan from '../../../nodes/MessagingGateway/numbers/plan';

const { homeOf, nameOf, nameOfCode } = plan;

it.each([
	['34', 'Spain'],
	['1', 'United States (+1)'],
	['800', '+800'],
])('the country code %s is that of %s', (code, name) => {
	expect(nameOfCode(code)).toBe(name);
});

it('a country is named with its code', () => {
	expect(['34', 'ID', '1868'].map((code) => nameOf(homeOf(code) as plan.Home))).toEqual([
		'Spain (34)',
		'Indonesia (62)',
		'Trinidad & Tobago (1)',
	]);
});

/** The plans of n8n's start, before any number was read. What is read later is faster. */
function atStart(): typeof plan {
	let loaded = plan;
	jest.isolateModules(() => {
		loaded = jest.requireActual('../../../nodes/MessagingGateway/numbers/plan');
	});
	return loaded;
}

/** Reads the first number after n8n's start, as people in its country do. */
function readAtStart(code: string, written: string): plan.Reading {
	const loaded = atStart();
	return loaded.readAtHome(loaded.homeOf(code) as plan.Home, written);
}

const { None, Length, Number, Mobile } = plan.Fit;

it.each<[digits: string, fit: plan.Fit]>([
	['6281234567890', Mobile],
	['12015550123', Mobile],
	['390612345678', Number],
	// Ranges that the plan does not know, as long as mobile numbers are.
	['34599123456', Length],
	['15552345678', Length],
	['3459912345', None],
	['33012345678', None],
	['999123456789', None],
	['80012345678', Number],
	['800', None],
])('of the first number that is read, %s, the fit is %d', (digits, fit) => {
	expect(atStart().readInternational(digits)).toEqual({ digits, fit, written: digits });
});

it.each<[country: string, written: string, digits: string, fit: plan.Fit]>([
	['ID', '081234567890', '6281234567890', Mobile],
	['ID', '81234567890', '6281234567890', Mobile],
	['US', '2015550123', '12015550123', Mobile],
	['US', '5552345678', '15552345678', Length],
	['34', '599123456', '34599123456', Length],
	['TT', '2911234', '18682911234', Mobile],
	['IT', '0612345678', '390612345678', Number],
])('at home in %s, the first number that is read, %s, is %s', (code, written, digits, fit) => {
	expect(readAtStart(code, written)).toEqual({ digits, fit, written });
});

it('the country of the first number has its English name', () => {
	expect(atStart().nameOfCode('34')).toBe('Spain');
});

it.each([
	['5215512345678', '525512345678'],
	['5491123456789', '541123456789'],
	['5511961234567', '551161234567'],
	['2250701234567', '22501234567'],
	['2290197123456', '22997123456'],
	['24106031234', '2416031234'],
])('%s and %s are one account', (one, other) => {
	const { accountOf } = atStart();
	expect([accountOf(one), accountOf(other)]).toEqual([other, other]);
});

it.each([
	...['52155123456789', '521551234567', '5225512345678', '52551234567891', '52215512345678'],
	...['54911234567890', '549112345678', '5481123456789', '54191123456789'],
	...['5511931234567', '55119612345678', '551196123456', '5511861234567', '55961234567'],
	'55111961234567',
	...['22507012345678', '225070123456'],
	...['2290297123456', '22901971234567', '229019712345', '22910197123456'],
	...['24108031234', '241060312345', '2410603123', '24116031234', '241106031234'],
	...['6281234567890', '000', ''],
])('%s is an account of its own', (digits) => {
	expect(atStart().accountOf(digits)).toBe(digits);
});

it.each<[digits: string, fit: plan.Fit]>([
	['5215512345678', Mobile],
	['52155123456789', None],
	['52215512345678', None],
	// As long as today's numbers, in an unknown range.
	['521551234567', Length],
	['551161234567', Mobile],
	['5511612345678', Length],
	['5511161234567', Length],
	['551131234567', Number],
	['22501234567', Mobile],
	['225012345678', None],
	['2250123456', None],
	['22997123456', Mobile],
	['229971234567', None],
	['2299712345', None],
])('%s, which may be an old form, has the fit %d', (digits, fit) => {
	expect(atStart().readInternational(digits).fit).toBe(fit);
});

it.each([
	['MX', '015512345678', '525512345678'],
	['MX', '0445512345678', '525512345678'],
	['MX', '0455512345678', '525512345678'],
	['MX', '15512345678', '525512345678'],
	['GA', '6031234', '24106031234'],
	['GA', '06031234', '24106031234'],
	['BR', '1161234567', '551161234567'],
])('in %s, %s from an old address book is %s', (country, written, digits) => {
	expect(readAtStart(country, written).digits).toBe(digits);
});

it.each([
	['MX', '0155123456789'],
	['MX', '01551234567'],
	['MX', '0465512345678'],
	['MX', '155123456789'],
	['MX', '01525512345678'],
	['MX', '52015512345678'],
])('in %s, %s is no number of an old address book', (country, written) => {
	expect(readAtStart(country, written).fit).toBe(None);
});

it.each([
	['ID', '081234567890', true],
	['ID', '81234567890', false],
	// People write the shortest numbers without a space.
	['NU', '4002', true],
])('people in %s write %s exactly like this: %s', (country, written, isUsual) => {
	expect(plan.isUsual(readAtStart(country, written))).toBe(isUsual);
});

it.each([
	['62', 'ID'],
	['ID', 'ID'],
	['1', 'US'],
	['1868', 'TT'],
	['1555', 'US'],
	['12345', undefined],
	['1155', undefined],
	['11868', undefined],
	['XX', undefined],
	['', undefined],
])('the Default Country Code “%s” is that of %s', (code, country) => {
	expect(atStart().homeOf(code)?.country).toBe(country);
});
