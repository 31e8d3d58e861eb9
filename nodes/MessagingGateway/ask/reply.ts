import type { IDataObject } from 'n8n-workflow';

import type { Question } from '../shared/question';

/** Characters: far more than a person types on a phone, and few enough to store. */
export const LONGEST_REPLY = 10_000;

/** Names and values of the page's form. */
export const FIELD = { answer: 'answer', text: 'text' };
export const BUTTON = { approve: 'approve', decline: 'decline' };

/** What the node outputs, and the answer in the person's words; or what the page tells the person to correct. */
export type Reply = { data: IDataObject; words: string } | { refusal: string; typed?: string };

/** What a person has sent from the page. Anything but the page's own buttons and field is refused. */
export function readReply(question: Question, body: unknown): Reply {
	const fields = (typeof body === 'object' && body !== null ? body : {}) as IDataObject;
	return question.kind === 'freeText'
		? readText(fields[FIELD.text])
		: readButton(fields[FIELD.answer], question);
}

function readButton(
	value: unknown,
	{ approveLabel, declineLabel }: Question & { kind: 'approval' },
): Reply {
	if (value === BUTTON.approve) return { data: { approved: true }, words: approveLabel };
	if (value === BUTTON.decline && declineLabel !== undefined) {
		return { data: { approved: false }, words: declineLabel };
	}
	return { refusal: 'Nothing was recorded. Choose an answer below.' };
}

function readText(value: unknown): Reply {
	// A form sends each line break as two characters.
	const text = typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : '';
	if (!/[^\s\p{C}]/u.test(text)) {
		return { refusal: 'Your answer is empty. Write something, then send it.' };
	}
	if (text.length > LONGEST_REPLY) {
		const most = LONGEST_REPLY.toLocaleString('en-US');
		return {
			refusal: `Your answer is too long. Shorten it to ${most} characters, then send it.`,
			typed: text,
		};
	}
	return { data: { text }, words: text };
}
