import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { messageOf, NUMBER, refusal, requestOf } from '../read';

const ask = { operation: 'sendAndWait', phoneNumber: '+62 812-3456-7890', message: 'Refund?' };
const both = (more = {}) => ({ values: { ...more } });

it('the node sends the question with the link below it', async () => {
	expect(await requestOf({ parameters: ask })).toEqual({
		path: ['api', 'v1', 'message', 'send'],
		format: 'form',
		fields: {
			deviceid: 'device-1',
			number: NUMBER,
			message: 'Refund?\n\nhttps://n8n.example/approval',
		},
		answer: 'envelope',
	});
});

const NAME = { kind: 'text', label: 'Name', isRequired: false, initial: [], placeholder: '' };

it.each<[string, IDataObject, object]>([
	['approving', {}, { kind: 'approval', approveLabel: 'Approve' }],
	[
		'both',
		{ approvalOptions: both() },
		{ kind: 'approval', approveLabel: 'Approve', declineLabel: 'Decline' },
	],
	[
		'own labels',
		{ approvalOptions: both({ approveLabel: ' Ya ', disapproveLabel: '' }) },
		{ kind: 'approval', approveLabel: 'Ya', declineLabel: 'Decline' },
	],
	[
		'approving, as added',
		{ approvalOptions: { values: { approvalType: 'single', approveLabel: 'Ya' } } },
		{ kind: 'approval', approveLabel: 'Ya' },
	],
	['a text', { responseType: 'freeText' }, { kind: 'freeText' }],
	[
		'a text on a page with words of its own',
		{
			responseType: 'freeText',
			options: {
				responseFormTitle: '={{ " Visit " }}',
				responseFormDescription: 'How was it?',
				responseFormButtonLabel: 'Tell us',
			},
		},
		{ kind: 'freeText', text: 'How was it?', title: 'Visit', buttonLabel: 'Tell us' },
	],
	[
		'a form on a page whose words are empty',
		{
			responseType: 'customForm',
			formFields: { values: [{ fieldLabel: 'Name' }] },
			options: { responseFormTitle: '', responseFormDescription: '={{ null }}' },
		},
		{ kind: 'customForm', fields: [NAME] },
	],
	[
		'approving, whose page has no such words',
		{ options: { responseFormTitle: 'Visit' } },
		{ kind: 'approval', approveLabel: 'Approve' },
	],
	[
		'the fields of a form',
		{ responseType: 'customForm', formFields: { values: [{ fieldLabel: '={{ "Na" + "me" }}' }] } },
		{ kind: 'customForm', fields: [NAME] },
	],
	[
		'a form in JSON',
		{ responseType: 'customForm', defineForm: 'json', jsonOutput: '[{ "fieldLabel": "Name" }]' },
		{ kind: 'customForm', fields: [NAME] },
	],
	[
		'a form of an expression',
		{
			responseType: 'customForm',
			defineForm: 'json',
			jsonOutput: '={{ [{ fieldLabel: "Name" }] }}',
		},
		{ kind: 'customForm', fields: [NAME] },
	],
])('the node offers for an answer: %s', async (_, more, question) => {
	const onQuestion = jest.fn();
	await messageOf({ parameters: { ...ask, ...more } as INodeParameters, onQuestion });
	expect(onQuestion).toHaveBeenCalledWith({ text: 'Refund?', ...question });
});

it('the node refuses a form that the page cannot show', async () => {
	const more = { responseType: 'customForm', formFields: {} };
	const error = await refusal({ parameters: { ...ask, ...more } });
	expect(error.what).toBe('The form has no fields');
});

it.each([
	['approveLabel', 'approve button label'],
	['disapproveLabel', 'decline button label'],
])('the node refuses a question whose %s is no text', async (label, name) => {
	const values = { approvalType: 'double', [label]: '={{ ({ a: 1 }) }}' };
	const error = await refusal({ parameters: { ...ask, approvalOptions: { values } } });
	expect(error.what).toBe(`The ${name} is an object, not text`);
});

it('the node refuses a question whose time is over before it is sent', async () => {
	const values = { limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00' };
	const error = await refusal({ parameters: { ...ask, options: { limitWaitTime: { values } } } });
	expect(error.what).toContain('is in the past');
});
