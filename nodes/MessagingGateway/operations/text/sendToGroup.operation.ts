import { alone } from '../alone';
import { contactGroupIdField, messageField } from '../fields';
import type { Operation } from '../operation';
import { toGroup } from '../recipient';

export const sendTextToGroup: Operation = {
	resource: 'text',
	operation: 'sendToGroup',
	name: 'Send to Contact Group',
	action: 'Send text message to contact group',
	description: 'Send a text to all numbers of a contact group, a list that is kept at the gateway',
	fields: [contactGroupIdField, messageField],
	options: ['bodyFormat', 'deviceId'],
	toMessage(item) {
		const recipient = toGroup(item.readGroupId('contact group ID'));
		const message = item.readMessage();
		return alone({
			recipient,
			words: [message],
			request: {
				path: ['api', 'v1', 'message', 'sendgroup', recipient.to],
				format: item.readBodyFormat(),
				fields: { deviceid: item.readDeviceId(), message },
				answer: 'envelope',
				pathAdvice:
					"If other messages arrive, check the 'Contact Group ID': the gateway may answer in the same way for a contact group that it does not know.",
			},
		});
	},
};
