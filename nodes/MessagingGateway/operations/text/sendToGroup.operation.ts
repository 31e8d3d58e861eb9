import { groupIdField, messageField } from '../fields';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendTextToGroup: Operation = {
	resource: 'text',
	operation: 'sendToGroup',
	name: 'Send to Group',
	action: 'Send a text message to a group',
	description: 'Send a text to all members of a group',
	fields: [groupIdField, messageField],
	options: ['bodyFormat', 'deviceId'],
	toMessage(item) {
		const { groupId } = item;
		return single(groupId, {
			path: ['api', 'v1', 'message', 'sendgroup', groupId],
			format: item.bodyFormat,
			fields: { deviceid: item.deviceId, message: item.message },
			answer: 'envelope',
			pathAdvice:
				'If other messages arrive, check the Group ID: the gateway may answer in the same way for a group that it does not know.',
		});
	},
};
