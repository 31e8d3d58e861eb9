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
	const { homeOf, readAtHome } = atStart();
	expect(readAtHome(homeOf(code) as plan.Home, written)).toEqual({ digits, fit, written });
});

it('the country of the first number has its English name', () => {
	expect(atStart().nameOfCode('34')).toBe('Spain');
});
