/** Reads a reply from the page, and refuses anything that the page did not offer. */

import type { IDataObject } from 'n8n-workflow';

import type { ChoiceField, CustomForm, FormField, Question, TypedField } from '../shared/question';
import { isVisible, trimmed } from '../shared/text';
import type { Texts } from './texts';

/** The names and values in the form of the page. */
export const FIELD = { button: 'answer', text: 'text' };
export const BUTTON = { approve: 'approve', decline: 'decline' };

/** A refused reply: the reason, and the input, so that it is not lost. */
export interface Refusal {
	refusal: keyof Texts;
	typed?: string;
	/** One reply for each field of a form. */
	replies?: FieldReply[];
}

/** The output of the node, and the reply in words; or a refusal. */
export type Reply = { data: IDataObject; words: string } | Refusal;

/** Reads a reply from the page. Anything but the page's buttons and fields is refused. */
export function readReply(question: Question, body: unknown): Reply {
	const fields = fieldsOf(body);
	switch (question.kind) {
		case 'freeText':
			return readText(fields[FIELD.text]);
		case 'customForm':
			// It is sent as multipart. n8n puts the texts into `data`, apart from files.
			return readForm(question, fieldsOf(fields.data));
		case 'approval':
			return readButton(fields[FIELD.button], question);
	}
}

function fieldsOf(body: unknown): IDataObject {
	return (typeof body === 'object' && body !== null ? body : {}) as IDataObject;
}

function readButton(
	value: unknown,
	{ approveLabel, declineLabel }: Question & { kind: 'approval' },
): Reply {
	if (value === BUTTON.approve) return { data: { approved: true }, words: approveLabel };
	if (value === BUTTON.decline && declineLabel !== undefined) {
		return { data: { approved: false }, words: declineLabel };
	}
	return { refusal: 'choose' };
}

function readText(value: unknown): Reply {
	const text = typedText(value);
	if (!isVisible(text)) return { refusal: 'empty' };
	if (text.length > LONGEST_REPLY) return { refusal: 'tooLong', typed: text };
	return { data: { text }, words: text };
}

/** The reply in one field of a form. */
export interface FieldReply {
	/** The text as typed, or the labels of the choices. */
	values: string[];
	/** The sentence of the page about a wrong reply. */
	wrong?: keyof Texts;
}

type FormReply =
	{ data: IDataObject; words: string } | { refusal: 'correct'; replies: FieldReply[] };

type Value = string | number | string[] | null;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** Returns the name of a field, as in n8n's own forms. Labels may have any length and script. */
export const nameOf = (index: number): string => `field-${index}`;

/** Returns the replies by the labels of their fields. An empty field is null, or an empty list. */
function readForm({ fields }: CustomForm, body: IDataObject): FormReply {
	const replies = fields.map((field, index) => readField(field, body[nameOf(index)]));
	if (replies.some(({ wrong }) => wrong)) return { refusal: 'correct', replies };
	const values = fields.map((field, index) => valueOf(field, replies[index] as FieldReply));
	return {
		// Unlike an assignment, this cannot set a prototype, regardless of the label.
		data: Object.fromEntries(fields.map(({ label }, index) => [label, values[index]])),
		words: fields
			.map(
				({ label }, index) =>
					`${label}${/[?!:.؟।]$/.test(label) ? '' : ':'} ${wordsOf(values[index])}`,
			)
			.join('\n'),
	};
}

function readField(field: FormField, value: unknown): FieldReply {
	return 'choices' in field ? readChoices(field, value) : readTyped(field, value);
}

function readTyped({ kind, isRequired }: TypedField, value: unknown): FieldReply {
	const typed = typedText(value);
	if (!isVisible(typed)) return { values: [], ...(isRequired && { wrong: 'missing' }) };
	const text = kind === 'textarea' ? typed : trimmed(typed);
	if (text.length > LONGEST_REPLY) return { values: [text], wrong: 'tooLong' };
	const wrong =
		(kind === 'number' && !isNumber(text) && 'notNumber') ||
		(kind === 'date' && !isDate(text) && 'notDate') ||
		(kind === 'email' && !(text.length < 255 && EMAIL.test(text)) && 'notEmail');
	return { values: [text], ...(wrong && { wrong }) };
}

/** The page sends the index of each choice, so nothing else can be chosen. */
function readChoices(
	{ kind, choices, isRequired, least, most }: ChoiceField,
	value: unknown,
): FieldReply {
	const sent = (Array.isArray(value) ? value : [value]).filter((each) => (each ?? '') !== '');
	// The request may hold millions of values.
	const places = new Set(sent.slice(0, choices.length + 1).map(String));
	const values = choices.filter((_, place) => places.has(String(place)));
	if (values.length !== sent.length) return { values, wrong: 'notOffered' };
	if (values.length === 0 && isRequired) return { values, wrong: 'missing' };
	const isWithin = values.length >= least && values.length <= most;
	return { values, ...(!isWithin && { wrong: kind === 'choice' ? 'notOffered' : 'howMany' }) };
}

const isNumber = (text: string) => NUMBER.test(text) && Number.isFinite(Number(text));

function isDate(text: string): boolean {
	const date = new Date(`${text}T00:00:00Z`);
	// Otherwise, 31 February would be 3 March.
	return (
		DATE.test(text) && date.getTime() === date.getTime() && date.toISOString().startsWith(text)
	);
}

function valueOf({ kind }: FormField, { values }: FieldReply): Value {
	if (kind === 'choices') return values;
	const [text] = values;
	if (text === undefined) return null;
	return kind === 'number' ? Number(text) : text;
}

function wordsOf(value: Value | undefined): string {
	if (Array.isArray(value)) return value.join(', ') || '–';
	return String(value ?? '–');
}
/** Characters: far more than a person types on a phone, and few enough to store. */
export const LONGEST_REPLY = 10_000;

/** Characters that are read of a field. A program that has the link could send megabytes. */
const LONGEST_INPUT = 100_000;

/**
 * Returns the text of a field; '' for anything but text. A form sends each line break as two characters, and PostgreSQL
 * cannot store NUL.
 */
function typedText(value: unknown): string {
	if (typeof value !== 'string') return '';
	return value.slice(0, LONGEST_INPUT).replace(/\r\n?/g, '\n').replaceAll('\0', '');
}
