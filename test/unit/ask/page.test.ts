import { createHash } from 'node:crypto';
import {
	HEADERS,
	outdatedPage,
	questionPage,
	thanksPage,
} from '../../../nodes/MessagingGateway/ask/page';
import type { Question } from '../../../nodes/MessagingGateway/shared/question';

const HOSTILE = `</title><script>alert('1')</script>"&'<img src=x onerror=alert(2)>`;
const ESCAPED =
	'&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;&#39;&lt;img src=x onerror=alert(2)&gt;';

const approval = (more: Partial<Question> = {}): Question =>
	({ kind: 'approval', text: 'Refund?', approveLabel: 'Approve', ...more }) as Question;
const freeText: Question = { kind: 'freeText', text: 'Why?' };

const buttonsOf = (html: string) =>
	[...html.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map(([, label]) => label);

/** What is in the form of a page. */
const formOf = (html: string) => /<form method="post">\n([^]*)\n<\/form>/.exec(html)?.[1];

/** The page without its own script, which a question cannot reach. */
const withoutScript = (html: string) => html.replace(scriptOf(questionPage(freeText)), '');

const scriptOf = (html: string) => /<script>[^]*<\/script>/.exec(html)?.[0] ?? '';

describe('the page of a question', () => {
	it('shows the question with its line breaks, and nothing in it is markup', () => {
		const html = questionPage(approval({ text: `One\nTwo ${HOSTILE}` }));
		expect(html).toContain(`One\nTwo ${ESCAPED}`);
		expect(html).toContain('white-space:pre-wrap');
		expect(withoutScript(html)).not.toMatch(/<script|<img/);
	});

	it('has one button if the person can only approve, otherwise two', () => {
		expect(buttonsOf(questionPage(approval()))).toEqual(['Approve']);
		expect(buttonsOf(questionPage(approval({ declineLabel: 'No' })))).toEqual(['Approve', 'No']);
	});

	it('has a form with nothing but its buttons, of which Approve stands out', () => {
		expect(formOf(questionPage(approval({ declineLabel: 'No' })))).toBe(
			`
<button class="main" name="answer" value="approve" dir="auto" lang="">Approve</button>
<button class="other" name="answer" value="decline" dir="auto" lang="">No</button>`,
		);
	});

	it('has an empty field for a text, which is not marked as wrong', () => {
		expect(formOf(questionPage(freeText))).toBe(
			`
<label for="text">Your answer</label>
<textarea id="text" name="text" rows="5" maxlength="10000" required dir="auto">
</textarea>
<button>Send answer</button>`,
		);
	});

	it('marks the field as wrong if an answer was refused, and starts there', () => {
		expect(formOf(questionPage(freeText, { refusal: 'Empty' }))).toBe(
			`<p class="wrong" id="wrong" role="alert">Empty</p>
<label for="text">Your answer</label>
<textarea id="text" name="text" rows="5" maxlength="10000" required dir="auto" aria-invalid="true" aria-describedby="wrong" autofocus>
</textarea>
<button>Send answer</button>`,
		);
	});

	it('escapes the labels of its buttons', () => {
		const html = questionPage(approval({ approveLabel: HOSTILE, declineLabel: HOSTILE }));
		expect(html.split(ESCAPED)).toHaveLength(3);
		expect(withoutScript(html)).not.toMatch(/<script|<img/);
	});

	it('has a labeled field for a text', () => {
		const html = questionPage(freeText);
		expect(html).toMatch(/<label for="text">Your answer<\/label>\s*<textarea id="text"/);
		expect(buttonsOf(html)).toEqual(['Send answer']);
	});

	it('says what to correct if an answer was refused, and keeps what was typed', () => {
		const html = questionPage(freeText, { refusal: 'Too long', typed: `\nA ${HOSTILE}` });
		expect(html).toMatch(/id="wrong" role="alert">Too long</);
		expect(html).toMatch(/<textarea[^>]*aria-describedby="wrong"/);
		expect(html).toContain(`>\n\nA ${ESCAPED}</textarea>`);
		expect(html).toContain('<title>Not recorded');
	});

	it('keeps the question out of its title, which previews show', () => {
		expect(questionPage(approval())).toContain('<title>A question for you</title>');
	});
});

describe('the thanks', () => {
	it('say which answer to which question was recorded, without letting them act', () => {
		const html = thanksPage({ kind: 'freeText', text: `Why?\n${HOSTILE}` }, `Late\n${HOSTILE}`);
		const shown = [
			...html.matchAll(
				/<p class="hint">(.*)<\/p>\n<div class="question" dir="auto" lang="">([^]*?)<\/div>/g,
			),
		];
		expect(shown.map(([, label, text]) => [label, text])).toEqual([
			['Your answer:', `Late\n${ESCAPED}`],
			['The question was:', `Why?\n${ESCAPED}`],
		]);
		expect(html).not.toMatch(/<script|<img/);
	});

	it('keep both out of their title', () => {
		expect(thanksPage(approval(), 'Refund')).toContain('<title>Answer recorded</title>');
	});
});

it('the page of an outdated link says so, and where the newest one is', () => {
	const html = outdatedPage();
	expect(html).toContain('<title>This question is closed</title>');
	expect(html).toContain('<h1>This question is closed</h1>');
	expect(html).toContain('Open the link in the newest message that you got.');
});

describe.each([
	['a question', questionPage(approval({ declineLabel: 'No' }))],
	['a question with a text field', questionPage(freeText)],
	['thanks', thanksPage(approval(), 'Yes')],
	['an outdated link', outdatedPage()],
])('every page: %s', (_, html) => {
	it('loads nothing, runs no other script and links nowhere', () => {
		expect(withoutScript(html)).not.toMatch(
			/<script|<link|<img|<iframe|\bsrc=|\bhref=|\baction=|@import|url\(/,
		);
		expect(html).not.toMatch(/https?:|n8n/);
	});

	it('allows its own style and script by their hashes, and no other', () => {
		const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? '';
		const script = scriptOf(questionPage(freeText)).slice('<script>'.length, -'</script>'.length);
		const hash = (text: string) => createHash('sha256').update(text).digest('base64');
		const rules = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
		expect(rules).toContain("default-src 'none'");
		expect(rules).toContain(`style-src 'sha256-${hash(style)}'`);
		expect(rules).toContain(`script-src 'sha256-${hash(script)}'`);
		expect(HEADERS['Content-Security-Policy']).toBe(`${rules}; frame-ancestors 'none'`);
	});
});
