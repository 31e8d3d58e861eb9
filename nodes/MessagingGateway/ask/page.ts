/** The HTML of the page with a question: its four states, the fields of a form, and the frame around them. */

import { createHash } from 'crypto';

import type { ChoiceField, CustomForm, FormField, Question, TypedField } from '../shared/question';
import { Html, markup } from './markup';
import { BUTTON, FIELD, type FieldReply, LONGEST_REPLY, nameOf, type Refusal } from './reply';
import type { Reader } from './texts';

/** The end of the time to answer. */
export interface Deadline {
	until: Date;
	/** Milliseconds from now. */
	left: number;
	/** The timezone of the workflow, for a browser without JavaScript. */
	timezone: string;
}

/** @param refused the reply that was just sent and refused */
export function questionPage(
	question: Question,
	reader: Reader,
	{ deadline, refused }: { deadline?: Deadline; refused?: Refusal } = {},
): string {
	const { texts } = reader;
	const refusal = refused && refusalOf(refused, reader);
	const own = 'title' in question ? question.title : undefined;
	const title = own ?? texts.title;
	return page(
		reader,
		refusal ? `${texts.nothing} ${title}` : title,
		markup`<h1${own !== undefined && markup` class="own" ${OWN_WORDS}`}>${title}</h1>
${ownWords(question.text)}
${deadline && until(deadline, reader)}<form method="post"${encodingOf(question)}${deadline && markup` data-left="${deadline.left}"`}>
${refusal && markup`<p class="wrong" id="wrong" role="alert">${refusal}</p>\n`}${replyFields(question, reader, refused)}
</form>
<script>${SCRIPT}</script>`,
	);
}

/** @param words the recorded reply: the label of the button, or the text */
export function thanksPage(question: Question, words: string, reader: Reader): string {
	const { texts } = reader;
	return page(
		reader,
		texts.recorded,
		markup`<h1>${texts.recorded}</h1>
<p role="status">${texts.thanks}</p>
<p class="hint">${texts.yourReply}</p>
${ownWords(words)}
<p class="hint">${texts.question}</p>
${ownWords(question.text)}
<p class="hint">${texts.close}</p>`,
	);
}

/** Shown if the execution does not wait for the question of the link. */
export function outdatedPage(reader: Reader): string {
	const { texts } = reader;
	return page(
		reader,
		texts.closed,
		markup`<h1>${texts.closed}</h1>
<p>${texts.earlier} ${texts.nothing}</p>
<p class="hint">${texts.newest}</p>`,
	);
}

/** Shown after the deadline. */
export function overPage(question: Question, reader: Reader): string {
	const { texts } = reader;
	return page(
		reader,
		texts.over,
		markup`<h1>${texts.over}</h1>
<p class="wrong">${texts.nothing}</p>
<p class="hint">${texts.question}</p>
${ownWords(question.text)}`,
	);
}

/** For text from the workflow, whose language and direction are unknown. */
const OWN_WORDS = markup`dir="auto" lang=""`;

const ownWords = (text: string) => markup`<div class="question" ${OWN_WORDS}>${text}</div>`;

/**
 * n8n refuses the reply to a form in any other encoding:
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/cli/src/webhooks/webhook-helpers.ts (`requiresMultipartFormData`).
 */
const encodingOf = ({ kind }: Question) =>
	kind === 'customForm' && markup` enctype="multipart/form-data"`;

function refusalOf({ refusal, replies }: Refusal, { texts, locale }: Reader): string {
	const words = texts[refusal].replace('{count}', LONGEST_REPLY.toLocaleString(locale));
	return refusal === 'choose' || replies ? `${texts.nothing} ${words}` : words;
}

/** The deadline in the server's format. The script replaces it with the browser's format. */
function until({ until: date, timezone }: Deadline, { texts, locale }: Reader): Html {
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
	const [before, after] = texts.until.split('{time}');
	return markup`<p class="hint" id="until">${before}<time datetime="${date.toISOString()}">${shown}</time>${after}</p>
<div id="over" role="alert" hidden>
<p class="wrong">${texts.over}</p>
<p class="wrong">${texts.nothing}</p>
</div>
`;
}

