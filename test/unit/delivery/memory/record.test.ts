import {
	entryOf,
	itemsOf,
	namesOf,
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
	expect(namesOf({ to: '628', asEntered: '08' })).toEqual(['08', '628']);
	expect(entryOf([row(0, '628', '08'), row(1, '629')], false)).toEqual({
		to: [0, '08', '628', 1, '629'],
	});
});

it('an entry of a request gives its items back, with their recipients', () => {
	expect([...itemsOf({ to: [0, '1', '2', 3, '1', 1, '2'] })]).toEqual([
		[0, ['1', '2']],
		[3, ['1']],
		[1, ['2']],
	]);
	expect([...itemsOf({ to: [] })]).toEqual([]);
});
