import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const isWindows = process.platform === 'win32';

/**
 * Runs commands side by side, each as soon as the earlier ones that it comes `after` have passed. Ends the
 * others at the first that fails, says how long each took, and sets the exit code. The commands share a
 * temporary folder of their own, which is deleted at the end: some tools leave theirs behind.
 *
 * @param {Array<{ name: string, command: string, after?: string[] }>} steps
 * @param {number} endsWithin milliseconds after which a step that was asked to end is killed
 */
export async function runSteps(steps, endsWithin = 15_000) {
	const width = Math.max(...steps.map(({ name }) => name.length));
	const say = (name, text) => console.log(`${name.padEnd(width)} │ ${text}`);
	const results = new Map();
	const took = new Map();
	const running = new Set();
	let isOver = false;
	const temporary = mkdtempSync(join(tmpdir(), 'messaging-gateway-'));
	// PostgreSQL runs as another user, who has to get to its files.
	chmodSync(temporary, 0o755);
	const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };

	const endOthers = () => {
		isOver = true;
		for (const child of running) void end(child, endsWithin);
	};
	process.once('SIGINT', endOthers).once('SIGTERM', endOthers);

	async function run({ name, command, after = [] }) {
		const needed = await Promise.all(after.map((other) => results.get(other)));
		if (isOver || needed.some((result) => result !== 'passed')) return 'not run';
		const started = Date.now();
		say(name, `$ ${command}`);
		const child = begin(command, env, (line) => say(name, line));
		running.add(child);
		const code = await endOf(child, endsWithin);
		running.delete(child);
		took.set(name, Date.now() - started);
		if (code === 0) return 'passed';
		if (isOver) return 'ended';
		endOthers();
		return 'FAILED';
	}

	const started = Date.now();
	for (const step of steps) results.set(step.name, run(step));
	await Promise.all(results.values());
	rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
	say('', '');
	for (const { name } of steps) {
		say(name, `${timeOf(took.get(name) ?? 0)}  ${await results.get(name)}`);
	}
	say('', `${timeOf(Date.now() - started)}  together`);
	process.exitCode = isOver ? 1 : 0;
}

/** Begins a command as a process group of its own, which can be ended with all that it started. */
function begin(command, env, onLine) {
	const child = spawn(command, {
		shell: true,
		detached: !isWindows,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: process.stdout.isTTY ? { FORCE_COLOR: '1', ...env } : env,
	});
	for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
	return child;
}

/** Resolves to the exit code, once all that the command left behind has ended, too. */
async function endOf(child, endsWithin) {
	const closed = new Promise((resolve) => {
		child.once('error', () => resolve(1)).once('close', resolve);
	});
	await new Promise((resolve) => child.once('error', resolve).once('exit', resolve));
	await end(child, endsWithin);
	return await closed;
}

/** An n8n that is still starting does not end when it is asked to. */
async function end(child, endsWithin) {
	const lastMoment = Date.now() + endsWithin;
	signal(child, 'SIGTERM');
	while (signal(child, 0) && Date.now() < lastMoment) await sleep(100);
	signal(child, 'SIGKILL');
}

/** Returns whether a process received it. */
function signal(child, name) {
	try {
		return isWindows ? child.kill(name) : process.kill(-child.pid, name);
	} catch {
		return false;
	}
}

function timeOf(ms) {
	const seconds = Math.round(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`.padStart(6);
}
