/**
 * Runs the tests for Stryker, in one process that keeps all modules loaded. Stryker's own runner has Jest load
 * n8n's packages for each test file of each mutant, which takes ten times as long as the tests.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

/** Tests that take long, one that counts the examples of a property, and files that mock a module or load their own. */
const LEFT_OUT = [
	'ends soon in 100,000',
	'100,000 entries',
	'travels in 200 requests',
	'remembers the last 10,000 keys',
	'is always safe in a header',
	'150,000 numbers travel',
	'ten thousand executions that wait, and leave',
	'linear.test.ts',
	'pauseOnOlderHost.test.ts',
	'seeds.test.ts',
];
const MOST_RUNS_OF_A_PROPERTY = 40;
/** A mutant that tests have not found for so many milliseconds counts as not found. */
const MOST_TIME = 30_000;
process.env.HISTORIES ??= '60';
process.env.SEED ??= '1';

class Runner {
	constructor({ specifications }) {
		this.specifications = specifications;
	}

	capabilities() {
		return { reloadEnvironment: false };
	}

	/** Loads the tests with the mutated sources. */
	async init() {
		const require = createRequire(join(process.cwd(), 'package.json'));
		require('tsx/cjs');
		preferSources(require);
		useSources();
		this.circus = addGlobals(require);
		shortenProperties(require);
		// Work left behind by a mutant may fail at any time, but must not end the process.
		process.on('unhandledRejection', () => undefined);
		process.on('uncaughtException', () => undefined);

		for (const file of this.specifications.flatMap(testFilesIn)) {
			this.circus.describe(file, () => void require(`./${file}`));
		}
		this.tests = [...testsOf(this.circus.getState().rootDescribeBlock)];
		this.ids = new Map(this.tests.map((test) => [test, nameOf(test)]));
		this.circus.getState().testTimeout = 8_000;
		this.circus.addEventHandler((event) => this.onEvent(event));
	}

	async dryRun() {
		const context = strykerContext();
		// A busy computer needs more time. That says nothing about the tests.
		this.circus.getState().testTimeout = 60_000;
		await this.run(() => true, false);
		return {
			status: 'complete',
			tests: this.tests.map((test) => this.resultOf(test)),
			mutantCoverage: context.mutantCoverage,
		};
	}

