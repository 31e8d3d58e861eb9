import { createHash } from 'crypto';

import type { Reader } from './reader';

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
`;

/** Milliseconds in which a form is sent once. After that, the first request has probably been lost. */
const SENT_ONCE_WITHIN = 20_000;

/**
 * Writes the time limit as the reader's browser does, and takes the form away when it has passed: by the time
 * since the page came, as the phone's clock may be wrong.
 *
 * Keeps the second tap of a double tap from sending the form again: the browser would show n8n's error
 * for it in place of the thanks for the first. A disabled button would not be sent, so none is.
 */
export const SCRIPT = `
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

/** The rules are in the page too, because n8n replaces those in the header of some answers with its own. */
export function page({ language, direction }: Reader, title: string, content: string): string {
	return `<!DOCTYPE html>
<html lang="${language}" dir="${direction}">
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

export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Text in the workflow's own words, whose language and direction nobody knows. */
export const OWN_WORDS = 'dir="auto" lang=""';
