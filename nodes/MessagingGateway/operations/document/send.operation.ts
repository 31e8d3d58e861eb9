import { documentFields, phoneNumberField } from '../fields';
import { type Operation, single } from '../operation';

export const sendDocument: Operation = {
	resource: 'document',
	operation: 'send',
	name: 'Send',
	action: 'Send document',
	description: 'Send a document to one phone number',
	recipient: 'phoneNumber',
	fields: [phoneNumberField, ...documentFields],
	options: [
		'allowedNumbers',
		'defaultCountryCode',
		'doubtfulNumbers',
		'fileName',
		'skipNumbers',
		'testNumber',
	],
	toMessage(item) {
		const recipient = item.readPhoneNumber();
		return single({
			recipient,
			requestTo: (to) => ({
				path: ['api', 'v2', 'message', 'send-document'],
				fields: { phone: to },
				answer: 'envelope',
			}),
			attached: item.readFile('document'),
		});
	},
};
