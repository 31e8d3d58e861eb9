import { inputErrorOf } from '../../support/rooms';
import { fieldAt, noNumberIn } from '../../../nodes/MessagingGateway/input/numberField';

it.each([
	['phone', { phone: 1 }, 1],
	['to.phone', { to: { phone: 2 } }, 2],
	['to[0].phone', { to: [{ phone: 3 }] }, 3],
	['to.phone', { to: { phone: 2 }, 'to.phone': 4 }, 4],
	['phone', { name: 'Ana' }, undefined],
	['constructor', {}, undefined],
	['phone', { '\uFEFFphone': 5 }, 5],
	['phone', { ' phone\u00A0\n': 6 }, 6],
	['phone ', { phone: 7 }, 7],
	['Phone Number', { 'Phone\u00A0\r\nNumber': 8 }, 8],
	['Teléfono', { 'Tele\u0301fono': 9 }, 9],
	['to.phone', { '\u200Bto': { 'pho\u00ADne': 10 } }, 10],
	['to.phone', { 'to.phone\uFE0F': 11 }, 11],
	['phone', { phone: '', 'phone ': 12 }, ''],
	['phone', { Phone: 13, fone: 13 }, undefined],
	['', { ' ': 14 }, undefined],
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

it('two fields that look alike are told apart by the characters that nobody sees', () => {
	const json = { 'phone ': 1, '\uFEFF\u200Bphone': 2, 'pho\u200Bne': 3, name: 'Ana' };
	expect(inputErrorOf(() => fieldAt(json, 'phone'))).toMatchObject({
		what: 'This item has 3 fields that look like “phone”: phone (with U+0020 at the end), phone (with U+FEFF U+200B in front), phone (with U+200B inside)',
		advice: expect.stringContaining('Remove or rename all but one of them') as string,
	});
});
