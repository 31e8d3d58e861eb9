import { NUMBER, PDF, requestOf } from '../read';

const parameters = { resource: 'document', operation: 'send', phoneNumber: NUMBER };
const item = { binary: { data: PDF } };

it('the node sends a document to a number, through no device', async () => {
	const request = await requestOf({ parameters, item, device: '' });
	const { fileName: name, mimeType: contentType, content } = PDF;
	expect(request).toMatchObject({
		path: ['api', 'v2', 'message', 'send-document'],
		answer: 'envelope',
		file: { field: 'document', content: { name, contentType, size: content.length } },
	});
	expect(request.fields).toEqual({ phone: NUMBER });
});
