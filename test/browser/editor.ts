/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
/** Controls n8n's editor as a person does, through n8n's own test IDs. */
import type { Browser, Locator, Page } from 'playwright-core';
import { OWNER } from '../../tools/n8n/server/index';

export const DESKTOP = { width: 1280, height: 800 };
/** Milliseconds in which n8n shows what it was asked for, also on a slow machine. */
const PATIENCE = 60_000;

export type Theme = 'light' | 'dark';

export class Editor {
	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Signs in as the owner. The editor stays loaded for a whole test file: loading it takes ten seconds. */
	static async signIn(browser: Browser, url: string): Promise<Editor> {
		const editor = await Editor.on(browser, url);
		const data = { emailOrLdapLoginId: OWNER.email, password: OWNER.password };
		const answer = await editor.page.request.post(`${url}/rest/login`, { data });
		if (!answer.ok()) throw new Error(`n8n answered ${answer.status()} to the sign-in.`);
		return editor;
	}

	/** Does the same as a person. Resolves to a picture of the sign-in page, too. */
	static async signInByHand(
		browser: Browser,
		url: string,
	): Promise<{ editor: Editor; picture: Buffer }> {
		const editor = await Editor.on(browser, url);
		const { page } = editor;
		await page.goto(`${url}/signin`);
		await page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
		await page.locator('input[type="password"]').fill(OWNER.password);
		await page.waitForFunction(AT_REST);
		const picture = await page.screenshot({ caret: 'hide', clip: PARTS.signIn });
		await page.keyboard.press('Enter');
		await page.waitForURL(({ pathname }) => pathname !== '/signin');
		return { editor, picture };
	}

	private static async on(browser: Browser, url: string): Promise<Editor> {
		const page = await browser.newPage({ viewport: DESKTOP });
		page.setDefaultTimeout(PATIENCE);
		return new Editor(page, url);
	}

	async useTheme(theme: Theme): Promise<void> {
		await this.page.emulateMedia({ colorScheme: theme });
	}

