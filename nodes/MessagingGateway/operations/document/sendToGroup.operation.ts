import { documentFields, groupFieldsOfFiles } from '../fields';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendDocumentToGroup: Operation = {
	resource: 'document',
	operation: 'sendToGroup',
	name: 'Send to Group',
	action: 'Send document to group',
	description: 'Send a document to all members of a group',
	fields: [...groupFieldsOfFiles, ...documentFields],
	options: ['defaultCountryCode', 'fileName'],
	toMessage(item) {
		const { id: groupId } = item.readGroupId();
		const { digits: phone } = item.readPhoneNumber();
		return single(
			groupId,
			{
				path: ['api', 'v2', 'message', 'send-group-document'],
				fields: { phone, groupid: groupId },
				answer: 'anyJson',
			},
			{ field: 'document', file: item.readFile('document') },
		);
	},
};
