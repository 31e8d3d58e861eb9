import { messageOf, NUMBER, PDF, refusal, requestOf } from '../read';

const parameters = {
	resource: 'document',
	operation: 'sendToGroup',
	phoneNumber: NUMBER,
	groupId: 'g1',
};
const item = { binary: { data: PDF } };

it('the node sends a document to a group, with both names that the gateway asks for', async () => {
	const request = await requestOf({ parameters, item });
	expect(request).toMatchObject({
		path: ['api', 'v2', 'message', 'send-group-document'],
		answer: 'anyJson',
		file: { field: 'document' },
	});
	expect(request.fields).toEqual({ phone: NUMBER, groupid: 'g1' });
	expect((await messageOf({ parameters, item })).recipients).toEqual([
		{ to: 'g1', asEntered: 'g1' },
	]);
});

it('the node refuses a document without a group, in the words of its field', async () => {
	expect(await refusal({ parameters: { ...parameters, groupId: '={{ "" }}' } })).toMatchObject({
		what: 'The chat group ID is empty',
		advice: "Enter it in 'Chat Group ID', or check the expression there.",
	});
});
