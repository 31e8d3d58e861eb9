import type { IDataObject } from 'n8n-workflow';

import type { ChoiceField, CustomForm, FormField, TypedField } from '../shared/question';
import { isVisible, trimmed } from '../shared/trimmed';
import type { Texts } from './pageTexts';
import { typedText, LONGEST_REPLY } from './typed';

/** What a person entered in one field of a form. */
export interface FieldReply {
	/** As typed, or the labels of the choices. */
	values: string[];
	/** Which sentence of the page says what is wrong with it. */
	wrong?: keyof Texts;
}

type FormReply =
	{ data: IDataObject; words: string } | { refusal: 'correct'; replies: FieldReply[] };

type Value = string | number | string[] | null;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** The name of a field in the page's form, as in n8n's own forms: labels may be of any length and script. */
export const nameOf = (index: number): string => `field-${index}`;

/** Returns the replies by the labels of their fields. What was not filled in is null, or an empty list. */
export function readForm({ fields }: CustomForm, body: IDataObject): FormReply {
	const replies = fields.map((field, index) => readField(field, body[nameOf(index)]));
	if (replies.some(({ wrong }) => wrong)) return { refusal: 'correct', replies };
	const values = fields.map((field, index) => valueOf(field, replies[index]?.values ?? []));
	return {
		// A label can have any name. Unlike an assignment, this never sets a prototype.
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

/** The page sends the places of the choices, so that nothing but these can be chosen. */
function readChoices(
	{ kind, choices, isRequired, least, most }: ChoiceField,
	value: unknown,
): FieldReply {
	const sent = (Array.isArray(value) ? value : [value]).filter((each) => (each ?? '') !== '');
	// A stranger may send millions.
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
	// 31 February would otherwise be 3 March.
	return (
		DATE.test(text) && date.getTime() === date.getTime() && date.toISOString().startsWith(text)
	);
}

function valueOf({ kind }: FormField, values: string[]): Value {
	if (kind === 'choices') return values;
	const [text] = values;
	if (text === undefined) return null;
	return kind === 'number' ? Number(text) : text;
}

function wordsOf(value: Value | undefined): string {
	if (Array.isArray(value)) return value.join(', ') || '–';
	return String(value ?? '–');
}
