import { createHash } from 'node:crypto';
import * as pages from '../../../nodes/MessagingGateway/ask/page';
import { headers } from '../../../nodes/MessagingGateway/ask/page';
import type { FieldReply, Refusal } from '../../../nodes/MessagingGateway/ask/reply';
import { readerOf } from '../../../nodes/MessagingGateway/ask/texts';
import type { FormField, Question } from '../../../nodes/MessagingGateway/shared/question';

const HOSTILE = `</title><script>alert('1')</script>"&'<img src=x onerror=alert(2)>`;
const ESCAPED =
	'&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;&#39;&lt;img src=x onerror=alert(2)&gt;';

const approval = (more: Partial<Question> = {}): Question =>
	({ kind: 'approval', text: 'Refund?', approveLabel: 'Approve', ...more }) as Question;
const freeText: Question = { kind: 'freeText', text: 'Why?' };
const form: Question = {
	kind: 'customForm',
	text: 'Details?',
	fields: [
		{ kind: 'number', label: 'Amount', isRequired: true, initial: ['5'], placeholder: 'e.g. 5' },
		{ kind: 'date', label: 'Day', isRequired: false, initial: [], placeholder: '' },
		{ kind: 'textarea', label: 'Why', isRequired: false, initial: ['So'], placeholder: '' },
		choiceOf('choice', 6),
		choiceOf('choice', 7),
		choiceOf('choices', 7),
	],
};

function choiceOf(kind: 'choice' | 'choices', count: number): FormField {
	const choices = Array.from({ length: count }, (_, place) => `${kind} ${place} of ${count}`);
	const label = `${kind} of ${count}`;
	return {
		kind,
		label,
		isRequired: true,
		initial: choices.slice(1, 2),
		choices,
		least: 1,
		most: 3,
	};
}

const typed = (kind: 'text' | 'date' | 'email'): FormField => ({
	kind,
	label: 'A',
	isRequired: false,
	initial: [],
	placeholder: '',
});

const english = readerOf('en');
const questionPage = (question: Question, refused?: Refusal) =>
	pages.questionPage(question, english, { refused });
const thanksPage = (question: Question, words: string) =>
	pages.thanksPage(question, words, english);
const outdatedPage = () => pages.outdatedPage(english);
const until = new Date('2026-11-22T10:30:00Z');
const limitedPage = (language: string) =>
	pages.questionPage(approval(), readerOf(language), {
		deadline: { until, left: 60_000, timezone: 'Asia/Jakarta' },
	});

