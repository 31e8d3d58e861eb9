import { captionField, imageFields, phoneNumberField } from '../fields';
import type { Item } from '../item';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendImage: Operation = {
	resource: 'image',
	operation: 'send',
	name: 'Send',
	action: 'Send image',
	description: 'Send an image to one phone number',
	fields: [phoneNumberField, ...imageFields, captionField],
	options: ['defaultCountryCode', 'fileName', 'skipNumbers'],
	toMessage(item) {
		const { digits: phone } = item.readPhoneNumber();
		return single(
			phone,
			{
				path: ['api', 'v2', 'message', 'send-image'],
				fields: { phone, ...captionOf(item) },
				answer: 'envelope',
			},
			{ field: 'image', file: item.readFile('image') },
		);
	},
};

/** An empty caption is not sent. */
export function captionOf(item: Item): { caption?: string } {
	const caption = item.readCaption();
	return caption === '' ? {} : { caption };
}
