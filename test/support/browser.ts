/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { installMissingPackages, PACKAGES } from './debian/index';

const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--font-render-hinting=none',
];

export async function launchBrowser(): Promise<Browser> {
	installMissingPackages('The test in the browser', 'chromium-headless-shell');
	return await chromium.launch({
		executablePath: PACKAGES['chromium-headless-shell'],
		args: ARGUMENTS,
	});
}

/**
 * Returns the path of a picture in the README or docs/. Each run takes these pictures again, so that they
 * are never out of date.
 */
export function documentationPicture(name: string, type: 'png' | 'svg' = 'png'): string {
	return join(__dirname, '..', '..', 'docs', 'images', `${name}.${type}`);
}

/**
 * Returns the path of a picture for a person to look at, or undefined unless SCREENSHOTS names a
 * folder.
 */
export function pictureFile(name: string): string | undefined {
	const folder = process.env.SCREENSHOTS;
	if (!folder) return undefined;
	mkdirSync(folder, { recursive: true });
	return join(folder, `${name}.png`);
}