	async mutantRun({ activeMutant, sandboxFileName, testFilter, hitLimit }) {
		if (this.isSpent) throw new Error('This process still has what an earlier mutant left behind');
		const context = strykerContext();
		Object.assign(context, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
		const wanted = testFilter && new Set(testFilter);
		this.putFirst(sandboxFileName);
		const activeBefore = countActive();
		await this.run((test) => !wanted || wanted.has(this.ids.get(test)), true);
		context.activeMutant = undefined;
		const isFirst = !this.isUsed;
		this.isUsed = true;
		if (hitLimit && context.hitCount > hitLimit) {
			this.isSpent = true;
			return { status: 'timeout' };
		}

		const nrOfTests = this.tests.filter(({ status }) => status === 'done').length;
		const killer = this.tests.find(hasFailed);
		if (!killer) return { status: 'survived', nrOfTests };
		const failureMessage = messageOf(killer);
		// The modules stay loaded. Values that a mutant leaves in their variables must not reach the next ones.
		Object.assign(context, { hitCount: undefined, hitLimit: undefined });
		await this.run((test) => test === killer, true);
		this.isSpent = hasFailed(killer);
		if (this.isSpent && !isFirst)
			throw new Error('What an earlier mutant left behind may have failed');
		if (failureMessage.includes('Exceeded timeout of')) {
			// Endless work must not disturb the next mutant. Idle waiting does no harm.
			this.isSpent ||= countActive() > activeBefore;
			return { status: 'timeout' };
		}
		return { status: 'killed', killedBy: [this.ids.get(killer)], failureMessage, nrOfTests };
	}

	async run(isWanted, bail) {
		for (const test of this.tests) {
			const isLeftOut = LEFT_OUT.some((name) => this.ids.get(test).includes(name));
			const mode = isWanted(test) && !isLeftOut ? undefined : 'skip';
			Object.assign(test, { errors: [], status: null, mode, timeout: undefined });
		}
		this.bail = bail;
		this.bailed = false;
		this.endsAt = bail ? Date.now() + MOST_TIME : Infinity;
		skipIdle(this.circus.getState().rootDescribeBlock);
		await this.circus.run();
		jest.useRealTimers();
		jest.restoreAllMocks();
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** Runs the tests of a source's room before the others, because they are likely to fail first. */
	putFirst(source) {
		const { children } = this.circus.getState().rootDescribeBlock;
		const room = `test/unit/${/nodes\/MessagingGateway\/([\w-]+)\//.exec(source)?.[1]}/`;
		const own = `${basename(source, '.ts')}.test.ts`;
		const rank = ({ name }) => Number(basename(name) === own) * 2 + Number(name.startsWith(room));
		children.sort((one, other) => rank(other) - rank(one));
	}

	onEvent({ name, test, describeBlock }) {
		const context = strykerContext();
		if (name === 'test_start') {
			if (this.bailed || Date.now() > this.endsAt) test.mode = 'skip';
			context.currentTestId = this.ids.get(test);
			expect.setState({ currentTestName: this.ids.get(test) });
		}
		if (name === 'run_describe_start' && this.bailed) describeBlock.mode = 'skip';
		if (name === 'test_done') {
			context.currentTestId = undefined;
			if (this.bail && hasFailed(test)) this.bailed = true;
		}
	}

	resultOf(test) {
		const id = this.ids.get(test);
		const base = { id, name: id, timeSpentMs: test.duration ?? 0 };
		if (test.status !== 'done') return { ...base, status: 2 };
		if (!hasFailed(test)) return { ...base, status: 0 };
		return { ...base, status: 1, failureMessage: messageOf(test) };
	}
}

/** `place` is a folder, with those in it, or a file. */
function testFilesIn(place) {
	if (place.endsWith('.ts')) return [place];
	return readdirSync(place, { recursive: true })
		.filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.includes(basename(name)))
		.sort()
		.map((name) => join(place, name));
}

/** Otherwise a source without its `.ts` would be the `.json` file of that name beside it. */
function preferSources({ extensions }) {
	const load = extensions['.json'];
	delete extensions['.json'];
	extensions['.json'] = load;
}

/** Has n8n's engine load the sources where it looks for the built package. */
function useSources() {
	for (const [built, source] of [
		['nodes/MessagingGateway/MessagingGateway.node', '../../../nodes/MessagingGateway'],
		['credentials/MessagingGatewayApi.credentials', '../../credentials'],
	]) {
		const name = built.split('/').at(-1);
		writeFileSync(`dist/${built}.js`, `module.exports = require('${source}/${name}.ts');\n`);
	}
}

/** Gives the tests the globals that Jest gives them, and returns what runs them. */
function addGlobals(require) {
	const fromJest = createRequire(require.resolve('jest-circus'));
	const circus = fromJest('jest-circus');
	const { ModuleMocker } = fromJest('jest-mock');
	const { ModernFakeTimers } = createRequire(require.resolve('jest'))('@jest/fake-timers');
	const mocker = new ModuleMocker(globalThis);
	const timers = new ModernFakeTimers({ config: { rootDir: process.cwd() }, global: globalThis });
	const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = circus;
	const { jestExpect } = fromJest('@jest/expect');
	Object.assign(globalThis, { describe, it, test, beforeAll, beforeEach, afterAll, afterEach });
	globalThis.expect = jestExpect;
	globalThis.jest = {
		fn: (implementation) => mocker.fn(implementation),
		spyOn: (...parts) => mocker.spyOn(...parts),
		restoreAllMocks: () => mocker.restoreAllMocks(),
		useFakeTimers: (config) => timers.useFakeTimers(config),
		useRealTimers: () => timers.useRealTimers(),
		setSystemTime: (now) => timers.setSystemTime(now),
		getTimerCount: () => timers.getTimerCount(),
		advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
		advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
		runAllTimersAsync: () => timers.runAllTimersAsync(),
		...moduleFunctions(require),
	};
	const { addEventHandler } = fromJest('./state');
	return { describe, run: circus.run, getState: circus.getState, addEventHandler };
}

/** Jest's functions for modules, as far as tests use them: sources that are loaded anew, with another n8n-workflow. */
function moduleFunctions(require) {
	const { cache } = require;
	const isSource = (path) => path.includes('/nodes/MessagingGateway/');
	/** The file that called the caller of this function. */
	const caller = () => /([^ (]+\.ts):\d+:\d+/.exec(new Error().stack)[1].replace('file://', '');
	return {
		isolateModules(load) {
			const before = { ...cache };
			for (const path of Object.keys(cache).filter(isSource)) delete cache[path];
			try {
				load();
			} finally {
				for (const path of Object.keys(cache)) delete cache[path];
				Object.assign(cache, before);
			}
		},
		doMock(name, make) {
			const path = require.resolve(name);
			cache[path] = { id: path, filename: path, loaded: true, exports: make() };
		},
		requireActual: (path) => createRequire(caller())(path),
	};
}

/** Properties run for thousands of examples; that many for each mutant would take days. */
function shortenProperties(require) {
	const { default: fc } = require('fast-check');
	const assert = (property, options) => {
		const numRuns = Math.min(options?.numRuns ?? 100, MOST_RUNS_OF_A_PROPERTY);
		return fc.assert(property, { ...options, numRuns });
	};
	const loaded = require.cache[require.resolve('fast-check')];
	loaded.exports = { __esModule: true, default: { ...fc, assert } };
}

function* testsOf(block) {
	for (const child of block.children) {
		if (child.type === 'test') yield child;
		else yield* testsOf(child);
	}
}

/**
 * Skips blocks without a test to run, because their `beforeAll` would run otherwise. Returns whether there is a test
 * to run.
 */
function skipIdle(block) {
	const busy = block.children.map((child) =>
		child.type === 'test' ? child.mode !== 'skip' : skipIdle(child),
	);
	block.mode = busy.includes(true) ? undefined : 'skip';
	return busy.includes(true);
}

function nameOf(test) {
	const names = [test.name];
	for (let block = test.parent; block.parent; block = block.parent) names.unshift(block.name);
	return names.join(' › ');
}

/** Counts the resources that keep this process busy: timers, sockets, files. */
const countActive = () => process.getActiveResourcesInfo().length;
const hasFailed = (test) => test.errors.length > 0;
const messageOf = ({ errors: [error] }) => String([error].flat()[0]?.message ?? error);
const strykerContext = () => (globalThis.__stryker__ ??= {});

const createRunner = (options) => new Runner(options);
createRunner.inject = ['options'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'loaded', factory: createRunner }];
