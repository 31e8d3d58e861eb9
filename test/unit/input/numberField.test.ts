import { fieldAt, noNumberIn } from '../../../nodes/MessagingGateway/input/numberField';

it.each([
	['phone', { phone: 1 }, 1],
	['to.phone', { to: { phone: 2 } }, 2],
	['to[0].phone', { to: [{ phone: 3 }] }, 3],
	['to.phone', { to: { phone: 2 }, 'to.phone': 4 }, 4],
	['phone', { name: 'Ana' }, undefined],
	['constructor', {}, undefined],
	['constructor.name', {}, undefined],
])('the phone number in the field %j of %j is %j', (path, json, expected) => {
	expect(fieldAt(json, path)).toBe(expected);
});

const CHOOSE = "Its fields are: name, to. Enter one of them in 'Phone Number Field'.";
const NO_FIELDS = 'The item has no fields at all. Check the previous node.';
const ENTER = 'Enter a phone number there, or remove the item before this node.';

it.each([
	[' ', { name: 'Ana', to: 1 }, "'Phone Number Field' is empty", CHOOSE],
	['', {}, "'Phone Number Field' is empty", NO_FIELDS],
	['name', { name: '' }, 'The field “name” of this item is empty', ENTER],
	['to.phone', { to: { phone: null } }, 'The field “to.phone” of this item is empty', ENTER],
	['phone', {}, 'The item has no field “phone”', NO_FIELDS],
	[
		'phone',
		{ name: 'Ana', to: 1 },
		'The item has no field “phone”',
		`${CHOOSE} If other items have “phone”, its cell may be empty here: enter a number there, or remove the item before this node.`,
	],
])('the error about no phone number in the field %j of %j says why', (name, json, what, advice) => {
	expect(noNumberIn(name, json)).toMatchObject({ what, advice });
});
