import { captionField, groupFieldsOfFiles, imageFields } from '../fields';
import type { Operation } from '../operation';
import { single } from '../single';
import { captionOf } from './send.operation';

export const sendImageToGroup: Operation = {
	resource: 'image',
	operation: 'sendToGroup',
	name: 'Send to Group',
	action: 'Send image to group',
	description: 'Send an image to all members of a group',
	fields: [...groupFieldsOfFiles, ...imageFields, captionField],
	options: ['defaultCountryCode', 'fileName'],
	toMessage(item) {
		const { id: groupId } = item.readGroupId();
		const { digits: phone } = item.readPhoneNumber();
		return single(
			groupId,
			{
				path: ['api', 'v2', 'message', 'send-group-image'],
				fields: { phone, groupid: groupId, ...captionOf(item) },
				answer: 'anyJson',
			},
			{ field: 'image', file: item.readFile('image') },
		);
	},
};
