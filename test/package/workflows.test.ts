/** Files that other programs read, as far as they can be checked without them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(__dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts, version } = JSON.parse(readText('package.json')) as {
	scripts: Record<string, string>;
	version: string;
};

interface Step {
	uses?: string;
	run?: string;
}

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, { 'timeout-minutes'?: number; steps: Step[] }>;
}

const WORKFLOWS = readdirSync(join(root, '.github/workflows')).map(
	(file) => `.github/workflows/${file}`,
);

/** What a workflow may call besides the project's own scripts. */
const TOOLS = [/^npm publish --provenance --access public$/, /^gh release create /];

function isOwnCommand(command: string): boolean {
	const script = /^npm (?:run )?([\w:]+)( -- --(once|quick))?$/.exec(command)?.[1];
	if (script) return script in scripts;
	const file = /^(?:sudo --preserve-env=PATH,HOME |node )?((?:\.ci|scripts)\/\S+)/.exec(
		command,
	)?.[1];
	return file !== undefined && existsSync(join(root, file));
}

describe.each(WORKFLOWS)('%s', (path) => {
	const { permissions, jobs } = parse(readText(path)) as Workflow;
	const steps = Object.values(jobs).flatMap((job) => job.steps);

	it('may only read, but where a job says more; and no job runs for ever', () => {
		expect(permissions).toEqual({ contents: 'read' });
		for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
	});

	it('uses actions pinned by commit, with their version beside it', () => {
		const uses = readText(path)
			.split('\n')
			.filter((line) => /\buses:/.test(line));
		expect(uses.length).toBeGreaterThan(0);
		for (const line of uses) {
			expect(line).toMatch(/uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
		}
	});

	it('calls scripts that the project has', () => {
		const commands = steps.flatMap(({ run }) => run ?? []);
		const unknown = commands.filter(
			(command) => !isOwnCommand(command) && !TOOLS.some((tool) => tool.test(command)),
		);
		expect(commands.length).toBeGreaterThan(0);
		expect(unknown).toEqual([]);
	});
});

test('.ci/run calls scripts that the project has', () => {
	const commands = [...readText('.ci/run').matchAll(/^step (.+)$/gm)].map(
		([, command = '']) => command,
	);
	expect(commands).toContain('npm test');
	expect(commands.filter((command) => !isOwnCommand(command))).toEqual([]);
});

describe('the notes of a release', () => {
	const notesOf = (tag: string) =>
		spawnSync(process.execPath, [join(root, 'scripts/releaseNotes.mjs'), tag], {
			encoding: 'utf8',
		});

	it('are what the changelog says of the version', () => {
		const { status, stdout } = notesOf(`v${version}`);
		expect(status).toBe(0);
		expect(stdout).toMatch(/^### Added\n/);
		expect(stdout).not.toContain('## [');
	});

	it('fail where the tag is not the version', () => {
		const { status, stderr } = notesOf('v0.0.1');
		expect(status).toBe(1);
		expect(stderr).toContain(`The tag is v0.0.1, but the version in package.json is ${version}.`);
	});
});

test('docker-compose.yml shows a main, workers, Redis and PostgreSQL in queue mode, with one key', () => {
	const { services } = parse(readText('docker-compose.yml'), { merge: true }) as {
		services: Record<
			string,
			{ environment?: Record<string, string>; deploy?: { replicas: number } }
		>;
	};
	expect(Object.keys(services).sort()).toEqual(['main', 'node', 'postgres', 'redis', 'worker']);
	for (const name of ['main', 'worker']) {
		expect(services[name]?.environment).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: 'redis',
			DB_POSTGRESDB_HOST: 'postgres',
			N8N_DEFAULT_BINARY_DATA_MODE: 'database',
			N8N_ENCRYPTION_KEY: expect.stringMatching(/^\$\{N8N_ENCRYPTION_KEY:\?/) as string,
		});
	}
	expect(services.worker?.deploy?.replicas).toBe(2);
});

test('issue forms have what GitHub asks for', () => {
	const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((file) =>
		file.endsWith('.yml'),
	);
	expect(forms.length).toBeGreaterThan(0);
	for (const form of forms) {
		expect(parse(readText(`.github/ISSUE_TEMPLATE/${form}`))).toMatchObject({
			name: expect.any(String) as string,
			description: expect.any(String) as string,
			body: expect.arrayContaining([expect.objectContaining({ type: 'textarea' })]) as object,
		});
	}
});

test('package-lock.json names no registry, so that everyone installs from their own', () => {
	const { packages } = JSON.parse(readText('package-lock.json')) as {
		packages: Record<string, { resolved?: string }>;
	};
	expect(Object.values(packages).filter(({ resolved }) => resolved)).toEqual([]);
});
