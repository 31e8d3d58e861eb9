import { captionField, groupFieldsOfFiles, imageFields } from '../fields';
import { type Operation, single } from '../operation';
import { toCaption } from './send.operation';

export const sendImageToGroup: Operation = {
	resource: 'image',
	operation: 'sendToGroup',
	name: 'Send to Chat Group',
	action: 'Send image to chat group',
	description: 'Send an image to a chat group',
	recipient: 'groupId',
	fields: [...groupFieldsOfFiles, ...imageFields, captionField],
	options: ['allowedNumbers', 'defaultCountryCode', 'doubtfulNumbers', 'fileName'],
	toMessage(item) {
		const recipient = item.readGroup('chat group ID');
		const phone = item.readAllowedPhoneNumber();
		const caption = item.readCaption();
		return single({
			recipient,
			requestTo: (to) => ({
				path: ['api', 'v2', 'message', 'send-group-image'],
				fields: { phone: phone.to, groupid: to, ...toCaption(caption) },
				answer: 'anyJson',
			}),
			attached: item.readFile('image'),
		});
	},
};
