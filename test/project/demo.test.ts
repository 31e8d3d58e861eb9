/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** `npm run demo`, as a person reads it. */
import { join } from 'node:path';
import { cleanEnvironment, run } from '../../tools/n8n/server/processes';
import { SENDS } from '../../tools/demo/sends';

const checkout = join(__dirname, '..', '..');

async function demo(...args: string[]) {
	const tsx = join(checkout, 'node_modules', 'tsx', 'dist', 'cli.mjs');
	const env = cleanEnvironment();
	return await run(process.execPath, [tsx, join(checkout, 'tools', 'demo', 'demo.ts'), ...args], {
		env,
	});
}

test('the demo shows every message on one line, fits on a screen, and says that all arrived', async () => {
	const { code, stdout } = await demo('--once');
	expect(code).toBe(0);

	const lines = stdout.split('\n');
	const contents = SENDS.flatMap((send) => send.contents);
	expect(lines.filter((line) => line.startsWith('✓ ')).length).toBe(contents.length + 1);
	const start = lines.find((line) => line.includes('Content'))?.indexOf('Content') ?? NaN;
	for (const content of contents) {
		const line = lines.find((one) => one.includes(content)) ?? '';
		expect(line.indexOf(content)).toBe(start);
		expect(line.slice(0, start)).toMatch(/ {2}$/);
	}
	expect(stdout).toContain(`The gateway has all ${contents.length} messages`);
	expect(lines.length).toBeLessThanOrEqual(24);
	expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(88);
}, 120_000);
