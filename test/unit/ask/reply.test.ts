import { LONGEST_REPLY, readReply } from '../../../nodes/MessagingGateway/ask/reply';
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

const typed = (kind: string, more: object = {}) =>
	({ kind, label: 'A', isRequired: false, initial: [], placeholder: '', ...more }) as FormField;
const chosen = (kind: string, more: object = {}) =>
	({ ...typed(kind), choices: ['Red', 'Blue', 'Green'], least: 0, most: 3, ...more }) as FormField;

const read = (body: object, ...fields: FormField[]) =>
	readReply({ kind: 'customForm', text: '?', fields }, { data: body });
const replyTo = (field: FormField, value: unknown) => {
	const reply = read({ 'field-0': value }, field);
	return 'data' in reply ? reply.data.A : reply.replies?.[0];
};

it.each<[FormField, unknown, unknown]>([
	[typed('text'), ' \u200Ba "b" <c>\0 ', 'a "b" <c>'],
	[typed('textarea'), ' a\r\nb ', ' a\nb '],
	[typed('number'), '-1.50', -1.5],
	[typed('number'), '1e3', 1000],
	[typed('number'), '.5', 0.5],
	[typed('date'), '2028-02-29', '2028-02-29'],
	[typed('email'), ' ana@example.co.id ', 'ana@example.co.id'],
	[typed('number'), '', null],
	[typed('text'), undefined, null],
	[chosen('choice', { most: 1 }), '1', 'Blue'],
	[chosen('choice', { most: 1 }), undefined, null],
	[chosen('choice', { most: 1 }), '', null],
	[chosen('choices', { least: 2 }), ['2', '0'], ['Red', 'Green']],
	[chosen('choices'), ['0', '1', '2'], ['Red', 'Blue', 'Green']],
	[chosen('choices'), '1', ['Blue']],
	[chosen('choices', { isRequired: true }), '1', ['Blue']],
	[chosen('choices'), undefined, []],
])('a form takes a reply by the kind of its field: %j, %j', (field, value, answer) => {
	expect(replyTo(field, value)).toEqual(answer);
});

it.each<[string, FormField, unknown, string[]]>([
	['missing', typed('text', { isRequired: true }), ' \u200B', []],
	['missing', typed('number', { isRequired: true }), undefined, []],
	['missing', typed('text', { isRequired: true }), ['a'], []],
	['missing', chosen('choices', { isRequired: true, least: 2 }), undefined, []],
	['notNumber', typed('number'), '12 apples', ['12 apples']],
	['notNumber', typed('number'), '1,5', ['1,5']],
	['notNumber', typed('number'), '0x10', ['0x10']],
	['notNumber', typed('number'), '1e999', ['1e999']],
	['notDate', typed('date'), '2026-02-31', ['2026-02-31']],
	['notDate', typed('date'), 'tomorrow', ['tomorrow']],
	['notDate', typed('date'), '2026-13-01', ['2026-13-01']],
	['notDate', typed('date'), '2026-02', ['2026-02']],
	['notEmail', typed('email'), 'ana@localhost', ['ana@localhost']],
	['notEmail', typed('email'), 'a@b@c.de', ['a@b@c.de']],
	['notEmail', typed('email'), `a@${'b'.repeat(250)}.de`, [`a@${'b'.repeat(250)}.de`]],
	['tooLong', typed('textarea'), 'a'.repeat(10_001), ['a'.repeat(10_001)]],
	['notOffered', chosen('choice', { most: 1 }), '3', []],
	['notOffered', chosen('choice', { most: 1 }), 'Red', []],
	['notOffered', chosen('choice', { most: 1 }), { 0: '1' }, []],
	['notOffered', chosen('choice', { most: 1 }), ['0', '1'], ['Red', 'Blue']],
	['notOffered', chosen('choices'), ['0', '7'], ['Red']],
	['notOffered', chosen('choices'), ['0', '0'], ['Red']],
	['howMany', chosen('choices', { least: 2 }), '0', ['Red']],
	['howMany', chosen('choices', { least: 2 }), undefined, []],
	['howMany', chosen('choices', { most: 1 }), ['0', '1'], ['Red', 'Blue']],
])('a form refuses a reply, and loses none of it: %s', (wrong, field, value, values) => {
	expect(replyTo(field, value)).toEqual({ values, wrong: replyTo(field, value) && wrong });
});

it('a form takes a text of 10,000 characters', () => {
	expect(replyTo(typed('text'), 'a'.repeat(10_000))).toBe('a'.repeat(10_000));
});

it('a form reads no more of a text than a person types', () => {
	expect(replyTo(typed('text'), 'a'.repeat(100_001))).toEqual({
		values: ['a'.repeat(100_000)],
		wrong: 'tooLong',
	});
});

it('a form is refused altogether if not all its fields are right, and keeps the rest', () => {
	const two = [typed('text'), typed('number', { label: 'B' })] as const;
	expect(read({ 'field-0': 'Hi', 'field-1': 'x' }, ...two)).toEqual({
		refusal: 'correct',
		replies: [{ values: ['Hi'] }, { values: ['x'], wrong: 'notNumber' }],
	});
});

it('a form gives the replies by their labels, and thanks for them in words', () => {
	const fields = [
		chosen('choices', { label: 'Colors?' }),
		typed('number', { label: 'toString' }),
		chosen('choices', { label: 'More? All' }),
		typed('date'),
	];
	expect(read({ 'field-0': ['0', '1'], 'field-1': '7' }, ...fields)).toEqual({
		data: { 'Colors?': ['Red', 'Blue'], toString: 7, 'More? All': [], A: null },
		words: 'Colors? Red, Blue\ntoString: 7\nMore? All: –\nA: –',
	});
});

it('a form takes nothing from a label that names a prototype', () => {
	const reply = read({ 'field-0': 'x' }, typed('text', { label: '__proto__' }));
	expect(Object.getPrototypeOf('data' in reply && reply.data)).toBe(Object.prototype);
});

it('a form is read in no time with what a machine sends', () => {
	const fields = ['number', 'email', 'date'].map((kind) => typed(kind));
	const body = {
		'field-0': `${'1'.repeat(9_999)}x`,
		'field-1': `${'a.'.repeat(5_000)}@`,
		'field-2': '-',
	};
	expect(read(body, ...fields)).toMatchObject({ refusal: 'correct' });
});
