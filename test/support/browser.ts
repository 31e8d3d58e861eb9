import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { installWhatIsMissing } from './debian/index';

const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export async function launchBrowser(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
	installWhatIsMissing('The test of the editor', { chromium: executablePath });
	return await chromium.launch({ executablePath, args: ARGUMENTS });
}

/** The README's own pictures, taken anew by each run, so that they are never stale. */
export function documentationPicture(name: string): string {
	return join(__dirname, '..', '..', 'docs', 'images', `${name}.png`);
}

/** Where pictures go that a person may want to look at: kept only if SCREENSHOTS names a folder. */
export function pictureFile(name: string): string | undefined {
	const folder = process.env.SCREENSHOTS;
	if (!folder) return undefined;
	mkdirSync(folder, { recursive: true });
	return join(folder, `${name}.png`);
}
