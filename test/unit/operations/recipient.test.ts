import { toGroup, toNumber } from '../../../nodes/MessagingGateway/operations/recipient';

describe('a phone number', () => {
	const doubtOf = (digits: string, withZero?: string) =>
		toNumber({ digits, asEntered: digits, withZero }).doubt;

	it('goes out as its digits, and is remembered as it was asEntered', () => {
		expect(toNumber({ digits: '62812', asEntered: '0812' })).toStrictEqual({
			to: '62812',
			asEntered: '0812',
		});
		expect(toNumber({ digits: '812', asEntered: '812', withZero: '62812' })).toStrictEqual({
			to: '812',
			asEntered: '812',
			withZero: '62812',
			doubt: 'mayLackZero',
		});
	});

	it.each(['0812', '08120', '081200'])('has no country code with one 0 in front: %s', (digits) => {
		expect(doubtOf(digits)).toBe('hasNoCountryCode');
	});

	it.each(['0062812', '62812', '6281200'])('may have one otherwise: %s', (digits) => {
		expect(doubtOf(digits)).toBeUndefined();
	});

	it('may lack its 0 rather than its country code', () => {
		expect(doubtOf('0812', '620812')).toBe('mayLackZero');
	});
});

describe('a group', () => {
	it('goes out as its ID', () => {
		expect(toGroup({ id: 'g1', looksLikeName: false })).toStrictEqual({
			to: 'g1',
			asEntered: 'g1',
		});
	});

	it('is doubted where its ID looks like a name', () => {
		expect(toGroup({ id: 'Class 5B', looksLikeName: true })).toStrictEqual({
			to: 'Class 5B',
			asEntered: 'Class 5B',
			doubt: 'looksLikeName',
		});
	});
});
