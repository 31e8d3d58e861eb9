/** `npm test`: everything that needs no n8n server. Arguments after `--` go to jest. */
import { runSteps } from './steps.mjs';

await runSteps([
	{ name: 'build', command: 'gulp pack --silent' },
	{ name: 'tests', command: ['jest', ...process.argv.slice(2)].join(' '), after: ['build'] },
	{ name: 'lint', command: 'npm run --silent lint:code' },
	{ name: 'types', command: 'npm run --silent typecheck', after: ['lint'] },
]);
