/** `.ci/run`: suites that mostly wait, for n8n or for its clock, run side by side. */
import { readFileSync } from 'node:fs';
import { runSteps } from './steps.mjs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/**
 * A suite without its set-up and build, which `npm test` has done: a second build would replace the first while other
 * suites use it.
 */
const suite = (name) => scripts[name].split(' && ').at(-1);

const prepared = ['prepare', 'test'];

/** A leak shows in fewer than `npm run test:soak` has. */
Object.assign(process.env, { SOAK_SENDS: '3000', SOAK_CALLS: '500' });

await runSteps([
	{ name: 'prepare', command: 'tsx tools/prepare.ts' },
	{ name: 'test', command: 'npm test' },
	{ name: 'format', command: 'prettier --check .', after: ['test'] },
	{ name: 'demo', command: `${suite('demo')} --once`, after: ['test'] },
	{ name: 'n8n', command: suite('test:n8n'), after: prepared },
	{ name: 'browser', command: suite('test:browser'), after: prepared },
	{ name: 'matrix', command: `${suite('test:matrix')} --quick`, after: ['n8n', 'demo'] },
	{ name: 'queue', command: suite('test:queue'), after: ['browser'] },
	{ name: 'servers', command: suite('test:servers'), after: ['queue'] },
	{ name: 'soak', command: suite('test:soak'), after: ['matrix'] },
]);