	byId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.byId('canvas-add-button').click();
		await this.addTrigger();
		await this.byId('canvas-handle-plus').waitFor();
	}

	/** While n8n still loads, the panel shows its list anew, and a click into the old one is lost: it searches again. */
	private async addTrigger(tries = 5): Promise<void> {
		const searchBar = this.byId('node-creator-search-bar');
		await searchBar.fill('manual');
		try {
			await this.foundNode('Trigger manually').click({ timeout: 20_000 });
		} catch (error) {
			if (tries === 1) throw error;
			await searchBar.fill('');
			await this.addTrigger(tries - 1);
		}
	}

	/** Goes on to it within the loaded editor, as a link of n8n does. */
	async openWorkflow(id: string): Promise<void> {
		const path = `/workflow/${id}`;
		if (this.page.url().startsWith(this.url)) await this.page.evaluate(GO_TO, path);
		else await this.page.goto(this.url + path);
		await this.page.locator('[data-test-id="canvas-node"]:not([data-before])').first().waitFor();
	}

	/** Opens the panel of nodes to add after the last one. */
	async openNodePanel(): Promise<void> {
		await this.byId('canvas-handle-plus').last().click();
		await this.byId('node-creator-search-bar').waitFor();
	}

	/**
	 * Starts a new search. Resolves to the names found, best match first, at least up to the one that is
	 * wanted: n8n shows a long list bit by bit.
	 */
	async search(words: string, wanted: string): Promise<string[]> {
		const searchBar = this.byId('node-creator-search-bar');
		const nothing = this.byId('node-creator-no-results');
		await searchBar.fill('no node has such a name');
		await nothing.waitFor();
		await searchBar.fill(words);
		await nothing.waitFor({ state: 'detached' });
		await this.foundNode(wanted).waitFor();
		return await this.byId('node-creator-item-name').allInnerTexts();
	}

	foundNode(name: string): Locator {
		return this.byId('node-creator-item-name').filter({ hasText: name }).first();
	}

	/** Opens a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.byId('canvas-node').filter({ hasText: name }).dblclick();
		await this.byId('node-parameters').waitFor();
	}

	async closeNode(): Promise<void> {
		await this.byId('ndv-close-button').click();
		await this.byId('node-parameters').waitFor({ state: 'detached' });
	}

	field(name: string): Locator {
		return this.byId(`parameter-input-${name}`).last();
	}

	async fill(name: string, value: string): Promise<void> {
		await this.field(name).locator('input, textarea').first().fill(value);
	}

	async choose(name: string, option: string): Promise<void> {
		await this.chooseIn(this.field(name), option);
	}

	private async chooseIn(list: Locator, option: string): Promise<void> {
		const choices = await this.openList(list);
		await choices.getByText(option, { exact: true }).click();
		await choices.first().waitFor({ state: 'hidden' });
	}

	/**
	 * Opens a list. Resolves to its choices. Removes the focus first, because n8n's tips cover what
	 * is below it.
	 */
	private async openList(list: Locator): Promise<Locator> {
		await this.page.evaluate('document.activeElement?.blur()');
		const input = list.locator('input').first();
		await input.click();
		const choices = this.page.locator(`[id="${await input.getAttribute('aria-controls')}"] li`);
		await choices.first().waitFor();
		return choices;
	}

	/** Resolves to the labels of all visible fields, from top to bottom. */
	async labels(): Promise<string[]> {
		const labels = this.byId('node-parameters').first().locator('[data-test-id="input-label"]');
		const texts = await labels.filter({ visible: true }).allInnerTexts();
		return texts.map((text) => text.split('\n')[0]?.replace(/\s*\*?\s*$/, '') ?? '');
	}

	/** Resolves to the labels that the editor cuts, for want of room. */
	async cutLabels(): Promise<string[]> {
		return await this.byId('node-parameters')
			.first()
			.locator('[data-test-id="input-label"]')
			.evaluateAll(CUT);
	}

	/** Resolves to the names in a list, without the descriptions below them. */
	async choicesOf(list: Locator): Promise<string[]> {
		const choices = await this.openList(list);
		const texts = await choices.allInnerTexts();
		await this.page.keyboard.press('Escape');
		await choices.first().waitFor({ state: 'hidden' });
		return texts.map((text) => text.trim().split('\n')[0] ?? '');
	}

	async addOption(name: string): Promise<void> {
		await this.chooseIn(this.addOptionButton(), name);
	}

	addOptionButton(): Locator {
		return this.byId('collection-parameter-add').last();
	}

	async execute(): Promise<void> {
		await this.byId('node-execute-button').click();
	}

	/** Runs the whole workflow, from the canvas. */
	async executeWorkflow(): Promise<void> {
		await this.byId('execute-workflow-button').click();
	}

	/** Switches a field on or off. */
	async toggle(name: string): Promise<void> {
		await this.field(name).locator('.el-switch').click();
	}

	/** Sets On Error in the settings of the open node. */
	async continueOnError(choice = 'Continue'): Promise<void> {
		await this.byId('tab-settings').click();
		await this.choose('onError', choice);
	}

	output(): Locator {
		return this.byId('output-panel');
	}

	async saveCredential(): Promise<void> {
		await this.byId('credential-save-button').click();
	}

	async closeDialog(): Promise<void> {
		await this.page.locator('.el-dialog__headerbtn').last().click();
		await this.byId('credential-save-button').waitFor({ state: 'hidden' });
	}

	/**
	 * Takes a picture of a page at rest: without notifications, focus, hover or running animations.
	 *
	 * @param path of the file; none is written without one
	 * @param part of the window; all of it if none is given
	 */
	async picture(path: string | undefined, part?: Part): Promise<Buffer> {
		return await this.screenshot(path, part && PARTS[part]);
	}

	/** Takes the same picture of one panel, from its top to a height in pixels. */
	async pictureOf(panel: Locator, height: number, path: string): Promise<void> {
		const box = await panel.boundingBox();
		if (!box) throw new Error('The panel is not visible.');
		await this.screenshot(path, { ...box, height: Math.min(height, box.height) });
	}

	/** Takes a picture of all nodes of the workflow, and of nothing else. */
	async pictureOfNodes(path: string): Promise<Buffer> {
		await this.byId('zoom-to-fit').click();
		await this.page.waitForFunction(AT_REST);
		const part = await this.page.evaluate<Clip>(NODES);
		return await this.screenshot(path, part, ONLY_NODES);
	}

	private async screenshot(path?: string, clip?: Clip, more = ''): Promise<Buffer> {
		await this.page.mouse.move(0, 0);
		await this.page.evaluate('document.activeElement?.blur()');
		await this.page.waitForFunction(AT_REST);
		const style = `.el-notification, [data-test-id="floating-node"] { visibility: hidden } ${more}`;
		return await this.page.screenshot({ path, style, caret: 'hide', clip });
	}
}

