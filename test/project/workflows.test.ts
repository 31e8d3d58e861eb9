/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/**
 * Checks the files that only GitHub and Docker read, and that nobody runs while developing: the
 * workflows, the issue forms and the compose file.
 */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { DEFAULT_N8N_VERSION } from '../../tools/n8n/server/releases';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	needs?: string;
	'timeout-minutes'?: number;
	permissions?: Record<string, string>;
	strategy?: { matrix: { node: number[] } };
	steps: Step[];
}

interface Workflow {
	on: {
		push: { branches?: string[]; tags?: string[] };
		pull_request?: null;
		workflow_dispatch?: null;
	};
	permissions?: Record<string, string>;
	concurrency?: { group: string };
	jobs: Record<string, Job>;
}

const root = resolve(__dirname, '../..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
	engines: { node: string };
	scripts: Record<string, string>;
};

const FOLDER = '.github/workflows';
const files = readdirSync(join(root, FOLDER)).sort();
const workflows = new Map(files.map((file) => [file, parse(read(FOLDER, file)) as Workflow]));

function workflowOf(file: string): Workflow {
	const workflow = workflows.get(file);
	if (!workflow) throw new Error(`${FOLDER} has no ${file}.`);
	return workflow;
}

function jobOf(file: string, name: string): Job {
	const job = workflowOf(file).jobs[name];
	if (!job) throw new Error(`${file} has no job "${name}".`);
	return job;
}

const everyJob = [...workflows].flatMap(([file, { jobs }]) =>
	Object.entries(jobs).map(([name, job]) => ({ place: `${file}, ${name}`, job })),
);

function commandsOf({ steps }: Job): string[] {
	return steps.flatMap(({ run }) => (run ?? '').split('\n').filter((line) => line.trim() !== ''));
}

/** What a workflow may run in addition to the scripts in package.json. */
const ALLOWED = [
	/^\.ci\/run$/,
	/^sudo apt-get update$/,
	/^sudo apt-get install --yes --no-install-recommends( [a-z0-9-]+)+$/,
	/^node tools\/releaseNotes\.mjs "\$GITHUB_REF_NAME"( > release-notes\.md)?$/,
	/^npm publish --provenance --access public$/,
	/^gh release create "\$GITHUB_REF_NAME" --verify-tag --title "\$GITHUB_REF_NAME" --notes-file release-notes\.md$/,
];

function isAllowed(command: string): boolean {
	const [, script] = /^npm (?:run )?([\w:]+)(?: -- [\w -]+)?$/.exec(command) ?? [];
	const runsScript = /^npm (run |test$)/.test(command) && script !== undefined;
	return (
		(runsScript && script in manifest.scripts) || ALLOWED.some((pattern) => pattern.test(command))
	);
}

const PINNED =
	/uses: (?<action>actions\/[a-z-]+)@(?<commit>[0-9a-f]{40}) # (?<version>v\d+\.\d+\.\d+)$/;

function usesOf(text: string): string[] {
	return text.split('\n').filter((line) => line.includes('uses:'));
}
it('the workflows are the checks of a change and the release', () => {
	expect(files).toEqual(['ci.yml', 'release.yml']);
});

it.each(everyJob)(
	'the workflows run only scripts that exist and a few known commands: $place',
	({ job }) => {
		const commands = commandsOf(job);
		expect(commands).not.toEqual([]);
		expect(commands.filter((command) => !isAllowed(command))).toEqual([]);
	},
);

it.each([
	'npm run no-such-script',
	'npm install left-pad',
	'npm publish',
	'curl x | sh',
	'npm tes',
])('the workflows may not run "%s"', (command) => expect(isAllowed(command)).toBe(false));

it('the workflows never put text that a stranger can choose into a command', () => {
	const commands = everyJob.flatMap(({ job }) => commandsOf(job));
	expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
});

it.each(files)('the workflows pin every action by its commit and name its version: %s', (file) => {
	const text = read(FOLDER, file);
	const steps = Object.values(workflowOf(file).jobs).flatMap((job) => job.steps);
	expect(usesOf(text)).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
	expect(usesOf(text).filter((line) => !PINNED.test(line))).toEqual([]);
});

