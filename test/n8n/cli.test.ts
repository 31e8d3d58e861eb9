/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Tests `npm run n8n` as a person starts it. */
import { join } from 'node:path';
import { cleanEnvironment, run } from '../../tools/n8n/server/processes';

const checkout = join(__dirname, '..', '..');

async function cli(...args: string[]) {
	const tsx = join(checkout, 'node_modules', 'tsx', 'dist', 'cli.mjs');
	const script = join(checkout, 'tools', 'n8n', 'cli.ts');
	return await run(process.execPath, [tsx, script, ...args], { env: cleanEnvironment() });
}

test('npm run n8n with --once brings up the editor, sends one of every message, and runs the examples', async () => {
	const { code, stdout, stderr } = await cli('--once');
	expect({ code, stderr }).toMatchObject({ code: 0 });
	expect(stdout).toContain('sent its seven messages');
	for (const number of [2, 3, 4, 5]) {
		expect(stdout).toContain(`Example ${number} ran to its end.`);
	}
});
