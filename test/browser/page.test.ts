/** The page of a question in a real browser, as a person has it on the phone. */
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readerOf } from '../../nodes/MessagingGateway/ask/texts';
import type { Question } from '../../nodes/MessagingGateway/shared/question';
import { documentationPicture, launchBrowser, pictureFile } from '../support/browser';
import { until } from '../support/until';
import { startPageServer, type PageServer } from './pageServer';

const SMALL = { width: 320, height: 568 };
const PHONE = { width: 390, height: 700 };

const REFUND = {
	kind: 'approval',
	text: 'Refund order 2026-0042?\n\nCustomer: Ana Pratiwi\nAmount: Rp 450.000\nReason: the parcel arrived broken',
	approveLabel: 'Refund',
	declineLabel: 'Do not refund',
} satisfies Question;
const ARABIC: Question = {
	kind: 'approval',
	text: 'هل توافق على استرداد مبلغ الطلب 42؟\nالعميل: Ana Pratiwi (ana@example.com)',
	approveLabel: 'أوافق',
	declineLabel: 'لا أوافق',
};
const LONG: Question = {
	kind: 'approval',
	text: `${'A long word: ' + 'Donaudampfschifffahrt'.repeat(12)}\n${'Many words of one question. '.repeat(80)}\nhttps://example.com/${'a'.repeat(200)}`,
	approveLabel: `Approve ${'everything'.repeat(12)}`,
	declineLabel: 'No, and here is a label that takes more than one line on a small phone',
};
const choices = (count: number) =>
	Array.from({ length: count }, (_, place) => `Kamar ${place + 1}`);
const FIELD = { isRequired: true, initial: [], placeholder: '' };
const FORM: Question = {
	kind: 'customForm',
	text: 'Ana Pratiwi ingin datang besok. Bagaimana?',
	fields: [
		{ ...FIELD, kind: 'choice', label: 'Boleh?', choices: ['Ya', 'Tidak'], least: 0, most: 1 },
		{ ...FIELD, kind: 'choices', label: 'Siapa?', choices: choices(3), least: 1, most: 2 },
		{ ...FIELD, kind: 'choice', label: 'Kamar', choices: choices(7), least: 0, most: 1 },
		{ ...FIELD, kind: 'number', label: 'Berapa lama (menit)?', placeholder: '30' },
		{ ...FIELD, kind: 'date', label: 'Tanggal' },
		{ ...FIELD, kind: 'email', label: 'Email' },
		{ ...FIELD, kind: 'textarea', label: 'Catatan', isRequired: false },
	],
};
const FREE_TEXT: Question = { kind: 'freeText', text: 'What shall we tell the customer?' };
const OWN_WORDS: Question = {
	kind: 'freeText',
	title: 'How was your visit to the dental clinic on Plaza Mayor?',
	text: 'We read every answer.',
	buttonLabel: 'Tell us',
};

let browser: Browser;
let server: PageServer;
let page: Page;
let complaints: string[];

beforeAll(async () => {
	server = await startPageServer();
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
	await server?.close();
});

afterEach(async () => await page.context().close());

async function open(
	question: Question,
	options: BrowserContextOptions = {},
	{ isClosed = false, left }: { isClosed?: boolean; left?: number } = {},
): Promise<void> {
	const fresh = { answers: [], latecomers: 0, isAway: false, lost: 0, held: undefined };
	Object.assign(server, { question, ...fresh, isClosed, left });
	page = await browser.newPage({ viewport: SMALL, ...options });
	if (left !== undefined) await page.clock.install();
	complaints = [];
	page.on('console', (message) => {
		// That the server has refused an answer, or the question is closed, is no complaint about the page.
		if (!/status of (422|410)/.test(message.text())) complaints.push(message.text());
	});
	await page.goto(server.url);
}

async function photograph(name: string): Promise<void> {
	const path = pictureFile(`question-${name}`);
	if (path) await page.screenshot({ path, fullPage: true });
}

async function violations(): Promise<string[]> {
	await page.evaluate(axe.source);
	const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
	expect(found.passes.length).toBeGreaterThan(10);
	return found.violations.map(({ id, help }) => `${id}: ${help}`);
}

const button = (label: string | undefined) =>
	page.getByRole('button', { name: label, exact: true });

const SCENES: Array<[string, Question, BrowserContextOptions]> = [
	['approval', REFUND, {}],
	['approval-dark', REFUND, { colorScheme: 'dark' }],
	['arabic', ARABIC, {}],
	['arabic-dark', ARABIC, { colorScheme: 'dark' }],
	['long', LONG, {}],
	['text', FREE_TEXT, {}],
	['text-dark', FREE_TEXT, { colorScheme: 'dark' }],
	['own-words', OWN_WORDS, {}],
	['own-words-dark', OWN_WORDS, { colorScheme: 'dark' }],
];

