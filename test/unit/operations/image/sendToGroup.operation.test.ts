import { messageOf, NUMBER, PHOTO, refusal, requestOf } from '../read';

const parameters = {
	resource: 'image',
	operation: 'sendToGroup',
	phoneNumber: NUMBER,
	groupId: 'g1',
};
const item = { binary: { data: PHOTO } };

it('the node sends an image to a group, with both names that the gateway asks for', async () => {
	const request = await requestOf({ parameters: { ...parameters, caption: 'Halo' }, item });
	expect(request).toMatchObject({
		path: ['api', 'v2', 'message', 'send-group-image'],
		answer: 'anyJson',
		file: { field: 'image' },
	});
	expect(request.fields).toEqual({ phone: NUMBER, groupid: 'g1', caption: 'Halo' });
	expect((await messageOf({ parameters, item })).recipients).toEqual([
		{ to: 'g1', asEntered: 'g1' },
	]);
});

it('the node refuses an image without a group, in the words of its field', async () => {
	expect(await refusal({ parameters: { ...parameters, groupId: '={{ "" }}' } })).toMatchObject({
		what: 'The chat group ID is empty',
		advice: "Enter it in 'Chat Group ID', or check the expression there.",
	});
});