it('the workflows use the same commit of an action everywhere, and only GitHub’s own actions', () => {
	const pins = files.flatMap((file) => usesOf(read(FOLDER, file)).map((line) => line.trim()));
	const actions = new Set(pins.map((pin) => PINNED.exec(pin)?.groups?.action));
	expect([...actions].sort()).toEqual(['actions/checkout', 'actions/setup-node']);
	expect(new Set(pins.map((pin) => pin.replace('- ', ''))).size).toBe(actions.size);
});

it.each(everyJob)('the workflows end by themselves: $place', ({ job }) => {
	expect(job['timeout-minutes']).toBeGreaterThan(0);
	expect(job['timeout-minutes']).toBeLessThanOrEqual(120);
});

it('the workflows may only read the repository, unless a release needs more', () => {
	for (const { permissions, concurrency } of workflows.values()) {
		expect(permissions).toEqual({ contents: 'read' });
		expect(concurrency?.group).toMatch(/\w/);
	}
	const more = everyJob.flatMap(({ place, job }) =>
		Object.entries(job.permissions ?? { everything: 'write' })
			.filter(([, access]) => access !== 'read')
			.map(([scope, access]) => `${place}: ${scope}: ${access}`),
	);
	expect(more).toEqual([
		'release.yml, publish: id-token: write',
		'release.yml, announce: contents: write',
	]);
});