describe.each(SCENES)('a page, 320 pixels wide: %s', (name, question, options) => {
	beforeEach(async () => await open(question, options));

	it('a page fits a small screen, and axe finds nothing', async () => {
		await photograph(name);
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SMALL.width);
		expect(await violations()).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it('a page takes the reply by keyboard alone', async () => {
		await page.keyboard.press('Tab');
		if (question.kind === 'freeText') {
			await page.keyboard.type('Sorry');
			await page.keyboard.press('Tab');
		}
		await page.keyboard.press('Enter');
		await page.getByText('Thank you, your answer was recorded.').waitFor();
		const words = question.kind === 'approval' ? question.approveLabel : 'Sorry';
		expect(await page.locator('.question').allInnerTexts()).toEqual([words, question.text]);
		await photograph(`${name}-thanks`);
		expect(await violations()).toEqual([]);
		expect(server.answers).toEqual([
			question.kind === 'freeText' ? { text: 'Sorry' } : { approved: true },
		]);
		expect(complaints).toEqual([]);
	});
});

test.each(['light', 'dark'] as const)(
	'axe finds nothing on a closed question, %s',
	async (scheme) => {
		await open(REFUND, { colorScheme: scheme }, { isClosed: true });
		await page.getByText('belongs to an earlier question').waitFor();
		await photograph(`closed-${scheme}`);
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SMALL.width);
		expect(await violations()).toEqual([]);
		expect(complaints).toEqual([]);
	},
);

const LIMIT = 90 * 60_000;
const LANGUAGES = ['en-US', 'id-ID', 'ms-MY', 'es-MX', 'pt-BR', 'de-DE', 'fr-FR', 'ar-EG', 'hi-IN'];

describe.each(LANGUAGES)('a page in %s, 320 pixels wide', (locale) => {
	const { texts, direction } = readerOf(locale);

	const fits = async (picture: string) => {
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			await photograph(`${locale}-${picture}-${colorScheme}`);
			expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SMALL.width);
			expect(await violations()).toEqual([]);
		}
	};

	it('a page shows until when to answer in the reader’s own way, and takes no reply after that', async () => {
		await open(REFUND, { locale, timezoneId: 'Asia/Jakarta' }, { left: LIMIT });
		const until = new Date((await page.locator('time').getAttribute('datetime')) ?? '');
		const own = { dateStyle: 'full', timeStyle: 'short', timeZone: 'Asia/Jakarta' };
		const shown = `new Intl.DateTimeFormat('${locale}', ${JSON.stringify(own)}).format(${until.getTime()})`;
		expect(await page.locator('time').innerText()).toBe(await page.evaluate(shown));
		expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).direction')).toBe(
			direction,
		);
		await fits('limited');

		// Meanwhile, time goes on: there is a minute for the checks above.
		await page.clock.fastForward(LIMIT - 60_000);
		expect(await page.getByRole('button').count()).toBe(2);
		await page.clock.fastForward(61_000);
		await page.getByText(texts.over).waitFor();
		expect(await page.getByText(texts.nothing).isVisible()).toBe(true);
		expect(await page.getByRole('button').count()).toBe(0);
		await page.evaluate("document.querySelector('form').requestSubmit()");
		await fits('over');
		expect(server.answers).toEqual([]);
		expect(complaints).toEqual([]);
	});

	it('a page says what is wrong with a form, and thanks for it', async () => {
		await open(FORM, { locale });
		await page.evaluate("document.querySelector('form').noValidate = true");
		await page.getByRole('button').click();
		await page.getByText(texts.correct).waitFor();
		expect(await page.locator('fieldset p, p[id$=wrong]').count()).toBe(7);
		await fits('refused');

		await page.getByText('Tidak', { exact: true }).click();
		await page.getByText('Kamar 1').first().click();
		await page.getByLabel('Kamar', { exact: true }).selectOption('Kamar 7');
		const types = ['Berapa', 'Tanggal', 'Email'];
		for (const [place, value] of ['45', '2026-12-24', 'ana@example.com'].entries()) {
			await page.getByLabel(types[place] ?? '').fill(value);
		}
		await page.getByRole('button').click();
		await page.getByText(texts.thanks).waitFor();
		await fits('thanks');
		expect(server.answers).toEqual([
			{
				'Boleh?': 'Tidak',
				'Siapa?': ['Kamar 1'],
				Kamar: 'Kamar 7',
				'Berapa lama (menit)?': 45,
				Tanggal: '2026-12-24',
				Email: 'ana@example.com',
				Catatan: null,
			},
		]);
		expect(complaints).toEqual([]);
	});
});

test('a form that is refused keeps what was typed, a word in a field for numbers too', async () => {
	await open(FORM, { javaScriptEnabled: false });
	const form = new FormData();
	const typed = { 'field-0': '0', 'field-3': 'dua', 'field-6': 'Tolong' };
	for (const [name, value] of Object.entries(typed)) form.set(name, value);
	await page.setContent(await (await fetch(server.url, { method: 'POST', body: form })).text());
	expect(await page.getByLabel('Berapa').inputValue()).toBe('dua');
	expect(await page.getByLabel('Catatan').inputValue()).toBe('Tolong');
	expect(await page.getByLabel('Ya').isChecked()).toBe(true);
	expect(await page.getByRole('alert').innerText()).toContain('Please check the fields');
});

