import { nearest } from '../../../nodes/MessagingGateway/input/nearest';

it.each<[string, string[], string | undefined]>([
	['nme', ['phone', 'name'], 'name'],
	['naem', ['phone', 'name'], 'name'],
	['Name', ['phone', 'name'], 'name'],
	['orderID', ['order', 'order_id'], 'order_id'],
	['firstName', ['last name', 'First Name'], 'First Name'],
	['telephone', ['phone'], undefined],
	['nama', ['name', 'game'], 'name'],
	['address', ['phone', 'name'], undefined],
	['x', ['y', 'xy'], 'y'],
	['名前', ['名前 ', 'name'], '名前 '],
	['--', ['-', 'name'], '-'],
	['--', ['+++'], undefined],
	['item1', ['item2', 'item_1'], 'item_1'],
	['ab', ['ba', 'AB'], 'AB'],
	['ab', ['bx', 'xa'], undefined],
	['n'.repeat(60), ['n'.repeat(60)], 'n'.repeat(60)],
	['n'.repeat(60), ['n'.repeat(61)], undefined],
	['n'.repeat(61), ['n'.repeat(60)], undefined],
	['name', [], undefined],
])('Whoever writes %j where there are %j means %j', (name, known, expected) => {
	expect(nearest(name, known)).toBe(expected);
});
