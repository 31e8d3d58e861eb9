import type { IDataObject } from 'n8n-workflow';
import { messageOf, NUMBER, readItem, refusal, toOf } from '../read';

const bulk = { operation: 'sendBulk', message: 'Halo' };

it('the node refuses a list with a wrong number, unless wrong numbers are skipped', async () => {
	const phoneNumbers = `abc, ${NUMBER}`;
	const skip = { invalidNumbers: 'skip' };

	expect((await refusal({ parameters: { ...bulk, phoneNumbers } })).what).toBe(
		'“abc” is not a phone number',
	);
	const given = { parameters: { ...bulk, phoneNumbers, options: skip } };
	expect(toOf(await messageOf(given))).toEqual([NUMBER]);
	expect(await readItem(async (item) => await item.readPhoneNumbers(), given)).toMatchObject({
		recipients: [{ to: NUMBER, asEntered: NUMBER }],
		refusals: [{ asEntered: 'abc', why: '“abc” is not a phone number' }],
	});
	expect(
		(await refusal({ parameters: { ...bulk, phoneNumbers: 'abc', options: skip } })).what,
	).toBe('“abc” is not a phone number');
});

it('the node skips wrong numbers for the items that say so', async () => {
	const parameters = {
		...bulk,
		phoneNumbers: 'abc, 081234567890',
		options: { invalidNumbers: '={{ $json.strict ? "refuse" : "skip" }}' },
	};
	expect(toOf(await messageOf({ parameters, item: { json: { strict: false } } }))).toHaveLength(1);
	await refusal({ parameters, item: { json: { strict: true } } });
});

const items = { ...bulk, recipientSource: 'items' };

it.each<[string | undefined, IDataObject]>([
	[undefined, { phone: NUMBER }],
	['tel', { tel: NUMBER }],
	['a.b[1].c', { a: { b: [{}, { c: NUMBER }] } }],
	['a.b', { 'a.b': NUMBER, a: { b: 'wrong' } }],
	['phone', { phone: 6281234567890 }],
])('the node takes the number of an item from the field %s', async (field, json) => {
	const parameters = { ...items, ...(field ? { phoneNumberField: field } : {}) };
	const message = await messageOf({ parameters, item: { json } });
	expect(message).toMatchObject({ travels: 'grouped', recipients: [{ to: NUMBER }] });
});

it('the node refuses an item without the field, or without a number in it', async () => {
	expect(await refusal({ parameters: items, item: { json: {} } })).toMatchObject({
		what: 'The item has no field “phone”',
		advice: 'The item has no fields at all. Check the previous node.',
	});
	expect((await refusal({ parameters: items, item: { json: { phone: [] } } })).what).toContain(
		'is an empty list, not a phone number',
	);
});

it.each<[string, IDataObject]>([
	['phone', { phone: null }],
	['phone', { phone: '' }],
	['phone', { phone: ' \u200B' }],
	['phone', { phone: undefined }],
	['customer.phone', { customer: { phone: '' } }],
	['customer.phone', { customer: { phone: undefined } }],
	['customer.phone', { 'customer.phone': '' }],
])('an item is refused whose field %s is there, but empty: %j', async (phoneNumberField, json) => {
	const parameters = { ...items, phoneNumberField };
	expect(await refusal({ parameters, item: { json } })).toMatchObject({
		what: `The field “${phoneNumberField}” of this item is empty`,
		advice: 'Enter a phone number there, or remove the item before this node.',
	});
});

it('the node names the fields that the item has if the one to read is missing', async () => {
	const json = { name: 'Ana', handphone: NUMBER, customer: {} };
	const names =
		"Its fields are: name, handphone, customer. Enter one of them in 'Phone Number Field'.";
	const adviceFor = (name: string) =>
		`${names} If other items have “${name}”, its cell may be empty here: enter a number there, or remove the item before this node.`;
	expect(await refusal({ parameters: items, item: { json } })).toMatchObject({
		advice: adviceFor('phone'),
	});
	const nested = { ...items, phoneNumberField: 'customer.phone' };
	expect(await refusal({ parameters: nested, item: { json } })).toMatchObject({
		what: 'The item has no field “customer.phone”',
		advice: adviceFor('customer.phone'),
	});
	const blank = { ...items, phoneNumberField: ' ' };
	expect(await refusal({ parameters: blank, item: { json } })).toMatchObject({
		what: "'Phone Number Field' is empty",
		advice: names,
	});
});

it('the node does not find a number in what every object has', async () => {
	const parameters = { ...items, phoneNumberField: 'constructor' };
	await refusal({ parameters, item: { json: {} } });
});

it('the node sends items together whose text and device are equal', async () => {
	const identityOf = async (phone: string, message: string, deviceId = 'd') => {
		const parameters = { ...items, message, options: { deviceId } };
		return (await messageOf({ parameters, item: { json: { phone } } })).identity;
	};
	const identity = await identityOf('628111111111', 'a');
	expect(identity).toBeDefined();
	expect(await identityOf('628222222222', 'a')).toBe(identity);
	expect(await identityOf('628111111111', 'b')).not.toBe(identity);
	expect(await identityOf('628111111111', 'a', 'e')).not.toBe(identity);
});
