import { messageField, phoneNumberField } from '../fields';
import { type Operation, single } from '../operation';

export const sendText: Operation = {
	resource: 'text',
	operation: 'send',
	name: 'Send',
	action: 'Send text message',
	description: 'Send a text to one phone number',
	recipient: 'phoneNumber',
	fields: [phoneNumberField, messageField],
	options: [
		'allowedNumbers',
		'defaultCountryCode',
		'deviceId',
		'doubtfulNumbers',
		'skipNumbers',
		'testNumber',
	],
	toMessage(item) {
		const recipient = item.readPhoneNumber();
		const deviceid = item.readDeviceId();
		const message = item.readMessage();
		return single({
			recipient,
			text: message,
			requestTo: (to) => ({
				path: ['api', 'v1', 'message', 'send'],
				format: 'form',
				fields: { deviceid, number: to, message },
				answer: 'envelope',
			}),
		});
	},
};
