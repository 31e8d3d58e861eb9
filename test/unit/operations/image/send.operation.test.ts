import { NUMBER, PHOTO, requestOf } from '../read';

const parameters = { resource: 'image', operation: 'send', phoneNumber: NUMBER };
const item = { binary: { data: PHOTO } };

it('the node sends an image to a number, through no device', async () => {
	const request = await requestOf({ parameters, item, device: '' });
	const { fileName: name, mimeType: contentType, content } = PHOTO;
	expect(request).toMatchObject({
		path: ['api', 'v2', 'message', 'send-image'],
		answer: 'envelope',
		file: { field: 'image', content: { name, contentType, size: content.length } },
	});
	expect(request.fields).toEqual({ phone: NUMBER });
});

it('the node sends a caption only if there is one', async () => {
	const fieldsOf = async (caption: string) =>
		(await requestOf({ parameters: { ...parameters, caption }, item })).fields;
	expect(await fieldsOf('Halo')).toEqual({ phone: NUMBER, caption: 'Halo' });
	expect(await fieldsOf('')).toEqual({ phone: NUMBER });
});
