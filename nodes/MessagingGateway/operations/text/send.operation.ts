import { messageField, phoneNumberField } from '../fields';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendText: Operation = {
	resource: 'text',
	operation: 'send',
	name: 'Send',
	action: 'Send a text message',
	description: 'Send a text to one phone number',
	fields: [phoneNumberField, messageField],
	options: ['defaultCountryCode', 'deviceId'],
	toMessage(item) {
		const number = item.phoneNumber;
		return single(number, {
			path: ['api', 'v1', 'message', 'send'],
			format: 'form',
			fields: { deviceid: item.deviceId, number, message: item.message },
			answer: 'envelope',
		});
	},
};