const buttonsOf = (html: string) =>
	[...html.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map(([, label]) => label);

/** What is in the form of a page. */
const formOf = (html: string) => /<form method="post"[^>]*>\n([^]*)\n<\/form>/.exec(html)?.[1];

/** The page without its own script, which a question cannot reach. */
const withoutScript = (html: string) => html.replace(scriptOf(questionPage(freeText)), '');

const scriptOf = (html: string) => /<script>[^]*<\/script>/.exec(html)?.[0] ?? '';

it('the page of a question shows it with its line breaks, and nothing in it is markup', () => {
	const html = questionPage(approval({ text: `One\nTwo ${HOSTILE}` }));
	expect(html).toContain(`One\nTwo ${ESCAPED}`);
	expect(html).toContain('white-space:pre-wrap');
	expect(withoutScript(html)).not.toMatch(/<script|<img/);
});

it('the page of a question has one button if the person can only approve, otherwise two', () => {
	expect(buttonsOf(questionPage(approval()))).toEqual(['Approve']);
	expect(buttonsOf(questionPage(approval({ declineLabel: 'No' })))).toEqual(['Approve', 'No']);
});

it('the page of a question has a form with nothing but its buttons, of which Approve stands out', () => {
	expect(formOf(questionPage(approval({ declineLabel: 'No' })))).toBe(
		`<button class="main" name="answer" value="approve" dir="auto" lang="">Approve</button>
<button class="other" name="answer" value="decline" dir="auto" lang="">No</button>`,
	);
});

it('the page of a question has an empty field for a text, which is not marked as wrong', () => {
	expect(formOf(questionPage(freeText))).toBe(
		`<label for="text">Your answer</label>
<textarea id="text" name="text" rows="5" maxlength="10000" required dir="auto">
</textarea>
<button>Send answer</button>`,
	);
});

it('the page of a question marks the field as wrong if a reply was refused, and starts there', () => {
	expect(formOf(questionPage(freeText, { refusal: 'empty' }))).toBe(
		`<p class="wrong" id="wrong" role="alert">Your answer is empty. Please write something, then send it.</p>
<label for="text">Your answer</label>
<textarea id="text" name="text" rows="5" maxlength="10000" required dir="auto" aria-invalid="true" aria-describedby="wrong" autofocus>
</textarea>
<button>Send answer</button>`,
	);
});

it('the page of a question says that nothing was recorded if no button was chosen', () => {
	expect(formOf(questionPage(approval(), { refusal: 'choose' }))).toBe(
		`<p class="wrong" id="wrong" role="alert">Nothing was recorded. Please choose an answer below.</p>
<button class="main" name="answer" value="approve" dir="auto" lang="">Approve</button>`,
	);
});

it('the page of a question escapes the labels of its buttons', () => {
	const html = questionPage(approval({ approveLabel: HOSTILE, declineLabel: HOSTILE }));
	expect(html.split(ESCAPED)).toHaveLength(3);
	expect(withoutScript(html)).not.toMatch(/<script|<img/);
});

it('the page of a question has a labeled field for a text', () => {
	const html = questionPage(freeText);
	expect(html).toMatch(/<label for="text">Your answer<\/label>\s*<textarea id="text"/);
	expect(buttonsOf(html)).toEqual(['Send answer']);
});

it('the page of a question says what to correct if a reply was refused, and keeps what was typed', () => {
	const html = questionPage(freeText, { refusal: 'tooLong', typed: `\nA ${HOSTILE}` });
	expect(html).toMatch(/id="wrong" role="alert">Your answer is too long.*to 10,000 characters/);
	expect(html).toMatch(/<textarea[^>]*aria-describedby="wrong"/);
	expect(html).toContain(`>\n\nA ${ESCAPED}</textarea>`);
	expect(html).toContain('<title>Nothing was recorded.');
});

it('the page of a question keeps it out of its title, which previews show', () => {
	expect(questionPage(approval())).toContain('<title>A question for you</title>');
});

it('the page of a question has a title and a button of its own, and nothing in them is markup', () => {
	const html = questionPage({ ...form, title: `Visit ${HOSTILE}`, buttonLabel: HOSTILE });
	expect(html).toContain(`<title>Visit ${ESCAPED}</title>`);
	expect(html).toContain(`<h1 class="own" dir="auto" lang="">Visit ${ESCAPED}</h1>`);
	expect(html).toContain(`<button dir="auto" lang="">${ESCAPED}</button>`);
	expect(withoutScript(html)).not.toMatch(/<script|<img/);
});

it('the thanks say which reply to which question was recorded, without letting them act', () => {
	const html = thanksPage({ kind: 'freeText', text: `Why?\n${HOSTILE}` }, `Late\n${HOSTILE}`);
	const shown = [
		...html.matchAll(
			/<p class="hint">(.*)<\/p>\n<div class="question" dir="auto" lang="">([^]*?)<\/div>/g,
		),
	];
	expect(shown.map(([, label, text]) => [label, text])).toEqual([
		['Your answer', `Late\n${ESCAPED}`],
		['The question', `Why?\n${ESCAPED}`],
	]);
	expect(html).not.toMatch(/<script|<img/);
});

it('the thanks keep question and reply out of their title', () => {
	expect(thanksPage(approval(), 'Refund')).toContain('<title>Answer recorded</title>');
});

it('the page of an outdated link says so, and where the newest one is', () => {
	const html = outdatedPage();
	expect(html).toContain('<title>This question is closed</title>');
	expect(html).toContain('<h1>This question is closed</h1>');
	expect(html).toContain('Please open the link in the newest message that you got.');
});

it('the time limit of a question is shown in words that the browser replaces, and counted from its arrival', () => {
	expect(limitedPage('en-GB')).toMatch(
		/Please answer by <time datetime="2026-11-22T10:30:00.000Z">Sunday,? 22 November 2026.* 17:30 [^<]+<\/time><\/p>/,
	);
	expect(limitedPage('de')).toContain('<form method="post" data-left="60000">');
	expect(questionPage(approval())).not.toMatch(/<time|id="over"|data-left="/);
	expect(questionPage(approval())).toContain('Refund?</div>\n<form method="post">');
});

it('the time limit of a question takes the form away when it has passed, and says that nothing was recorded', () => {
	expect(limitedPage('en')).toMatch(
		/<div id="over" role="alert" hidden>\s*<p class="wrong">The time to answer is over<\/p>\s*<p class="wrong">Nothing was recorded.<\/p>/,
	);
	const over = pages.overPage(approval({ text: HOSTILE }), english);
	expect(over).toContain('<h1>The time to answer is over</h1>');
	expect(over).toContain(ESCAPED);
	expect(over).not.toMatch(/<form|<button/);
});

describe('a form', () => {
	const inputs = (html: string) => formOf(html)?.match(/<(?:input|select|textarea)[^>]*>/g);

	it('a form has a field for each reply, with what it holds at first', () => {
		const html = questionPage(form);
		expect(html).toContain('<form method="post" enctype="multipart/form-data">');
		expect(inputs(html)?.slice(0, 5)).toEqual([
			'<input id="field-0" name="field-0" required placeholder="e.g. 5" type="number" step="any" inputmode="decimal" value="5">',
			'<input id="field-1" name="field-1" type="date" value="">',
			'<textarea id="field-2" name="field-2" rows="4" maxlength="10000" dir="auto">',
			'<input type="radio" name="field-3" value="0" required>',
			'<input type="radio" name="field-3" value="1" required checked>',
		]);
		expect(html).toContain('Day</span> <span class="optional">(optional)</span></label>');
		expect(html).toContain('dir="auto">\nSo</textarea>');
	});

	it('a form has up to six choices as buttons, more as a list, and check boxes for several', () => {
		const html = questionPage(form);
		expect(html.match(/type="radio"/g)).toHaveLength(6);
		expect(html.match(/<option/g)).toHaveLength(8);
		expect(html).toContain('<option value="1" dir="auto" lang="" selected>choice 1 of 7</option>');
		expect(html.match(/type="checkbox"/g)).toHaveLength(7);
	});

	it('a form has nothing but its fields and its button', () => {
		const fields = [typed('text'), choiceOf('choice', 2), choiceOf('choice', 7)];
		expect(formOf(questionPage({ kind: 'customForm', text: '?', fields }))).toBe(
			`<label for="field-0"><span dir="auto" lang="">A</span> <span class="optional">(optional)</span></label>
<input id="field-0" name="field-0" type="text" maxlength="10000" dir="auto" value="">
<fieldset>
<legend><span dir="auto" lang="">choice of 2</span></legend>
<label class="choice"><input type="radio" name="field-1" value="0" required><span dir="auto" lang="">choice 0 of 2</span></label>
<label class="choice"><input type="radio" name="field-1" value="1" required checked><span dir="auto" lang="">choice 1 of 2</span></label>
</fieldset>
<label for="field-2"><span dir="auto" lang="">choice of 7</span></label>
<select id="field-2" name="field-2" required>
<option value="">Please choose</option>
<option value="0" dir="auto" lang="">choice 0 of 7</option>
<option value="1" dir="auto" lang="" selected>choice 1 of 7</option>
<option value="2" dir="auto" lang="">choice 2 of 7</option>
<option value="3" dir="auto" lang="">choice 3 of 7</option>
<option value="4" dir="auto" lang="">choice 4 of 7</option>
<option value="5" dir="auto" lang="">choice 5 of 7</option>
<option value="6" dir="auto" lang="">choice 6 of 7</option>
</select>
<button>Send answer</button>`,
		);
	});

	it('a form marks what is wrong, starts at the first of it, and loses nothing that was typed', () => {
		const replies = [
			{ values: ['a <word>'], wrong: 'notNumber' as const },
			{ values: ['2026-02-31'], wrong: 'notDate' as const },
			{ values: ['Yes'] },
			{ values: [], wrong: 'missing' as const },
			{ values: ['choice 6 of 7'] },
			{ values: ['choices 0 of 7'], wrong: 'howMany' as const },
		];
		const html = questionPage(form, { refusal: 'correct', replies });
		expect(html).toContain('Nothing was recorded. Please check the fields that are marked.');
		expect(inputs(html)?.slice(0, 2)).toEqual([
			'<input id="field-0" name="field-0" aria-invalid="true" aria-describedby="field-0-wrong" autofocus required placeholder="e.g. 5" type="text" maxlength="10000" dir="auto" value="a &lt;word&gt;">',
			'<input id="field-1" name="field-1" aria-invalid="true" aria-describedby="field-1-wrong" type="text" maxlength="10000" dir="auto" value="2026-02-31">',
		]);
		expect(html).toContain('\nYes</textarea>');
		expect(html).toContain('<fieldset aria-describedby="field-3-wrong">');
		expect(html).toContain('selected>choice 6 of 7<');
		expect(html).toContain('value="0" checked>');
		expect(html).toContain('Number of answers to choose: 1–3.');
	});

	it.each<[FieldReply, FormField, string]>([
		[
			{ values: [], wrong: 'missing' },
			typed('date'),
			`Please fill in this field.</p>
<input id="field-0" name="field-0" aria-invalid="true" aria-describedby="field-0-wrong" autofocus type="date" value="">`,
		],
		[
			{ values: ['a@b'], wrong: 'notEmail' },
			typed('email'),
			`Please enter an email address, such as ana@example.com.</p>
<input id="field-0" name="field-0" aria-invalid="true" aria-describedby="field-0-wrong" autofocus type="email" value="a@b">`,
		],
		[
			{ values: ['a'], wrong: 'tooLong' },
			typed('text'),
			`Your answer is too long. Please shorten it to 10,000 characters, then send it.</p>
<input id="field-0" name="field-0" aria-invalid="true" aria-describedby="field-0-wrong" autofocus type="text" maxlength="10000" dir="auto" value="a">`,
		],
		[
			{ values: [], wrong: 'howMany' },
			{ ...choiceOf('choices', 2), most: 1 } as FormField,
			`Number of answers to choose: 1.</p>
<label class="choice"><input type="checkbox" name="field-0" value="0" autofocus><span dir="auto" lang="">choices 0 of 2</span></label>
<label class="choice"><input type="checkbox" name="field-0" value="1"><span dir="auto" lang="">choices 1 of 2</span></label>
</fieldset>`,
		],
	])('a form says what is wrong with a field, and starts there: %j', (reply, field, shown) => {
		const one: Question = { kind: 'customForm', text: '?', fields: [field] };
		const html = formOf(questionPage(one, { refusal: 'correct', replies: [reply] }));
		expect(html?.split('id="field-0-wrong">')[1]).toBe(`${shown}\n<button>Send answer</button>`);
	});

	it('a form escapes its labels, choices, placeholders and values', () => {
		const hostile: FormField = {
			...choiceOf('choice', 1),
			label: HOSTILE,
			choices: [HOSTILE],
		} as FormField;
		const text: FormField = {
			kind: 'text',
			label: 'x',
			isRequired: true,
			initial: [HOSTILE],
			placeholder: HOSTILE,
		};
		const html = questionPage({ kind: 'customForm', text: 'x', fields: [hostile, text] });
		expect(html.split(ESCAPED)).toHaveLength(5);
		expect(withoutScript(html)).not.toMatch(/<script|<img/);
	});
});

describe.each([
	['a form', questionPage(form)],
	['a question with a time limit', limitedPage('ar')],
	['a question whose time is over', pages.overPage(approval(), english)],
	['a question', questionPage(approval({ declineLabel: 'No' }))],
	['a question with a text field', questionPage(freeText)],
	['thanks', thanksPage(approval(), 'Yes')],
	['an outdated link', outdatedPage()],
])('every page: %s', (_, html) => {
	it('a page loads nothing, runs no other script and links nowhere', () => {
		expect(withoutScript(html)).not.toMatch(
			/<script|<link|<img|<iframe|\bsrc=|\bhref=|\baction=|@import|url\(/,
		);
		expect(html).not.toMatch(/https?:|n8n/);
		expect(withoutScript(html)).not.toContain('undefined');
	});

	it('a page allows its own style and script by their hashes, and no other', () => {
		const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? '';
		const script = scriptOf(questionPage(freeText)).slice('<script>'.length, -'</script>'.length);
		const hash = (text: string) => createHash('sha256').update(text).digest('base64');
		const rules = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
		expect(rules).toContain("default-src 'none'");
		expect(rules).toContain(`style-src 'sha256-${hash(style)}'`);
		expect(rules).toContain(`script-src 'sha256-${hash(script)}'`);
		expect(headers()['Content-Security-Policy']).toBe(`${rules}; frame-ancestors 'none'`);
	});
});
