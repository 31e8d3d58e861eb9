import { contactGroupIdField, messageField } from '../fields';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendTextToGroup: Operation = {
	resource: 'text',
	operation: 'sendToGroup',
	name: 'Send to Contact Group',
	action: 'Send text message to contact group',
	description: 'Send a text to all numbers of a contact group, a list that is kept at the gateway',
	fields: [contactGroupIdField, messageField],
	options: ['bodyFormat', 'deviceId'],
	toMessage(item) {
		const { id: groupId } = item.readGroupId('contact group ID');
		return single(groupId, {
			path: ['api', 'v1', 'message', 'sendgroup', groupId],
			format: item.readBodyFormat(),
			fields: { deviceid: item.readDeviceId(), message: item.readMessage() },
			answer: 'envelope',
			pathAdvice:
				"If other messages arrive, check 'Contact Group ID': the gateway may give the same answer for a contact group that it does not know.",
		});
	},
};
