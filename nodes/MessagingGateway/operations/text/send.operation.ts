import { messageField, phoneNumberField } from '../fields';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendText: Operation = {
	resource: 'text',
	operation: 'send',
	name: 'Send',
	action: 'Send text message',
	description: 'Send a text to one phone number',
	fields: [phoneNumberField, messageField],
	options: ['defaultCountryCode', 'deviceId', 'skipNumbers'],
	toMessage(item) {
		const { digits: number } = item.readPhoneNumber();
		return single(number, {
			path: ['api', 'v1', 'message', 'send'],
			format: 'form',
			fields: { deviceid: item.readDeviceId(), number, message: item.readMessage() },
			answer: 'envelope',
		});
	},
};
