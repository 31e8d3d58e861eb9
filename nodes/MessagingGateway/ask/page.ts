import type { Question } from '../shared/question';
import { formFields } from './formHtml';
import { escapeHtml, OWN_WORDS, page, SCRIPT } from './pageFrame';
import type { Reader } from './reader';
import { BUTTON, FIELD, type Refusal } from './reply';
import { LONGEST_REPLY } from './typed';

/** Until when the question can be answered. */
export interface Deadline {
	until: Date;
	/** Milliseconds from now. */
	left: number;
	/** Of the workflow, for a browser without JavaScript. */
	timezone: string;
}

/** @param refused why the reply that was just sent did not count, and what it held */
export function questionPage(
	question: Question,
	reader: Reader,
	{ deadline, refused }: { deadline?: Deadline; refused?: Refusal } = {},
): string {
	const { texts } = reader;
	const refusal = refused && refusalOf(refused, reader);
	return page(
		reader,
		refusal ? `${texts.nothing} ${texts.title}` : texts.title,
		`<h1>${texts.title}</h1>
${ownWords(question.text)}
${deadline ? until(deadline, reader) : ''}<form method="post"${encodingOf(question)}${deadline ? ` data-left="${deadline.left}"` : ''}>
${refusal ? `<p class="wrong" id="wrong" role="alert">${escapeHtml(refusal)}</p>\n` : ''}${replyFields(question, reader, refused)}
</form>
<script>${SCRIPT}</script>`,
	);
}

/** @param words the reply that was recorded: the label of the button, or the text */
export function thanksPage(question: Question, words: string, reader: Reader): string {
	const { texts } = reader;
	return page(
		reader,
		texts.recorded,
		`<h1>${texts.recorded}</h1>
<p role="status">${texts.thanks}</p>
<p class="hint">${texts.yourReply}</p>
${ownWords(words)}
<p class="hint">${texts.question}</p>
${ownWords(question.text)}
<p class="hint">${texts.close}</p>`,
	);
}

/** For a link to another question than the one that the execution waits for. */
export function outdatedPage(reader: Reader): string {
	const { texts } = reader;
	return page(
		reader,
		texts.closed,
		`<h1>${texts.closed}</h1>
<p>${texts.earlier} ${texts.nothing}</p>
<p class="hint">${texts.newest}</p>`,
	);
}

/** For a reply that comes after the time limit. */
export function overPage(question: Question, reader: Reader): string {
	const { texts } = reader;
	return page(
		reader,
		texts.over,
		`<h1>${texts.over}</h1>
<p class="wrong">${texts.nothing}</p>
<p class="hint">${texts.question}</p>
${ownWords(question.text)}`,
	);
}

const ownWords = (text: string) => `<div class="question" ${OWN_WORDS}>${escapeHtml(text)}</div>`;

/**
 * n8n refuses the reply to a form in any other encoding:
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/cli/src/webhooks/webhook-helpers.ts (`requiresMultipartFormData`).
 */
const encodingOf = ({ kind }: Question) =>
	kind === 'customForm' ? ' enctype="multipart/form-data"' : '';

function refusalOf({ refusal, replies }: Refusal, { texts, locale }: Reader): string {
	const words = texts[refusal].replace('{count}', LONGEST_REPLY.toLocaleString(locale));
	return refusal === 'choose' || replies ? `${texts.nothing} ${words}` : words;
}

/** The time in the words of the server, which the script replaces by those of the browser. */
function until({ until: date, timezone }: Deadline, { texts, locale }: Reader): string {
	const shown = date.toLocaleString(locale, {
		weekday: 'long',
		day: 'numeric',
		month: 'long',
		year: 'numeric',
		hour: 'numeric',
		minute: '2-digit',
		timeZoneName: 'short',
		timeZone: timezone,
	});
	const time = `<time datetime="${date.toISOString()}">${escapeHtml(shown)}</time>`;
	return `<p class="hint" id="until">${texts.until.replace('{time}', time)}</p>
<div id="over" role="alert" hidden>
<p class="wrong">${texts.over}</p>
<p class="wrong">${texts.nothing}</p>
</div>
`;
}

function replyFields(question: Question, reader: Reader, refused?: Refusal): string {
	const { texts } = reader;
	switch (question.kind) {
		case 'approval':
			return buttons(question);
		case 'freeText':
			return textField(reader, refused);
		case 'customForm':
			return `${formFields(question, reader, refused?.replies)}\n<button>${texts.send}</button>`;
	}
}

function buttons({ approveLabel, declineLabel }: Question & { kind: 'approval' }): string {
	const approve = button(BUTTON.approve, approveLabel);
	if (declineLabel === undefined) return approve;
	return `${approve}\n${button(BUTTON.decline, declineLabel, 'other')}`;
}

function button(value: string, label: string, look = 'main'): string {
	return `<button class="${look}" name="${FIELD.button}" value="${value}" ${OWN_WORDS}>${escapeHtml(label)}</button>`;
}

function textField({ texts }: Reader, refused?: Refusal): string {
	const wrong = refused ? ' aria-invalid="true" aria-describedby="wrong" autofocus' : '';
	// A browser drops the first line break of a text field.
	return `<label for="text">${texts.yourReply}</label>
<textarea id="text" name="${FIELD.text}" rows="5" maxlength="${LONGEST_REPLY}" required dir="auto"${wrong}>
${escapeHtml(refused?.typed ?? '')}</textarea>
<button>${texts.send}</button>`;
}
