import { readReply } from '../../../nodes/MessagingGateway/ask/reply';
import { LONGEST_REPLY } from '../../../nodes/MessagingGateway/ask/typed';
import type { FormField, Question } from '../../../nodes/MessagingGateway/shared/question';

const one: Question = { kind: 'approval', text: 'Refund?', approveLabel: 'Yes' };
const two: Question = { ...one, declineLabel: 'No' };
const freeText: Question = { kind: 'freeText', text: 'Why?' };

it('an approval is the button that the person chose, and its label', () => {
	const yes = { data: { approved: true }, words: 'Yes' };
	expect(readReply(two, { answer: 'approve' })).toEqual(yes);
	expect(readReply(one, { answer: 'approve' })).toEqual(yes);
	expect(readReply(two, { answer: 'decline' })).toEqual({
		data: { approved: false },
		words: 'No',
	});
});

it.each([
	['a button that is not there', one, { answer: 'decline' }],
	['another value', two, { answer: 'true' }],
	['both buttons', two, { answer: ['approve', 'decline'] }],
	['the form of n8n’s own nodes', two, { approved: 'true' }],
	['a text', two, { text: 'approve' }],
	['an empty form', two, {}],
	['no form', two, undefined],
	['a text that is not a form', two, 'answer=approve'],
	['nothing', two, null],
])('an approval is not %s', (_, question, body) => {
	expect(readReply(question, body)).toEqual({ refusal: 'choose' });
});

it('a text comes as it was typed, a line break being one character, without what no database stores', () => {
	const text = '  "Quotes" <b> & 👍🏽\0\r\n\r\nالعربية\r';
	const words = '  "Quotes" <b> & 👍🏽\n\nالعربية\n';
	expect(readReply(freeText, { text })).toEqual({ data: { text: words }, words });
});

it.each(['', ' \r\n\t', '\u200B\u200E', '\0', undefined, ['a'], 5])(
	'a text that answers is not empty: %j',
	(text) => {
		expect(readReply(freeText, { text })).toEqual({ refusal: 'empty' });
	},
);

it('a text that answers is refused if it is too long, and not lost', () => {
	const text = 'a\n'.repeat(LONGEST_REPLY / 2);
	expect(readReply(freeText, { text: text.replaceAll('\n', '\r\n') })).toEqual({
		data: { text },
		words: text,
	});
	expect(readReply(freeText, { text: `${text}b` })).toEqual({
		refusal: 'tooLong',
		typed: `${text}b`,
	});
});

it('a form is read from the part of the body where n8n keeps texts', () => {
	const field: FormField = {
		kind: 'text',
		label: 'A',
		isRequired: true,
		initial: [],
		placeholder: '',
	};
	const form: Question = { kind: 'customForm', text: '?', fields: [field] };
	expect(readReply(form, { data: { 'field-0': 'x' } })).toEqual({
		data: { A: 'x' },
		words: 'A: x',
	});
	for (const body of [{ 'field-0': 'x' }, { data: 'x' }, undefined]) {
		expect(readReply(form, body)).toMatchObject({ refusal: 'correct' });
	}
});
