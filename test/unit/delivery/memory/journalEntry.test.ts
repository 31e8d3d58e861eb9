import {
	bulkEntry,
	itemsOf,
} from '../../../../nodes/MessagingGateway/delivery/memory/journalEntry';

const to = (number: string, written = number) => ({ to: number, asEntered: written });

it('the entry of a bulk request holds the numbers, the items as pairs of first and last, and the device', () => {
	expect(bulkEntry([to('1'), to('2')], [0, 1, 2, 5, 7, 8], 'd')).toEqual({
		numbers: ['1', '2'],
		items: [0, 2, 5, 5, 7, 8],
		device: 'd',
	});
});

it('the entry of a bulk request holds the numbers as the items had them, if one of them differs', () => {
	expect(bulkEntry([to('1'), to('622', '02')], [0], 'd')).toEqual({
		numbers: ['1', '622'],
		written: ['1', '02'],
		items: [0, 0],
		device: 'd',
	});
});

it('the entry of a bulk request holds each item once, whatever their order', () => {
	expect(bulkEntry([], [10, 9, 2, 11, 9, 2, 4], 'd').items).toEqual([2, 2, 4, 4, 9, 11]);
});

it('the entry of a bulk request gives its items back', () => {
	const items = [0, 1, 2, 5, 7, 8];
	expect(itemsOf(bulkEntry([], items, 'd'))).toEqual(items);
	expect(itemsOf({})).toEqual([]);
});