function replyFields(question: Question, reader: Reader, refused?: Refusal): Html {
	const { texts } = reader;
	if (question.kind === 'approval') return buttons(question);
	const fields =
		question.kind === 'freeText'
			? textField(reader, refused)
			: formFields(question, reader, refused?.replies);
	const { buttonLabel } = question;
	return markup`${fields}
<button${buttonLabel !== undefined && markup` ${OWN_WORDS}`}>${buttonLabel ?? texts.send}</button>`;
}

function buttons({ approveLabel, declineLabel }: Question & { kind: 'approval' }): Html {
	const approve = button(BUTTON.approve, approveLabel);
	if (declineLabel === undefined) return approve;
	return markup`${approve}\n${button(BUTTON.decline, declineLabel, 'other')}`;
}

function button(value: string, label: string, look = 'main'): Html {
	return markup`<button class="${look}" name="${FIELD.button}" value="${value}" ${OWN_WORDS}>${label}</button>`;
}

function textField({ texts }: Reader, refused?: Refusal): Html {
	const wrong = refused && markup` aria-invalid="true" aria-describedby="wrong" autofocus`;
	// A browser drops the first line break of a text field.
	return markup`<label for="text">${texts.yourReply}</label>
<textarea id="text" name="${FIELD.text}" rows="5" maxlength="${LONGEST_REPLY}" required dir="auto"${wrong}>
${refused?.typed}</textarea>`;
}

/** More choices than this become a list. */
const MOST_BUTTONS = 6;

/** @param replies the replies that were just sent and refused; absent for a new form */
function formFields({ fields }: CustomForm, reader: Reader, replies?: FieldReply[]): Html {
	const firstWrong = replies?.findIndex(({ wrong }) => wrong);
	const pieces = fields.map((field, index) => {
		const reply = replies?.[index] ?? { values: field.initial };
		return new FieldHtml(field, index, reply, reader, index === firstWrong).toHtml();
	});
	return lines(pieces);
}

/** Returns how many choices, or characters, a field accepts, such as “2” or “1–3”. */
function countOf(field: FormField, { locale }: Reader): string {
	const most = 'choices' in field ? Math.min(field.most, field.choices.length) : LONGEST_REPLY;
	const least = 'choices' in field ? field.least : most;
	const [low, high] = [least, most].map((count) => count.toLocaleString(locale));
	return low === high ? `${high}` : `${low}–${high}`;
}

/** One field of a form, with the message about a wrong reply. */
class FieldHtml {
	private readonly name: string;

	constructor(
		private readonly field: FormField,
		index: number,
		private readonly reply: FieldReply,
		private readonly reader: Reader,
		private readonly isFirstWrong: boolean,
	) {
		this.name = nameOf(index);
	}

	toHtml(): Html {
		const { field } = this;
		if (!('choices' in field)) return this.typed(field);
		const isList = field.kind === 'choice' && field.choices.length > MOST_BUTTONS;
		return isList ? this.list(field) : this.buttons(field);
	}

	private typed({ kind, placeholder }: TypedField): Html {
		const [value = ''] = this.reply.values;
		const example = placeholder !== '' && markup` placeholder="${placeholder}"`;
		const common = markup`${this.attributes}${this.required}${example}`;
		if (kind === 'textarea') {
			// A browser drops the first line break of a text field.
			return markup`${this.label}${this.message}
<textarea${common} rows="4" maxlength="${LONGEST_REPLY}" dir="auto">
${value}</textarea>`;
		}
		return markup`${this.label}${this.message}
<input${common} ${this.typeOf(kind)} value="${value}">`;
	}

