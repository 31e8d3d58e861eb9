/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { announcement, assertFit, missingTools, portFor, portFrom, type Computer } from './checks';

const fresh: Computer = {
	nodeVersion: '20.19.4',
	cache: '/home/ana/.cache/node',
	freeGb: 77.4,
	isInstalled: false,
	missingTools: [],
};
test('a message before a download says how much, how long, where to, and what was checked', () => {
	const text = announcement(fresh);
	expect(text).toMatch(/2\.5 GB.*five minutes/);
	expect(text).toContain('/home/ana/.cache/node');
	expect(text).toContain('Node.js 20.19.4, 77 GB of disk free');
});

test('a message before a download names the tools to compile with that are missing', () => {
	expect(announcement(fresh)).not.toContain('Not found');
	expect(announcement({ ...fresh, missingTools: ['make', 'Python 3'] })).toContain(
		'Not found: make, Python 3.',
	);
});

test('the tools to compile with are looked for in the folders of PATH', () => {
	const folder = mkdtempSync(join(tmpdir(), 'tools-'));
	for (const name of ['clang++', 'python3']) writeFileSync(join(folder, name), '');
	const found = missingTools(`/nowhere${delimiter}${folder}`, 'linux');
	rmSync(folder, { recursive: true });
	expect(found).toEqual(['make']);
	expect(missingTools('/nowhere', 'win32')).toEqual([]);
	expect(missingTools('/nowhere', 'darwin')).toHaveLength(3);
});

test('a message says nothing of a download if n8n is there already', () => {
	expect(announcement({ ...fresh, isInstalled: true })).not.toMatch(/GB|download/);
});

test('too little disk ends the start before a download, and the error says where and how much', () => {
	expect(() => assertFit({ ...fresh, freeGb: 3.94 })).toThrow(
		/about 4 GB.*\/home\/ana\/\.cache\/node has 3\.9 GB left.*MESSAGING_GATEWAY_CACHE/,
	);
	expect(() => assertFit({ ...fresh, freeGb: 4 })).not.toThrow();
	expect(() => assertFit({ ...fresh, freeGb: 1, isInstalled: true })).not.toThrow();
});

test.each(['18.20.8', '20.18.3'])('a start with Node.js %s fails as too old', (nodeVersion) => {
	expect(() => assertFit({ ...fresh, nodeVersion })).toThrow(
		`This needs Node.js 20.19 or newer, and you have ${nodeVersion}.`,
	);
});

test.each(['20.19.0', '22.0.0', '24.21.0'])('a start with Node.js %s will do', (nodeVersion) => {
	expect(() => assertFit({ ...fresh, nodeVersion })).not.toThrow();
});

test.each(['abc', '', '0', '65536', '1.5', '-1'])('a port is not “%s”', (text) => {
	expect(() => portFrom(text)).toThrow(`“${text}” is not a port.`);
});

test('the port is the one that is asked for', () => {
	expect(portFrom('5678')).toBe(5678);
});

test('the port is the next free one if the other is in use, and a message says so', async () => {
	const other = createServer().listen(0);
	await new Promise((resolve) => other.once('listening', resolve));
	const { port } = other.address() as AddressInfo;
	const lines: string[] = [];
	const found = await portFor("n8n's editor", port, (line) => lines.push(line));
	other.close();
	expect(found).toBeGreaterThan(port);
	expect(lines).toEqual([`Port ${port} is in use, so n8n's editor uses ${found}.`]);
});
