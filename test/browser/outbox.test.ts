/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Tests the outbox page in a real browser, at desktop and phone sizes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { launchBrowser, pictureFile } from '../support/browser';
import { freePort } from '../../tools/n8n/server/ports';
import { startGateway, type Gateway } from '../../practice-gateway/index';

const ATTACK = '<img src=x onerror="document.title=\'broken in\'"><b>bold</b>';
const THREE = ['6281111111111', '6282222222222', '6283333333333'];
const PHONE = { width: 390, height: 844 };
/** Seven hours ahead of UTC, all year. */
const TIME_ZONE = 'Asia/Jakarta';
const DESKTOP = { width: 1280, height: 800 };

let browser: Browser;
let gateway: Gateway;
let context: BrowserContext;
let page: Page;
let pageErrors: string[];

beforeAll(async () => {
	browser = await launchBrowser();
});

afterAll(async () => await browser?.close());

beforeEach(async () => {
	// A port that no connection takes while the gateway is gone.
	gateway = await startGateway({ keepFiles: 'bytes', port: await freePort() });
	context = await browser.newContext({ viewport: DESKTOP, locale: 'en-US', timezoneId: TIME_ZONE });
	page = await context.newPage();
	pageErrors = [];
	page.on('pageerror', (error) => pageErrors.push(error.message));
	page.on('console', (line) => line.type() === 'error' && pageErrors.push(line.text()));
	await page.goto(`${gateway.baseUrl}/`);
});

afterEach(async () => {
	await context.close();
	await gateway.close();
	expect(pageErrors).toEqual([]);
});

const messages = (): Locator => page.getByRole('listitem');
const status = (): Locator => page.getByRole('status');

