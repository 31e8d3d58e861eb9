import { messageOf, NUMBER, PDF, requestOf } from '../read';

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

it('the node knows a document by its number and its address in every release', async () => {
	const fileUrl = 'http://127.0.0.1:1/a';
	const file = { fileSource: 'url', fileUrl };
	const { identity } = await messageOf({ parameters: { ...parameters, ...file } });
	expect(JSON.parse(identity)).toEqual([
		'api/v2/message/send-document',
		NUMBER,

		JSON.stringify([fileUrl, '']),
	]);
});
