import { messageOf, readItem, refusal, requestOf } from '../read';

const parameters = { operation: 'sendToGroup', groupId: ' a/b ', message: 'Halo' };

it('the node sends a text to a group that stands in the path', async () => {
	expect(await requestOf({ parameters })).toEqual({
		path: ['api', 'v1', 'message', 'sendgroup', 'a/b'],
		format: 'json',
		fields: { deviceid: 'device-1', message: 'Halo' },
		answer: 'envelope',
		pathAdvice: expect.stringContaining('Group ID'),
	});
});

it('the node sends the texts of a group in order', async () => {
	expect(await messageOf({ parameters })).toMatchObject({ recipients: [{ to: 'a/b' }] });
});

it('the node encodes the text of a group as a form if the option says so', async () => {
	const options = { bodyFormat: 'form' };
	expect((await requestOf({ parameters: { ...parameters, options } })).format).toBe('form');
});

it('the node reads a name in the place of an ID, for a warning', async () => {
	const given = { parameters: { ...parameters, groupId: ' Class 5B ' } };
	expect(await readItem((item) => item.readGroup('chat group ID'), given)).toEqual({
		to: 'Class 5B',
		asEntered: 'Class 5B',
		doubt: 'looksLikeName',
	});
});

it('the node refuses a text without a group', async () => {
	expect((await refusal({ parameters: { ...parameters, groupId: '={{ "" }}' } })).what).toBe(
		'The contact group ID is empty',
	);
});

it('the node refuses the ID of a group that came as a number and has lost its last digits', async () => {
	const groupId = '={{ $json.group }}';
	const item = { json: { group: Number('120363025246125016') } };
	expect(await refusal({ parameters: { ...parameters, groupId }, item })).toMatchObject({
		what: 'The contact group ID arrived as the number 120363025246125020, and its last digits were lost',
		advice: expect.stringContaining('Pass it as text'),
	});
});
