import { createHash } from 'crypto';

import type { Question } from '../shared/question';
import { BUTTON, FIELD, LONGEST_REPLY } from './reply';

const STYLE = `
:root{color-scheme:light dark;--page:#f3f5f7;--card:#fff;--ink:#17202a;--soft:#4d5963;--line:#6b7780;--main:#0b6b53;--on-main:#fff;--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--page:#101418;--card:#1b2127;--ink:#eef2f5;--soft:#b4bfc8;--line:#87939d;--main:#7fd8bc;--on-main:#06251c;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--page);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:34rem;margin:0 auto;padding:1.25rem;background:var(--card);border-radius:.75rem}
h1{margin:0 0 .75rem;font-size:1.0625rem;color:var(--soft)}
p{margin:0 0 1rem}
.question{margin:0 0 1.5rem;font-size:1.1875rem;white-space:pre-wrap;unicode-bidi:plaintext;text-align:start;overflow-wrap:anywhere}
.wrong{color:var(--wrong);font-weight:600}
.hint{color:var(--soft)}
label{display:block;margin:0 0 .375rem;font-weight:600}
textarea{display:block;width:100%;margin:0 0 1rem;padding:.75rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit;font:inherit;resize:vertical}
button{display:block;width:100%;min-height:3rem;margin:0 0 .75rem;padding:.625rem 1rem;border:2px solid var(--main);border-radius:.5rem;background:var(--main);color:var(--on-main);font:inherit;font-weight:600;overflow-wrap:anywhere;cursor:pointer;touch-action:manipulation}
button.other{background:transparent;color:var(--ink);border-color:var(--line)}
form[aria-busy=true] button{opacity:.6;cursor:progress}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
`;

/** Milliseconds in which a form is sent once. After that, the first request has probably been lost. */
const SENT_ONCE_WITHIN = 20_000;

/**
 * Keeps the second tap of a double tap from sending the form again: the browser would show n8n's error
 * for it in place of the thanks for the first. A disabled button would not be sent, so none is.
 */
const SCRIPT = `
(function(){
var form=document.querySelector('form'),sent;
form.addEventListener('submit',function(event){
if(sent!==undefined&&event.timeStamp-sent<${SENT_ONCE_WITHIN})return event.preventDefault();
sent=event.timeStamp;
form.setAttribute('aria-busy','true');
});
addEventListener('pageshow',function(){sent=undefined;form.removeAttribute('aria-busy')});
})();
`;

/**
 * Nothing is loaded or framed, only the style and the script above take effect, and the form leads
 * nowhere but to the page's own address.
 */
const RULES = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; form-action 'self'; base-uri 'none'`;

function hashOf(text: string): string {
	return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The link is a key: no cache may keep the page, and no other site may learn its address. */
export const HEADERS = {
	'Content-Security-Policy': `${RULES}; frame-ancestors 'none'`,
	'Content-Type': 'text/html; charset=utf-8',
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Robots-Tag': 'noindex, nofollow',
};

/** @param refused why the answer that was just sent did not count, and the text it held */
export function questionPage(
	question: Question,
	refused: { refusal?: string; typed?: string } = {},
): string {
	const { refusal, typed = '' } = refused;
	const title = 'A question for you';
	return page(
		refusal ? `Not recorded: ${title}` : title,
		`<h1>${title}</h1>
<div class="question" dir="auto" lang="">${escapeHtml(question.text)}</div>
<form method="post">
${refusal ? `<p class="wrong" id="wrong" role="alert">${escapeHtml(refusal)}</p>` : ''}
${question.kind === 'freeText' ? textField(typed, refusal !== undefined) : buttons(question)}
</form>
<script>${SCRIPT}</script>`,
	);
}

/** @param words the answer that was recorded: the label of the button, or the text */
export function thanksPage(question: Question, words: string): string {
	return page(
		'Answer recorded',
		`<h1>Answer recorded</h1>
<p role="status">Thank you, your answer was recorded.</p>
<p class="hint">Your answer:</p>
<div class="question" dir="auto" lang="">${escapeHtml(words)}</div>
<p class="hint">The question was:</p>
<div class="question" dir="auto" lang="">${escapeHtml(question.text)}</div>
<p class="hint">You can close this page.</p>`,
	);
}

/** For a link to another question than the one that the execution waits for. */
export function outdatedPage(): string {
	return page(
		'This question is closed',
		`<h1>This question is closed</h1>
<p>This link belongs to an earlier question, so nothing was recorded.</p>
<p class="hint">Open the link in the newest message that you got.</p>`,
	);
}

function buttons({ approveLabel, declineLabel }: Question & { kind: 'approval' }): string {
	const approve = button(BUTTON.approve, approveLabel);
	if (declineLabel === undefined) return approve;
	return `${approve}\n${button(BUTTON.decline, declineLabel, 'other')}`;
}

function button(value: string, label: string, look = 'main'): string {
	return `<button class="${look}" name="${FIELD.answer}" value="${value}" dir="auto" lang="">${escapeHtml(label)}</button>`;
}

function textField(typed: string, isWrong: boolean): string {
	const wrong = isWrong ? ' aria-invalid="true" aria-describedby="wrong" autofocus' : '';
	// A browser drops the first line break of a text field.
	return `<label for="text">Your answer</label>
<textarea id="text" name="${FIELD.text}" rows="5" maxlength="${LONGEST_REPLY}" required dir="auto"${wrong}>
${escapeHtml(typed)}</textarea>
<button>Send answer</button>`;
}

/** The rules are in the page too, because n8n replaces those in the header of some answers with its own. */
function page(title: string, content: string): string {
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${RULES}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