test('the choices of a page are large enough for a thumb', async () => {
	await open(FORM);
	for (const each of await page.locator('.choice, select, button').all()) {
		expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(48);
	}
});

test('the other button of a page declines', async () => {
	await open(REFUND);
	await button(REFUND.declineLabel).click();
	await page.getByText('Thank you').waitFor();
	expect(server.answers).toEqual([{ approved: false }]);
});

test('the buttons of a page are large enough for a thumb', async () => {
	await open(REFUND);
	for (const each of await page.getByRole('button').all()) {
		const { height = 0, width = 0 } = (await each.boundingBox()) ?? {};
		expect(height).toBeGreaterThanOrEqual(48);
		expect(width).toBeGreaterThan(200);
	}
});

/** Taps the middle of buttons, one after another, without waiting for what a tap does. */
async function tap(...labels: Array<string | undefined>): Promise<void> {
	const boxes = await Promise.all(labels.map(async (label) => await button(label).boundingBox()));
	for (const box of boxes) {
		if (!box) throw new Error('The button is not there');
		await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
		await page.waitForTimeout(100);
	}
}

/** Keeps the thanks back until what it returns is called. */
function holdThanks(): () => void {
	let release: () => void = () => undefined;
	server.held = new Promise((resolve) => (release = resolve));
	return release;
}

const { approveLabel, declineLabel } = REFUND;

test('the first of several taps in a row counts, and the person is thanked for it', async () => {
	await open(REFUND);
	const thank = holdThanks();
	await tap(approveLabel, approveLabel, declineLabel);
	thank();
	await page.getByText('Thank you').waitFor();
	expect(server.answers).toEqual([{ approved: true }]);
	expect(server.latecomers).toBe(0);
	expect(complaints).toEqual([]);
});

test('a second tap without JavaScript decides nothing either, but n8n answers it with an error', async () => {
	await open(REFUND, { javaScriptEnabled: false });
	const thank = holdThanks();
	await tap(approveLabel, declineLabel);
	await page.getByText('already').waitFor();
	thank();
	expect(server.answers).toEqual([{ approved: true }]);
	expect(server.latecomers).toBe(1);
});

test('the page shows that the reply is on its way', async () => {
	await open(REFUND);
	const click = "document.querySelector('button').click();";
	const isBusy = "document.querySelector('form').getAttribute('aria-busy')";
	const thank = holdThanks();
	expect(await page.evaluate(click + isBusy)).toBe('true');
	thank();
	await page.getByText('Thank you').waitFor();
});

test('a reply that got lost can be sent again by whoever comes back to the page', async () => {
	await open(REFUND);
	server.isAway = true;
	await tap(approveLabel, approveLabel);
	await until(() => server.lost > 0);
	server.isAway = false;
	await tap(declineLabel);
	expect(server.answers).toEqual([]);
	await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
	await tap(declineLabel);
	await page.getByText('Thank you').waitFor();
	expect(server.answers).toEqual([{ approved: false }]);
});

test('the page works without JavaScript', async () => {
	await open(FREE_TEXT, { javaScriptEnabled: false });
	await page.getByLabel('Your answer').fill('Sorry\n"really" 👍');
	await button('Send answer').click();
	await page.getByText('Thank you').waitFor();
	expect(server.answers).toEqual([{ text: 'Sorry\n"really" 👍' }]);
});

test('a text of spaces is refused on the page, which says so to a screen reader too', async () => {
	await open(FREE_TEXT);
	await page.getByLabel('Your answer').fill('   ');
	await button('Send answer').click();
	await page.getByRole('alert').waitFor();

	expect(await page.getByRole('alert').innerText()).toContain('Your answer is empty');
	expect(await page.evaluate('document.activeElement.id')).toBe('text');
	await photograph('refused');
	expect(await violations()).toEqual([]);
	await page.getByLabel('Your answer').fill('Sorry');
	await button('Send answer').click();
	await page.getByText('Thank you').waitFor();
	expect(server.answers).toEqual([{ text: 'Sorry' }]);
});

test('Arabic is set from right to left, line by line', async () => {
	await open(ARABIC);
	const direction = (selector: string) =>
		page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
	expect(await direction('.question')).toBe('rtl');
	expect(await direction('button')).toBe('rtl');
});

test('what a question holds does not run', async () => {
	await open({ ...REFUND, text: '<img src=x onerror="document.title=\'hacked\'">' });
	expect(await page.title()).toBe('A question for you');
	expect(await page.locator('img').count()).toBe(0);
	// Even markup that got in would not: the policy allows no script.
	await page.evaluate(
		`document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="document.title=1">')`,
	);
	await page.waitForTimeout(200);
	expect(await page.title()).toBe('A question for you');
});

test('the picture of the documentation is taken', async () => {
	await open(REFUND, { viewport: PHONE, deviceScaleFactor: 2 });
	await page.screenshot({ path: documentationPicture('approval') });
});
