import {
	entryOf,
	itemsOf,
	keysOf,
	nameOf,
} from '../../../../nodes/MessagingGateway/delivery/memory/record';

const row = (item: number, to: string, asEntered = to) => ({
	item,
	sendOnceKey: '',
	recipient: { to, asEntered },
});

it('an entry of a request holds each item, followed by its recipients', () => {
	expect(entryOf([row(7, '1')], false)).toEqual({ to: [7, '1'] });
	expect(entryOf([row(0, '1'), row(0, '2'), row(1, '1')], true)).toEqual({
		to: [0, '1', '2', 1, '1'],
		isBulk: true,
	});
});

it('an entry of a request knows a recipient as it was entered and as it was sent', () => {
	expect(entryOf([row(0, '628', '08'), row(1, '629'), row(2, '34', '+34')], false)).toEqual({
		to: [0, '\t08\t628', 1, '629', 2, '+34'],
	});
});

it('a recipient is found again as it was sent and as it was entered, but not as a number with equal digits', () => {
	const isFound = (asEntered: string, to: string, again: string, toAgain: string) => {
		const keys = keysOf(nameOf({ asEntered, to }));
		return keysOf(nameOf({ asEntered: again, to: toAgain })).some((key) => keys.includes(key));
	};
	// Other settings, or the same number written otherwise.
	expect(isFound('08', '628', '08', '608')).toBe(true);
	expect(isFound('08', '628', '+628', '628')).toBe(true);
	expect(isFound('628', '628', '+628', '628')).toBe(true);
	expect(isFound('08', '08', '08', '628')).toBe(true);
	// Corrected: the digits that were read as a number at home are one abroad.
	expect(isFound('813', '62813', '+813', '813')).toBe(false);
	expect(isFound('+813', '813', '813', '62813')).toBe(false);
});

it('an entry of a request gives its items back, with their recipients', () => {
	expect([...itemsOf({ to: [0, '1', '2', 3, '1', 1, '2'] })]).toEqual([
		[0, ['1', '2']],
		[3, ['1']],
		[1, ['2']],
	]);
	expect([...itemsOf({ to: [] })]).toEqual([]);
});
