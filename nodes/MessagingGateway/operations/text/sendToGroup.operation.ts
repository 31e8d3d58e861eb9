import { contactGroupIdField, messageField } from '../fields';
import { type Operation, single } from '../operation';

export const sendTextToGroup: Operation = {
	resource: 'text',
	operation: 'sendToGroup',
	name: 'Send to Contact Group',
	action: 'Send text message to contact group',
	description:
		'Send a text to everybody in a contact group, a list of contacts that your gateway keeps',
	recipient: 'groupId',
	fields: [contactGroupIdField, messageField],
	options: ['bodyFormat', 'deviceId'],
	toMessage(item) {
		const recipient = item.readGroup('contact group ID');
		const message = item.readMessage();
		const format = item.readBodyFormat();
		const deviceid = item.readDeviceId();
		return single({
			recipient,
			text: message,
			requestTo: (to) => ({
				path: ['api', 'v1', 'message', 'sendgroup', to],
				format,
				fields: { deviceid, message },
				answer: 'envelope',
				pathAdvice:
					"If other messages go out, the Base URL is right, and the gateway may not know the contact group: check 'Contact Group ID'.",
			}),
		});
	},
};
