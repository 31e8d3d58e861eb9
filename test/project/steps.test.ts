/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../support/until';

const runner = pathToFileURL(join(__dirname, '../../tools/steps.mjs')).href;

/** Runs steps as `npm test` does. */
function run(...steps: Array<{ name: string; command: string; after?: string[] }>) {
	const script = `import { runSteps } from '${runner}'; await runSteps(${JSON.stringify(steps)}, 300);`;
	const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
		encoding: 'utf8',
	});
	return { status, lines: stdout.split('\n').map((line) => line.replace(/\d+:\d\d/, 'm:ss')) };
}

const sleep = 'node -e "setTimeout(() => {}, 60_000)"';

it('the run of CI takes steps side by side, each after those that it needs, and says how long each took', () => {
	const folder = mkdtempSync(join(tmpdir(), 'steps-'));
	const sign = join(folder, 'sign');
	const { status, lines } = run(
		{ name: 'one', command: `until [ -e ${sign} ]; do sleep 0.1; done; echo 1` },
		{ name: 'other', command: `echo 2; touch ${sign}` },
		{ name: 'last', command: 'echo 3', after: ['one'] },
	);

	rmSync(folder, { recursive: true });
	expect(status).toBe(0);
	const order = lines.filter((line) => /│ \d$/.test(line));
	expect(order).toEqual(['other │ 2', 'one   │ 1', 'last  │ 3']);
	expect(lines).toEqual(
		expect.arrayContaining(['last  │   m:ss  passed', '      │   m:ss  together']),
	);
});

it('the run of CI stops at the first step that fails, ends the others, and fails itself', () => {
	const { status, lines } = run(
		{ name: 'long', command: sleep },
		{ name: 'bad', command: 'exit 3' },
		{ name: 'later', command: 'echo never', after: ['long'] },
	);

	expect(status).toBe(1);
	for (const result of [
		'bad   │   m:ss  FAILED',
		'long  │   m:ss  ended',
		'later │   m:ss  not run',
	]) {
		expect(lines).toContain(result);
	}
});

it('the run of CI deletes what its steps leave in the temporary folder', () => {
	const { status, lines } = run({ name: 'one', command: 'mktemp -d' });

	expect(status).toBe(0);
	const left = lines.find((line) => line.includes('│ /'))?.split('│ ')[1];
	expect(left).toContain('messaging-gateway-');
	expect(existsSync(left as string)).toBe(false);
});

it('the run of CI ends what a step leaves running, even what does not end when it is asked to', async () => {
	const stubborn = `sh -c 'trap "" TERM; while :; do sleep 1; done' > /dev/null 2>&1 & echo $!; sleep 0.3`;
	const { status, lines } = run({ name: 'leaves', command: stubborn });

	expect(status).toBe(0);
	const pid = lines.map((line) => /│ (\d+)$/.exec(line)?.[1]).find(Boolean);
	await until(() => spawnSync('kill', ['-0', String(pid)]).status !== 0, 'it was ended', 5_000);
});
