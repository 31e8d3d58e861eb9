import { documentFields, groupFieldsOfFiles } from '../fields';
import { type Operation, single } from '../operation';

export const sendDocumentToGroup: Operation = {
	resource: 'document',
	operation: 'sendToGroup',
	name: 'Send to Chat Group',
	action: 'Send document to chat group',
	description: 'Send a document to a chat group',
	recipient: 'groupId',
	fields: [...groupFieldsOfFiles, ...documentFields],
	options: ['allowedNumbers', 'defaultCountryCode', 'doubtfulNumbers', 'fileName'],
	toMessage(item) {
		const recipient = item.readGroup('chat group ID');
		const phone = item.readAllowedPhoneNumber();
		return single({
			recipient,
			requestTo: (to) => ({
				path: ['api', 'v2', 'message', 'send-group-document'],
				fields: { phone: phone.to, groupid: to },
				answer: 'anyJson',
			}),
			attached: item.readFile('document'),
		});
	},
};