	/** A browser empties a field for numbers or dates that holds something else, and the reply would be lost. */
	private typeOf(kind: TypedField['kind']): Html {
		const isOdd = this.reply.wrong !== undefined && this.reply.values.length > 0;
		const isText = kind === 'text' || (isOdd && kind !== 'email');
		if (isText) return markup`type="text" maxlength="${LONGEST_REPLY}" dir="auto"`;
		return kind === 'number'
			? markup`type="number" step="any" inputmode="decimal"`
			: markup`type="${kind}"`;
	}

	private list({ choices }: ChoiceField): Html {
		const options = choices.map((choice, place) => {
			const selected = this.has(choice) && markup` selected`;
			return markup`<option value="${place}" ${OWN_WORDS}${selected}>${choice}</option>`;
		});
		return markup`${this.label}${this.message}
<select${this.attributes}${this.required}>
<option value="">${this.reader.texts.pick}</option>
${lines(options)}
</select>`;
	}

	private buttons({ kind, choices }: ChoiceField): Html {
		const type = kind === 'choice' ? 'radio' : 'checkbox';
		const required = kind === 'choice' && this.required;
		const options = choices.map((choice, place) => {
			const checked = this.has(choice) && markup` checked`;
			const focused = place === 0 && this.isFirstWrong && markup` autofocus`;
			const input = markup`<input type="${type}" name="${this.name}" value="${place}"${required}${checked}${focused}>`;
			return markup`<label class="choice">${input}<span ${OWN_WORDS}>${choice}</span></label>`;
		});
		const described = this.reply.wrong && markup` aria-describedby="${this.name}-wrong"`;
		return markup`<fieldset${described}>
<legend>${this.title}</legend>${this.message}
${lines(options)}
</fieldset>`;
	}

	private has(choice: string): boolean {
		return this.reply.values.includes(choice);
	}

	private get required() {
		return this.field.isRequired && markup` required`;
	}

	private get label(): Html {
		return markup`<label for="${this.name}">${this.title}</label>`;
	}

	private get title(): Html {
		const { isRequired, label } = this.field;
		const words = markup`<span ${OWN_WORDS}>${label}</span>`;
		return isRequired
			? words
			: markup`${words} <span class="optional">(${this.reader.texts.optional})</span>`;
	}

	private get message() {
		const { wrong } = this.reply;
		if (!wrong) return undefined;
		const words = this.reader.texts[wrong].replace('{count}', countOf(this.field, this.reader));
		return markup`\n<p class="wrong" id="${this.name}-wrong">${words}</p>`;
	}

	private get attributes(): Html {
		const wrong = markup` aria-invalid="true" aria-describedby="${this.name}-wrong"`;
		const focus = this.isFirstWrong && markup` autofocus`;
		return markup` id="${this.name}" name="${this.name}"${this.reply.wrong && [wrong, focus]}`;
	}
}

