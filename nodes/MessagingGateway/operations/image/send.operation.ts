import { captionField, imageFields, phoneNumberField } from '../fields';
import { type Operation, single } from '../operation';

export const sendImage: Operation = {
	resource: 'image',
	operation: 'send',
	name: 'Send',
	action: 'Send image',
	description: 'Send an image to one phone number',
	recipient: 'phoneNumber',
	fields: [phoneNumberField, ...imageFields, captionField],
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
		const caption = item.readCaption();
		return single({
			recipient,
			requestTo: (to) => ({
				path: ['api', 'v2', 'message', 'send-image'],
				fields: { phone: to, ...toCaption(caption) },
				answer: 'envelope',
			}),
			attached: item.readFile('image'),
		});
	},
};

/** The caption is sent only if there is one. */
export function toCaption(caption: string): { caption?: string } {
	return caption === '' ? {} : { caption };
}
