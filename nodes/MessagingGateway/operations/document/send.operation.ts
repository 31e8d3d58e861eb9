import { documentFields, phoneNumberField } from '../fields';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendDocument: Operation = {
	resource: 'document',
	operation: 'send',
	name: 'Send',
	action: 'Send document',
	description: 'Send a document to one phone number',
	fields: [phoneNumberField, ...documentFields],
	options: ['defaultCountryCode', 'fileName', 'skipNumbers'],
	toMessage(item) {
		const { digits: phone } = item.readPhoneNumber();
		return single(
			phone,
			{
				path: ['api', 'v2', 'message', 'send-document'],
				fields: { phone },
				answer: 'envelope',
			},
			{ field: 'document', file: item.readFile('document') },
		);
	},
};