const STYLE = new Html(`
:root{color-scheme:light dark;--page:#f3f5f7;--card:#fff;--ink:#17202a;--soft:#4d5963;--line:#6b7780;--main:#0b6b53;--on-main:#fff;--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--page:#101418;--card:#1b2127;--ink:#eef2f5;--soft:#b4bfc8;--line:#87939d;--main:#7fd8bc;--on-main:#06251c;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--page);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:34rem;margin:0 auto;padding:1.25rem;background:var(--card);border-radius:.75rem}
h1{margin:0 0 .75rem;font-size:1.0625rem;color:var(--soft)}
h1.own{font-size:1.375rem;line-height:1.3;color:inherit;overflow-wrap:anywhere}
p{margin:0 0 1rem}
.question{margin:0 0 1.5rem;font-size:1.1875rem;white-space:pre-wrap;unicode-bidi:plaintext;text-align:start;overflow-wrap:anywhere}
.wrong{color:var(--wrong);font-weight:600}
.hint,.optional{color:var(--soft);font-weight:400}
label,legend{display:block;margin:0 0 .375rem;padding:0;font-weight:600;overflow-wrap:anywhere}
fieldset{min-width:0;margin:0 0 1rem;padding:0;border:0}
textarea,input,select{display:block;width:100%;min-height:3rem;margin:0 0 1rem;padding:.75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
textarea{resize:vertical}
[aria-invalid]{border-color:var(--wrong)}
.choice{display:flex;align-items:center;gap:.75rem;min-height:3rem;margin:0 0 .5rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;font-weight:400;cursor:pointer;touch-action:manipulation}
.choice:has(:checked){border-color:var(--main);box-shadow:inset 0 0 0 1px var(--main)}
.choice:has(:focus-visible){outline:3px solid var(--ink);outline-offset:2px}
.choice span{min-width:0}
.choice input{flex:none;width:1.375rem;height:1.375rem;min-height:0;margin:0;padding:0;accent-color:var(--main);outline:0}
button{display:block;width:100%;min-height:3rem;margin:0 0 .75rem;padding:.625rem 1rem;border:2px solid var(--main);border-radius:.5rem;background:var(--main);color:var(--on-main);font:inherit;font-weight:600;overflow-wrap:anywhere;cursor:pointer;touch-action:manipulation}
button.other{background:transparent;color:var(--ink);border-color:var(--line)}
form[aria-busy=true] button{opacity:.6;cursor:progress}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
`);

/** Milliseconds in which a form can be sent only once. After that, the first request is probably lost. */
const SENT_ONCE_WITHIN = 20_000;

/**
 * Writes the deadline in the format of the browser, and hides the form after it. The time left counts from when the page
 * arrived, because the phone's clock may be wrong.
 *
 * Ignores the second tap of a double tap. Otherwise, the browser would show n8n's error for the second request instead of
 * the thanks for the first. No button is disabled, because the browser would then not send its value.
 */
const SCRIPT = new Html(`
(function(){
var find=function(what){return document.querySelector(what)};
var form=find('form'),time=find('time'),left=Number(form.dataset.left),opened=Date.now(),sent;
function isOver(){
if(!time||form.hidden||sent!==undefined||Date.now()-opened<left)return form.hidden;
form.hidden=find('#until').hidden=true;
find('#over').hidden=false;
return true;
}
form.addEventListener('submit',function(event){
if(isOver()||sent!==undefined&&event.timeStamp-sent<${SENT_ONCE_WITHIN})return event.preventDefault();
sent=event.timeStamp;
form.setAttribute('aria-busy','true');
});
addEventListener('pageshow',function(){sent=undefined;form.removeAttribute('aria-busy');isOver()});
if(!time)return;
setInterval(isOver,1000);
addEventListener('visibilitychange',isOver);
try{
var page=document.documentElement.lang;
var own=navigator.languages.find(function(tag){return tag.split('-')[0]===page})||page;
time.textContent=new Intl.DateTimeFormat(own,{dateStyle:'full',timeStyle:'short'}).format(new Date(time.dateTime));
}catch(error){}
})();
`);

/**
 * The page loads nothing and cannot be framed. Only the style and script above are allowed, and the form can be sent only
 * to the address of the page.
 */
const rules = () =>
	`default-src 'none'; style-src '${cspHash(STYLE)}'; script-src '${cspHash(SCRIPT)}'; form-action 'self'; base-uri 'none'`;

function cspHash({ text }: Html): string {
	return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The link is a secret: no cache may keep the page, and no other site may learn its address. */
export const headers = () => ({
	'Content-Security-Policy': `${rules()}; frame-ancestors 'none'`,
	'Content-Type': 'text/html; charset=utf-8',
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Robots-Tag': 'noindex, nofollow',
});

/** The rules are also in the page, because n8n replaces the header of some answers with its own. */
function page({ language, direction }: Reader, title: string, content: Html): string {
	return markup`<!DOCTYPE html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(rules())}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}

const lines = (parts: readonly Html[]): Html =>
	markup`${parts.map((part, index) => markup`${index > 0 && '\n'}${part}`)}`;