async function post(path: string, body: FormData | object): Promise<void> {
	const isForm = body instanceof FormData;
	const { status } = await fetch(`${gateway.baseUrl}/api/${path}`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${gateway.token}`,
			...(isForm ? {} : { 'content-type': 'application/json' }),
		},
		body: isForm ? body : JSON.stringify({ deviceid: gateway.deviceId, ...body }),
	});
	expect(status).toBe(200);
}

async function sendText(message: string, number = '6281234567890'): Promise<void> {
	await post('v1/message/send', { number, message });
}

async function sendFile(
	path: string,
	file: { name: string; as?: string },
	fields: Record<string, string> = {},
): Promise<void> {
	const form = new FormData();
	form.set('phone', '081234567890');
	for (const [name, value] of Object.entries(fields)) form.set(name, value);
	const bytes = readFileSync(join(__dirname, '..', 'support', 'files', file.name));
	const field = path.includes('image') ? 'image' : 'document';
	form.set(field, new Blob([bytes]), file.as ?? file.name);
	await post(`v2/message/${path}`, form);
}

/** Sends one message of each kind, with realistic content. */
async function sendEverything(): Promise<void> {
	const numbers = Array.from({ length: 500 }, (_, i) => String(6_281_234_000_000 + i * 37));
	await sendText('Your order 4711 is on its way.\nThank you for shopping with us! 🎉');
	await post('v1/message/sendbulk', { number: numbers, message: 'Our shop opens at 9 tomorrow.' });
	await post('v1/message/sendgroup/120363025246125016', { message: 'Meeting moved to 3 pm.' });
	await sendFile('send-image', { name: 'photo.jpg' }, { caption: 'Our new opening hours' });
	const group = { groupid: '120363025246125016' };
	await sendFile('send-group-image', { name: 'picture.png' }, group);
	await sendFile('send-document', {
		name: 'document.pdf',
		as: 'Résumé – 2026 (final, corrected and then corrected once more by everybody).pdf',
	});
	await sendFile('send-group-document', { name: 'sheet.xlsx' }, group);
}

test('an empty outbox says what to do', async () => {
	await page.getByText('Nothing is queued yet.').waitFor();
	await page.getByText('Send a message from n8n').waitFor();
	expect(await status().textContent()).toBe('0 messages queued for 0 recipients');
	await sendText('Hello');
	await messages().waitFor();
	expect(await page.getByText('Nothing is queued yet.').isVisible()).toBe(false);
	expect(await status().textContent()).toBe('1 message queued for 1 recipient');
});

test('new messages appear without a reload, newest first, and are still there after one', async () => {
	for (const [i, word] of ['one', 'two', 'three'].entries()) {
		await sendText(word);
		await messages().nth(i).waitFor();
	}
	const newestFirst = ['three', 'two', 'one'];
	expect(await page.locator('.text').allTextContents()).toEqual(newestFirst);
	await page.reload();
	await messages().nth(2).waitFor();
	expect(await page.locator('.text').allTextContents()).toEqual(newestFirst);
	expect(await status().textContent()).toBe('3 messages queued for 1 recipient');
});

test('each kind of message shows its recipient, its kind and when it was queued', async () => {
	await sendEverything();
	await messages().nth(6).waitFor();
	const heads = await page.locator('.head').allInnerTexts();
	const shown = heads.map((head) => head.split('\n'));
	expect(shown.map(([to, kind]) => `${to} | ${kind}`).reverse()).toEqual([
		'6281234567890 | Text',
		'500 recipients | Bulk text',
		'Contact group 120363025246125016 | Group text',
		'081234567890 | Image',
		'Chat group 120363025246125016 | Group image',
		'081234567890 | Document',
		'Chat group 120363025246125016 | Group document',
	]);
	const image = messages().filter({ hasText: 'photo.jpg' });
	expect(await image.innerText()).toMatch(/Our new opening hours[^]*photo\.jpg[^]*\d KB/);
	expect(await messages().first().innerText()).toContain('with number 081234567890');
});

test('the time is that of the reader, not of the gateway', async () => {
	await sendText('Hello');
	const time = page.locator('time');
	await time.waitFor();
	const inUtc = `${gateway.messages[0]?.at} UTC`;
	expect(await time.getAttribute('title')).toBe(inUtc);
	const asShown = new Intl.DateTimeFormat('en-US', {
		dateStyle: 'medium',
		timeStyle: 'medium',
		timeZone: TIME_ZONE,
	});
	expect(await time.textContent()).toBe(asShown.format(new Date(inUtc)));
});

test('the page counts messages, and everybody who gets one once', async () => {
	await post('v1/message/sendbulk', { number: THREE, message: 'Hi' });
	await page.getByRole('heading', { name: '3 recipients', exact: true }).waitFor();
	expect(await status().textContent()).toBe('1 message queued for 3 recipients');
	await sendText('Hi again', THREE[0]);
	await post('v1/message/sendgroup/120363025246125016', { message: 'Hi all' });
	const group = { groupid: '120363025246125016' };
	await sendFile('send-group-image', { name: 'photo.jpg' }, group);
	await sendFile('send-group-image', { name: 'picture.png' }, group);
	await messages().nth(4).waitFor();
	const all = '5 messages queued for 5 recipients';
	expect(await status().textContent()).toBe(all);
	await page.reload();
	await page.getByText(all).waitFor();
});

test('a photo and a PDF open in a tab of their own, another file is saved', async () => {
	await sendFile('send-image', { name: 'photo.jpg' });
	await sendFile('send-document', { name: 'document.pdf', as: 'Invoice "17" (März).pdf' });
	await sendFile('send-document', { name: 'sheet.xlsx', as: 'prices.xlsx' });
	await messages().nth(2).waitFor();

	const photo = context.waitForEvent('page');
	await page.getByRole('link', { name: 'photo.jpg', exact: true }).click();
	const tab = await photo;
	await tab.waitForFunction('document.images[0]?.naturalWidth > 0');
	expect(await tab.evaluate('window.opener')).toBeNull();
	await tab.close();

	const pdf = page.getByRole('link', { name: 'März' });
	expect(await pdf.getAttribute('target')).toBe('_blank');
	const address = new URL((await pdf.getAttribute('href')) ?? '', page.url());
	const { headers } = await fetch(address);
	expect(headers.get('content-type')).toBe('application/pdf');

	const download = page.waitForEvent('download');
	await page.getByRole('link', { name: 'prices.xlsx' }).click();
	expect((await download).suggestedFilename()).toBe('prices.xlsx');
});

test('a web address in a text opens in a tab of its own, and nothing else in it is a link', async () => {
	await sendText('Approve here: https://n8n.example.com/w/1?a=b&c=d. Or javascript:alert(1)');
	await messages().waitFor();
	const links = page.locator('.text').getByRole('link');
	expect(await links.allTextContents()).toEqual(['https://n8n.example.com/w/1?a=b&c=d']);
	expect(await links.getAttribute('href')).toBe('https://n8n.example.com/w/1?a=b&c=d');
	expect(await links.getAttribute('rel')).toBe('noopener noreferrer');
	expect(await page.locator('.text').textContent()).toMatch(/c=d\. Or javascript:alert\(1\)$/);
});

test('a file that the gateway did not keep has no link, and says so', async () => {
	await gateway.close();
	gateway = await startGateway({ keepFiles: 'hash' });
	await page.goto(`${gateway.baseUrl}/`);
	await sendFile('send-document', { name: 'document.pdf' });
	await messages().waitFor();
	expect(await messages().innerText()).toMatch(/document\.pdf[^]*KB, not kept here/);
	expect(await page.getByRole('link').count()).toBe(0);
	pageErrors = pageErrors.filter((text) => !text.includes('net::ERR_'));
});

test('images are previewed, wherever they come from; other files are not', async () => {
	await sendFile('send-image', { name: 'photo.jpg' });
	await sendFile('send-document', { name: 'picture.png' });
	await sendFile('send-document', { name: 'document.pdf', as: 'not-an-image.png' });
	await messages().nth(2).waitFor();
	for (const name of ['photo.jpg', 'picture.png']) {
		const preview = page.getByAltText(`Preview of ${name}`);
		await preview.waitFor();
		await page.waitForFunction('[...document.images].every((image) => image.naturalWidth > 0)');
	}
	expect(await page.getByRole('img').count()).toBe(2);
});

test('a bulk message to 500 numbers shows the count, and the numbers on request', async () => {
	const number = Array.from({ length: 500 }, (_, i) => String(6_281_234_000_000 + i));
	await post('v1/message/sendbulk', { number, message: 'Hi' });
	await page.getByRole('heading', { name: '500 recipients' }).waitFor();
	expect(await page.getByText('6281234000499').isVisible()).toBe(false);
	await page.getByText('Show the 500 recipients').click();
	expect(await page.locator('details p').textContent()).toBe(number.join(', '));
	const box = await page.locator('details p').boundingBox();
	expect(box?.height).toBeLessThan(300);
});

test('a bulk message to 5,000 numbers lists the first 1,000 and counts the rest', async () => {
	const number = Array.from({ length: 5_000 }, (_, i) => String(6_281_234_000_000 + i));
	await post('v1/message/sendbulk', { number, message: 'Hi' });
	await page.getByText('Show the 5,000 recipients').click();
	await page.getByText('and 4,000 more').waitFor();
});

test('texts, captions, file names and group IDs are shown as plain text and run no code', async () => {
	await sendText(ATTACK);
	await post(`v1/message/sendgroup/${encodeURIComponent(ATTACK)}`, { message: 'to a group' });
	const name = `${ATTACK.replaceAll('"', '')}.jpg`.replace(/^.*\//, '');
	await sendFile('send-image', { name: 'photo.jpg', as: name }, { caption: ATTACK });
	await messages().nth(2).waitFor();
	expect(await page.locator('.text').allTextContents()).toEqual([ATTACK, 'to a group', ATTACK]);
	await page.getByRole('heading', { name: `Contact group ${ATTACK}`, exact: true }).waitFor();
	expect(await page.locator('main b, main img:not([alt])').count()).toBe(0);
	expect(await page.title()).toBe('Gateway outbox');
});

test('the page may load and run only its own files', async () => {
	const answer = await fetch(`${gateway.baseUrl}/`);
	const policy = answer.headers.get('content-security-policy');
	expect(policy).toContain("default-src 'none'");
	expect(policy).not.toContain('unsafe');
});

test('the search filters the list while typing, including new messages', async () => {
	await sendText('Invoice 17', '6281111111111');
	await sendText('Reminder', '6282222222222');
	await sendFile('send-document', { name: 'table.csv' });
	await messages().nth(2).waitFor();
	const search = page.getByRole('searchbox', { name: 'Search' });
	for (const [words, found] of [
		['invoice', 1],
		['62822', 1],
		['table.csv', 1],
		['document', 1],
		['', 3],
	] as const) {
		await search.fill(words);
		expect(await messages().count()).toBe(found);
	}
	await sendText('To a local number', '081999888777');
	await messages().nth(3).waitFor();
	for (const words of ['+62 819-9988', '0062 (0)819 998', '0819-9988', '081999888777', '19998']) {
		await search.fill(words);
		expect([
			words,
			await page.locator('.text').filter({ visible: true }).allTextContents(),
		]).toEqual([words, ['To a local number']]);
	}
	await search.fill('0811 1111-11');
	expect(await page.locator('.text').filter({ visible: true }).allTextContents()).toEqual([
		'Invoice 17',
	]);
	await search.fill('nobody');
	await page.getByText('No message matches the search.').waitFor();
	await sendText('For nobody');
	await messages().waitFor();
	expect(await page.getByText('No message matches the search.').isVisible()).toBe(false);
	expect(await status().textContent()).toBe('1 of 5 messages');
});

test('every control can be reached with the keyboard, in reading order', async () => {
	await post('v1/message/sendbulk', { number: ['6281111111111', '6282222222222'], message: 'Hi' });
	await messages().waitFor();
	await page.keyboard.press('Tab');
	expect(await focused()).toBe('search');
	await page.keyboard.type('Hi');
	expect(await messages().count()).toBe(1);
	await page.keyboard.press('Tab');
	expect(await focused()).toBe('Show the 2 recipients');
	await page.keyboard.press('Enter');
	await page.getByText('6281111111111, 6282222222222').waitFor();
	await page.keyboard.press('Shift+Tab');
	expect(await focused()).toBe('search');
});

async function focused(): Promise<string> {
	return await page.evaluate('document.activeElement.id || document.activeElement.textContent');
}

test('an expanded list of numbers stays open when the next message arrives', async () => {
	await post('v1/message/sendbulk', { number: ['6281111111111', '6282222222222'], message: 'Hi' });
	await page.getByText('Show the 2 recipients').click();
	await sendText('Next');
	await messages().nth(1).waitFor();
	expect(await page.getByText('6281111111111, 6282222222222').isVisible()).toBe(true);
});

test('the page is empty after the gateway is cleared', async () => {
	await sendText('Hello');
	await messages().waitFor();
	gateway.clear();
	await page.getByText('Nothing is queued yet.').waitFor();
	expect(await messages().count()).toBe(0);
});

test('the page says when the gateway is gone, and resumes when it is back', async () => {
	const { baseUrl, token, deviceId } = gateway;
	await gateway.close();
	await page.getByText('The gateway does not answer.').waitFor();
	gateway = await startGateway({ port: Number(new URL(baseUrl).port), token, deviceId });
	await page.getByText('0 messages queued').waitFor();
	await sendText('Back again');
	await messages().waitFor();
	// The browser reports the lost connection with different errors from run to run.
	pageErrors = pageErrors.filter((text) => !text.includes('net::ERR_'));
});

test.each([
	['phone', 'light'],
	['phone', 'dark'],
	['desk', 'light'],
	['desk', 'dark'],
] as const)('on a %s in %s mode, nothing is wider than the screen', async (where, colorScheme) => {
	await page.setViewportSize(where === 'phone' ? PHONE : DESKTOP);
	await page.emulateMedia({ colorScheme });
	await screenshot(`outbox-empty-${where}-${colorScheme}`);
	await sendEverything();
	await sendText('A'.repeat(300), '123456789012345');
	await post(`v1/message/sendgroup/${'g'.repeat(200)}`, { message: 'A group with a long name' });
	await messages().nth(8).waitFor();
	await page.getByText('Show the 500 recipients').click();
	await page.waitForFunction('[...document.images].every((image) => image.complete)');
	expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(
		(where === 'phone' ? PHONE : DESKTOP).width,
	);
	await screenshot(`outbox-${where}-${colorScheme}`);
});

async function screenshot(name: string): Promise<void> {
	const path = pictureFile(name);
	if (path) await page.screenshot({ path, fullPage: true });
}

test.each(['light', 'dark'] as const)(
	'in %s mode, every text of the outbox has a contrast of at least 4.5',
	async (scheme) => {
		await page.emulateMedia({ colorScheme: scheme });
		await sendEverything();
		await messages().nth(6).waitFor();
		const contrasts = await page.evaluate<Array<{ what: string; ratio: number }>>(CONTRASTS);
		expect(contrasts.length).toBeGreaterThan(10);
		expect(contrasts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
	},
);

/** Runs in the page. Returns the contrast of each text with its background, as WCAG defines it. */
const CONTRASTS = `(() => {
	const channels = (color) => color.match(/[\\d.]+/g).map(Number);
	const light = ([r, g, b]) =>
		[r, g, b]
			.map((c) => c / 255)
			.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const backgroundOf = (element) => {
		const color = channels(getComputedStyle(element).backgroundColor);
		return color[3] === 0 && element.parentElement ? backgroundOf(element.parentElement) : color;
	};
	return [...document.querySelectorAll('body *')]
		.filter(({ offsetParent, firstChild }) => offsetParent && firstChild?.nodeType === 3)
		.map((element) => {
			const ink = light(channels(getComputedStyle(element).color));
			const paper = light(backgroundOf(element));
			const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
			return { what: element.textContent.trim(), ratio };
		});
})()`;
