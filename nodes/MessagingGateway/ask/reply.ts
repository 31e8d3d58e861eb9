import type { IDataObject } from 'n8n-workflow';

import type { Question } from '../shared/question';
import { isVisible } from '../shared/trimmed';
import { readForm, type FieldReply } from './formReply';
import type { Texts } from './pageTexts';
import { typedText, LONGEST_REPLY } from './typed';

/** Names and values of the page's form. */
export const FIELD = { button: 'answer', text: 'text' };
export const BUTTON = { approve: 'approve', decline: 'decline' };

/** Why a reply does not count: which sentence of the page says so, and what was sent, so that it is not lost. */
export interface Refusal {
	refusal: keyof Texts;
	typed?: string;
	/** One for each field of a form. */
	replies?: FieldReply[];
}

/** What the node outputs, and the reply in the person's words; or what the page tells the person to correct. */
export type Reply = { data: IDataObject; words: string } | Refusal;

/** What a person has sent from the page. Anything but the page's own buttons and fields is refused. */
export function readReply(question: Question, body: unknown): Reply {
	const fields = fieldsOf(body);
	switch (question.kind) {
		case 'freeText':
			return readText(fields[FIELD.text]);
		case 'customForm':
			// It comes as multipart, of which n8n keeps texts and files apart.
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
