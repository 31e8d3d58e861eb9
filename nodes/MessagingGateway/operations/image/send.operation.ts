import { captionField, imageFields, phoneNumberField } from '../fields';
import type { Item } from '../item';
import type { Operation } from '../operation';
import { single } from '../single';

export const sendImage: Operation = {
	resource: 'image',
	operation: 'send',
	name: 'Send',
	action: 'Send an image',
	description: 'Send an image to one phone number',
	fields: [phoneNumberField, ...imageFields, captionField],
	options: ['defaultCountryCode', 'fileName'],
	toMessage(item) {
		const phone = item.phoneNumber;
		return single(
			phone,
			{
				path: ['api', 'v2', 'message', 'send-image'],
				fields: { phone, ...captionOf(item) },
				answer: 'envelope',
			},
			{ field: 'image', file: item.file('image') },
		);
	},
};

/** The caption, sent only where there is one. */
export function captionOf({ caption }: Item): { caption?: string } {
	return caption === '' ? {} : { caption };
}