type Clip = Record<'x' | 'y' | 'width' | 'height', number>;

/** Parts of the window that can be read in a page of 800 pixels without zooming. */
const PARTS = {
	signIn: { x: 400, y: 10, width: 480, height: 470 },
	nodePanel: { x: 896, y: 66, width: 384, height: 270 },
	parameters: { x: 431, y: 66, width: 420, height: 634 },
	parametersAndOutput: { x: 431, y: 66, width: 824, height: 634 },
	output: { x: 851, y: 66, width: 404, height: 250 },
	credentialForm: { x: 400, y: 172, width: 684, height: 526 },
	dialog: { x: 192, y: 80, width: 896, height: 640 },
};

export type Part = keyof typeof PARTS;

/** Runs in the page. Marks the nodes that are shown, and goes to another workflow. */
const GO_TO = new Function(
	'path',
	`for (const node of document.querySelectorAll('[data-test-id="canvas-node"]')) node.dataset.before = '';
	history.pushState({}, '', path);
	dispatchEvent(new PopStateEvent('popstate', { state: {} }));`,
) as (path: string) => void;

/** Runs in the page. Returns the texts of elements whose text does not fit. */
const CUT = new Function(
	'labels',
	`return labels.filter((label) => [label, ...label.querySelectorAll('*')].some((part) =>
		getComputedStyle(part).textOverflow === 'ellipsis' && part.scrollWidth > part.clientWidth))
		.map(({ innerText }) => innerText.trim())`,
) as (labels: unknown[]) => string[];

/** n8n's buttons over the canvas, and its dots. */
const ONLY_NODES = `* { visibility: hidden } .vue-flow__viewport * { visibility: visible }
	[data-test-id="canvas-node-toolbar"] * { visibility: hidden }`;

/** Runs in the page. Returns the part of the window that holds all nodes and their names. */
const NODES = `(() => {
	const shown = { opacityProperty: true, visibilityProperty: true };
	const boxes = [...document.querySelectorAll('[data-test-id="canvas-node"] *')]
		.filter((part) => !part.closest('[data-test-id="canvas-node-toolbar"]') && part.checkVisibility(shown))
		.map((part) => part.getBoundingClientRect()).filter(({ width }) => width > 0);
	const edge = (side, choose) => Math.round(choose(...boxes.map((box) => box[side])));
	const [x, y] = [edge('left', Math.min) - 12, edge('top', Math.min) - 12];
	return { x, y, width: edge('right', Math.max) + 12 - x, height: edge('bottom', Math.max) + 12 - y };
})()`;

/** Runs in the page. True if no animation is running, except for endless ones. */
const AT_REST = `document.getAnimations().every(({ effect, playState }) =>
	playState !== 'running' || effect.getComputedTiming().endTime === Infinity)`;