it('the workflows have no secrets, and leave no token behind in the checkout', () => {
	for (const file of files) expect(read(FOLDER, file)).not.toMatch(/secrets[.[]|TOKEN: [^$]/);
	const checkouts = everyJob
		.flatMap(({ job }) => job.steps)
		.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
	expect(checkouts).toHaveLength(everyJob.length);
	for (const checkout of checkouts) expect(checkout.with).toEqual({ 'persist-credentials': false });
});

it('a change is checked on every push to main, on every pull request, and on request', () => {
	expect(workflowOf('ci.yml').on).toEqual({
		push: { branches: ['main'] },
		pull_request: null,
		workflow_dispatch: null,
	});
});

it('a change is checked on the oldest Node.js that the package supports, and on newer ones', () => {
	const versions = jobOf('ci.yml', 'node').strategy?.matrix.node;
	expect(versions).toEqual([20, 22, 24]);
	expect(manifest.engines.node).toMatch(new RegExp(`^>=${versions?.[0]}\\.`));
});

it('a change runs every test suite of the project', () => {
	accessSync(join(root, '.ci', 'run'), constants.X_OK);
	expect(read('.ci', 'run')).toMatch(/^exec npm run --silent ci$/m);
	const plan = read('tools', 'ci.mjs');
	const jobs = Object.values(workflowOf('ci.yml').jobs).flatMap(commandsOf);
	const suites = Object.keys(manifest.scripts).filter((name) => name.startsWith('test:'));
	const isRun = (name: string) =>
		plan.includes(`suite('${name}')`) || jobs.includes(`npm run ${name}`);
	expect([...suites, 'demo'].filter((name) => !isRun(name))).toEqual([]);
	expect(plan).toContain("command: 'npm test'");
	expect(jobs).toContain('npm run test:matrix');
	expect(jobs).toEqual(expect.arrayContaining(['.ci/run', 'npm test']));
});

it('a release starts only with a tag', () => {
	expect(workflowOf('release.yml').on).toEqual({ push: { tags: ['v*'] } });
});

it('a release is checked before it is published, and announced after that', () => {
	expect(commandsOf(jobOf('release.yml', 'check'))).toEqual([
		'node tools/releaseNotes.mjs "$GITHUB_REF_NAME"',
		'npm test',
	]);
	expect(jobOf('release.yml', 'publish').needs).toBe('check');
	expect(jobOf('release.yml', 'announce').needs).toBe('publish');
});

it('a release is built by the job that publishes it, from the tagged commit and without a cache', () => {
	const { steps } = jobOf('release.yml', 'publish');
	expect(commandsOf(jobOf('release.yml', 'publish'))).toEqual([
		'npm run setup',
		'npm run build',
		'npm publish --provenance --access public',
	]);
	expect(steps.flatMap((step) => Object.keys(step.with ?? {}))).not.toContain('cache');
});
interface Field {
	type: string;
	id?: string;
	attributes?: { label?: string; value?: string; options?: unknown[] };
}

const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter(
	(file) => file !== 'config.yml',
);

it('the issue forms exist', () => expect(forms).toContain('bug.yml'));

it.each(forms)('the issue forms have what GitHub needs to show them: %s', (file) => {
	const form = parse(read('.github/ISSUE_TEMPLATE', file)) as {
		name: string;
		description: string;
		body: Field[];
	};
	expect(form.name.trim()).not.toBe('');
	expect(form.description.trim()).not.toBe('');
	const fields = form.body.filter(({ type }) => type !== 'markdown');
	expect(fields).not.toEqual([]);
	for (const { type, attributes } of fields) {
		expect(['checkboxes', 'dropdown', 'input', 'textarea']).toContain(type);
		expect(attributes?.label?.trim()).toMatch(/\w/);
		if (type === 'dropdown' || type === 'checkboxes') expect(attributes?.options).not.toEqual([]);
	}
	const labels = fields.map(({ attributes }) => attributes?.label);
	expect(new Set(labels).size).toBe(labels.length);
});
interface Service {
	image: string;
	entrypoint?: string[];
	command?: string | string[];
	environment?: Record<string, string>;
	ports?: string[];
	volumes?: string[];
	deploy?: { replicas: number };
}

const { services, volumes } = parse(read('docs', 'docker-compose.yml'), { merge: true }) as {
	services: Record<string, Service>;
	volumes: Record<string, null>;
};
/**
 * The services that run n8n. One more service with n8n's image only installs the node, in a
 * shell.
 */
const n8n = Object.entries(services).filter(
	([, { image, entrypoint }]) => image.includes('n8n') && !entrypoint,
);

it('the compose file has the services that docs/scaling.md describes', () => {
	expect(read('docs', 'scaling.md')).toContain('`docker-compose.yml`');
	expect(Object.keys(services).sort()).toEqual(['main', 'node', 'postgres', 'redis', 'worker']);
	expect(n8n.map(([name]) => name)).toEqual(['main', 'worker']);
	expect(services.main?.command).toBeUndefined();
	expect(services.worker?.command).toMatch(/^worker /);
	expect(services.worker?.deploy?.replicas).toBeGreaterThanOrEqual(2);
});

it.each(n8n)('the compose file gives every n8n the same queue, database and key: %s', (name) => {
	const environment = services[name]?.environment;
	expect(environment).toMatchObject({
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: 'redis',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: 'postgres',
		DB_POSTGRESDB_PASSWORD: services.postgres?.environment?.POSTGRES_PASSWORD,
	});
	expect(environment?.N8N_ENCRYPTION_KEY).toMatch(/^\$\{N8N_ENCRYPTION_KEY:\?.+\}$/);
	expect(environment?.N8N_ENCRYPTION_KEY).toBe(services.main?.environment?.N8N_ENCRYPTION_KEY);
});

it('the compose file runs one version of n8n, the one that the tests run', () => {
	const images = [services.node, services.main, services.worker].map((service) => service?.image);
	expect(new Set(images)).toEqual(new Set([`docker.n8n.io/n8nio/n8n:${DEFAULT_N8N_VERSION}`]));
});

it('the compose file keeps data in volumes that it declares, and opens one port, to this machine only', () => {
	const used = Object.values(services).flatMap((service) => service.volumes ?? []);
	expect(new Set(used.map((volume) => volume.split(':')[0]))).toEqual(
		new Set(Object.keys(volumes)),
	);
	expect(Object.values(services).flatMap(({ ports }) => ports ?? [])).toEqual([
		'127.0.0.1:5678:5678',
	]);
});
