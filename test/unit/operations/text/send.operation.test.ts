import { messageOf, NUMBER, refusal, requestOf } from '../read';

const parameters = { phoneNumber: '+62 812-3456-7890', message: 'Halo' };

it('the node sends a text to a number, as a new node does', async () => {
	expect(await requestOf({ parameters })).toEqual({
		path: ['api', 'v1', 'message', 'send'],
		format: 'form',
		fields: { deviceid: 'device-1', number: NUMBER, message: 'Halo' },
		answer: 'envelope',
	});
});

it('the node sends a text by itself, to one recipient', async () => {
	expect(await messageOf({ parameters })).toMatchObject({
		travels: 'single',
		recipients: [{ to: NUMBER }],
	});
});

it('the node sends a text through another device if its item says so', async () => {
	const options = { deviceId: ' device-2 ' };
	const request = await requestOf({ parameters: { ...parameters, options } });
	expect(request.fields.deviceid).toBe('device-2');
});

it('the node refuses a text without any device', async () => {
	const error = await refusal({ parameters, device: '' });
	expect(error).toMatchObject({
		what: 'The Device ID is missing',
		advice: "Enter it in the credential, or set the option 'Device ID'.",
	});
});

it('the node refuses a text without a message, or without a number', async () => {
	expect((await refusal({ parameters: { ...parameters, message: '={{ " " }}' } })).what).toBe(
		'The message is empty',
	);
	expect((await refusal({ parameters: { ...parameters, phoneNumber: '={{ "" }}' } })).what).toBe(
		'The phone number is missing',
	);
});

it('the node takes the number and the text from expressions', async () => {
	const request = await requestOf({
		parameters: { phoneNumber: '={{ $json.tel }}', message: '=Halo {{ $json.name }}' },
		item: { json: { tel: 6281234567890, name: 'Budi' } },
	});
	expect(request.fields).toMatchObject({ number: '6281234567890', message: 'Halo Budi' });
});
