/** What a person sees of a link that cannot be answered (any more), as n8n and the node show it in a browser. */
import type { INode } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { openSite, type Site } from '../n8n/site';
import { launchBrowser, pictureFile } from '../support/browser';
import { gatewayNode, node, trigger, workflow } from '../../tools/n8n/server/index';
import { approve, newestLink, PHONE, TELLS_WHEN, untilWaiting } from '../support/questions';

const ENDS = node('After', 'n8n-nodes-base.noOp', 1, {});
const GOES_ON = node('After', 'n8n-nodes-base.wait', 1.1, { amount: 8, unit: 'seconds' });
const WAITS = node('After', 'n8n-nodes-base.wait', 1.1, { resume: 'webhook', options: {} });
const FAILS = node('After', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Later' });

let site: Site;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	site = await openSite(TELLS_WHEN);
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
	await site?.close();
});

beforeEach(async () => {
	site.gateway.clear();
	page = await browser.newPage({ viewport: { width: 390, height: 700 } });
});

afterEach(async () => await page.close());

/** Asks; resolves to the execution that waits, and the link that the person got. */
async function asked(after: INode): Promise<{ executionId: string; link: string }> {
	const question = {
		resource: 'text',
		operation: 'sendAndWait',
		phoneNumber: PHONE,
		message: 'Refund?',
	};
	const saved = await site.n8n.api.createWorkflow(
		workflow(
			'A question',
			[trigger(), gatewayNode('Ask', question, site.credential), after],
			[
				['Start', 'Ask'],
				['Ask', 'After'],
			],
		),
	);
	const executionId = await site.n8n.api.run(saved);
	await untilWaiting(site.n8n, executionId);
	return { executionId, link: newestLink(site.gateway) };
}

/** Resolves to the status and the text of what a browser shows for a link. */
async function seen(link: string, name: string): Promise<[number | undefined, string]> {
	const response = await page.goto(link);
	const path = pictureFile(`link-${name}`);
	if (path) await page.screenshot({ path });
	const text = await page.evaluate('document.body.innerText');
	return [response?.status(), String(text).replace(/\s+/g, ' ').trim()];
}

const containing = (text: string) => expect.stringContaining(text) as string;

test('an answered link says that nothing is to do if the workflow has ended', async () => {
	const { executionId, link } = await asked(ENDS);
	await approve(link);
	await site.n8n.api.waitForEnd(executionId);

	expect(await seen(link, 'answered')).toEqual([200, containing('No action required')]);
});

test('an answered link says that the execution is running if it still is', async () => {
	const { executionId, link } = await asked(GOES_ON);
	await approve(link);

	expect(await seen(link, 'running')).toEqual([409, containing('is running already')]);
	await site.n8n.api.waitForEnd(executionId);
});

test('an answered link says that the execution has failed if it did so later', async () => {
	const { executionId, link } = await asked(FAILS);
	await approve(link);
	await site.n8n.api.waitForEnd(executionId);

	expect(await seen(link, 'failed')).toEqual([409, containing('has finished with error')]);
});

test('an answered link says that nothing is to do if the workflow now waits at another node', async () => {
	const { executionId, link } = await asked(WAITS);
	await approve(link);
	await untilWaiting(site.n8n, executionId);

	expect(await seen(link, 'elsewhere')).toEqual([200, containing('No action required')]);
	expect((await site.n8n.api.getExecution(executionId)).status).toBe('waiting');
});

test('a link that was changed on the way is called invalid', async () => {
	const { link } = await asked(ENDS);

	const forged = link.replace(/signature=.{4}/, 'signature=0000');
	expect(await seen(forged, 'forged')).toEqual([401, containing('Invalid')]);
});

test('the link of a stopped execution says that it has ended', async () => {
	const { executionId, link } = await asked(ENDS);
	await site.n8n.api.stop(executionId);

	expect(await seen(link, 'stopped')).toEqual([409, containing('has finished with error')]);
});

test('the link of a deleted execution says that it does not exist', async () => {
	const { executionId, link } = await asked(ENDS);
	await site.n8n.api.deleteExecution(executionId);

	expect(await seen(link, 'deleted')).toEqual([404, containing('does not exist')]);
});
