import {
	type AskedNumber,
	toGroup,
	toNumber,
} from '../../../nodes/MessagingGateway/operations/recipient';

const number = (digits: string, more: Partial<AskedNumber> = {}) =>
	toNumber({ digits, asEntered: digits, isInternational: false, ...more });

it('a phone number goes out as its digits, and is remembered as it was entered', () => {
	expect(number('62812', { asEntered: '0812' })).toStrictEqual({
		to: '62812',
		asEntered: '0812',
	});
	expect(number('62812', { skip: 'notAllowed' }).skip).toBe('notAllowed');
});

it.each(['0812', '08120', '081200'])(
	'a phone number has no country code with one 0 in front: %s',
	(digits) => {
		expect(number(digits).doubt).toBe('hasNoCountryCode');
	},
);

it.each(['0062812', '62812', '6281200'])(
	'a phone number may have a country code otherwise: %s',
	(digits) => {
		expect(number(digits).doubt).toBeUndefined();
	},
);

it('a group goes out as its ID', () => {
	expect(toGroup({ id: 'g1', looksLikeName: false })).toStrictEqual({
		to: 'g1',
		asEntered: 'g1',
	});
});

it('a group is doubted if its ID looks like a name', () => {
	expect(toGroup({ id: 'Class 5B', looksLikeName: true })).toStrictEqual({
		to: 'Class 5B',
		asEntered: 'Class 5B',
		doubt: 'looksLikeName',
	});
});
