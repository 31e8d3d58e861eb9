/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions, no-console -- runs outside of n8n */
/**
 * The benchmarks. Each one is compared with something else in the same run, in turn; the result is
 * the median of three. Every measurement in the engine has its own process.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureN8n, packNode, type N8nPaths } from '../n8n/server/index';
import type { Burst, BurstMeasured } from './burst';
import type { Fair, FairMeasured } from './fair';
import { RealN8n } from './realN8n';
import { csv, median, write, type Row } from './table';
import {
	bulk,
	documentByHttp,
	documentOf,
	oneField,
	text,
	textByHttp,
	textByTelegram,
	type Measured,
	type Work,
} from './work';

const ROUNDS = 3;
const CHECKOUT = resolve(__dirname, '../..');
const EXPRESSION = '=Hello, your code is {{ $json.shop ?? "A1" }}.';

class Bench {
	readonly rows: Row[] = [];
	/** In the order of the table. */
	readonly parts = {
		latency: this.latency,
		throughput: this.throughput,
		growth: this.growth,
		bulkFromItems: this.bulkFromItems,
		rowsPerRecipient: this.rowsPerRecipient,
		awake: this.awake,
		burst: this.burst,
		keys: this.keys,
		fair: this.fair,
		waiting: this.waiting,
		knocking: this.knocking,
		documents: this.documents,
		loading: this.loading,
	};
	private part = '';

	constructor(
		private readonly n8n: N8nPaths,
		private readonly server: RealN8n,
		private readonly baseUrl: string,
		/** A folder for files, which n8n may read. */
		private readonly folder: string,
	) {}

	/** Runs the parts with these names, or all parts if no name is given. */
	async run(names: string[]): Promise<void> {
		for (const [name, part] of Object.entries(this.parts)) {
			if (names.length > 0 && !names.includes(name)) continue;
			const known = this.rows.length;
			this.part = name;
			await part.call(this);
			console.log(csv(this.rows.slice(known)).split('\n').slice(1).join('\n'));
		}
	}

	private async latency(): Promise<void> {
		const baseUrl = `${this.baseUrl}/wait-50`;
		const items = 400;
		const ideal = (items * 50) / 5;
		const ours = { ...this.work(text(), items), baseUrl };
		const telegram: Work = { ...ours, node: 'telegram', parameters: textByTelegram };
		const name = `${items} texts, gateway 50 ms away`;
		for (const where of ['engine', 'n8n'] as const) {
			const [mine, theirs] = await this.inTurn([ours, telegram], where);
			const than = 'Telegram node';
			this.add(name, where, mine, theirs, `${than}, for information`, {}, mine / theirs);
			// The time without the gateway's 50 ms, which five requests spend waiting at once.
			const [work, itsWork] = [mine - ideal, theirs - items * 50];
			this.add(
				`${name}: besides waiting`,
				where,
				work,
				itsWork,
				than,
				{ atMost: 0.8 },
				work / itsWork,
			);
		}
	}

	private async throughput(): Promise<void> {
		const ours = this.work(text({ maxConcurrency: 50 }), 3_000);
		const http: Work = {
			...ours,
			node: 'httpRequest',
			parameters: textByHttp(this.baseUrl),
		};
		for (const where of ['engine', 'n8n'] as const) {
			const [mine, theirs] = await this.inTurn([ours, http], where);
			const name = '3,000 texts, no latency, 50 at once';
			this.add(name, where, mine, theirs, 'HTTP Request node', { atMost: 0.8 }, mine / theirs);
		}
		const five = this.work(text(), 3_000);
		const bare: Work = { ...five, node: 'keepAlive' };
		const [mine, floor] = await this.inTurn([five, bare], 'engine');
		this.add(
			'3,000 texts, no latency, 5 at once',
			'engine',
			mine,
			floor,
			'bare keep-alive loop, for information',
			{},
			mine / floor,
		);
	}

	private async growth(): Promise<void> {
		for (const where of ['engine', 'n8n'] as const) {
			const sizes = [1_000, 20_000, 100_000];
			const works = sizes.map((items) => this.work(text({ maxConcurrency: 50 }), items));
			const times = await this.inTurn(works, where);
			const perItem = times.map((ms, index) => ms / (sizes[index] ?? NaN));
			for (let index = 1; index < sizes.length; index++) {
				this.push({
					work: `${sizes[index]?.toLocaleString('en')} texts, time an item`,
					where,
					measured: `${perItem[index]?.toFixed(2)} ms`,
					against: `${perItem[0]?.toFixed(2)} ms an item at ${sizes[0]?.toLocaleString('en')}`,
					target: 'at most 1.1 times',
					ratio: (perItem[index] ?? NaN) / (perItem[0] ?? NaN),
					limit: { atMost: 1.1 },
				});
			}
		}
	}

	private async bulkFromItems(): Promise<void> {
		const items = 50_000;
		const fixed = this.work(bulk('Your order is ready.'), items);
		const withExpression = this.work(bulk(EXPRESSION), items);
		const evaluation: Work = {
			...withExpression,
			node: 'evaluation',
			parameters: { message: EXPRESSION },
		};
		const single = this.work(text({ maxConcurrency: 50 }), 5_000);
		const [mine, expression, evaluated, singles] = await this.inTurn(
			[fixed, withExpression, evaluation, single],
			'engine',
		);
		const name = '50,000 recipients from items';
		this.add(
			`${name}, fixed message`,
			'engine',
			mine,
			singles * 10,
			'one request an item (5,000 measured, times 10)',
			{ atMost: 0.1 },
			mine / (singles * 10),
		);
		this.add(
			`${name}, message expression`,
			'engine',
			expression,
			evaluated,
			'evaluating it',
			{ atMost: 1.3 },
			expression / evaluated,
		);
		const set: Work = { ...fixed, node: 'set', parameters: oneField('x') };
		const [real, bySet] = await this.inTurn([fixed, set], 'n8n');
		const than = 'Set node with a fixed text';
		this.add(`${name}, fixed message`, 'n8n', real, bySet, than, { atMost: 2 }, real / bySet);
	}

	private async rowsPerRecipient(): Promise<void> {
		const items = 50_000;
		const message = 'Your order is ready.';
		const envelopes = this.work(bulk(message), items);
		const rows = this.work(bulk(message, { output: 'perRecipient' }), items);
		// The time that n8n itself needs for as many output items.
		const same: Work = { ...envelopes, node: 'set', parameters: oneField('x') };
		const optOuts = 100_000;
		// An expression that may differ by item is evaluated for each.
		const list = bulk(message, { skipNumbers: '={{ $input.first().json.out }}' });
		const optOut = { ...this.work(list, 1), optOuts };
		const none = { ...this.work(bulk(message), 1), optOuts };
		// One number, because n8n needs more time for each parameter as soon as any option is set.
		const one = bulk(message, { skipNumbers: '6281300000000' });
		const shortToMany = { ...this.work(one, items), optOuts };
		const longToMany = { ...this.work(list, items), optOuts };
		const [byRequest, byRecipient, bySet, long, short, ...toMany] = await this.inTurn(
			[envelopes, rows, same, optOut, none, longToMany, shortToMany],
			'engine',
		);
		const listed = {
			operation: 'sendBulk',
			phoneNumbers: '={{ $input.first().json.out }}',
			message,
		};
		const lists = [3_000, 1].map((count) => ({ ...this.work(listed, count), optOuts: 3_000 }));
		const [each, once] = (await this.allInTurn<readonly Work[]>(lists, 'engine')) as [
			Measured,
			Measured,
		];
		this.push({
			work: 'a list of 3,000 numbers, given again by each of 3,000 items',
			where: 'engine',
			measured: `${each.peakMb.toFixed(0)} MB of memory`,
			against: `${once.peakMb.toFixed(0)} MB (one item)`,
			target: 'at most 200 MB more',
			ratio: each.peakMb - once.peakMb,
			limit: { atMost: 200 },
		});
		const name = '50,000 recipients, one item each';
		const limit = { atMost: 1.3 };
		const ratio = byRecipient / byRequest;
		this.add(name, 'engine', byRecipient, byRequest, 'one item a request', limit, ratio);
		const than = 'Set node with a fixed text, 50,000 items';
		this.add(
			name,
			'engine',
			byRecipient,
			bySet,
			`${than}, for information`,
			{},
			byRecipient / bySet,
		);
		for (const [recipients, cost] of [
			['1 recipient', long - short],
			['50,000 recipients', toMany[0] - toMany[1]],
		] as const) {
			const work = `100,000 numbers to skip, ${recipients}`;
			this.add(work, 'engine', cost, bySet, than, { atMost: 1 }, cost / bySet);
		}
	}

	/** The longest time in which the process does not respond. */
	private async awake(): Promise<void> {
		const items = 50_000;
		const set: Work = { ...this.work({}, items), node: 'set', parameters: oneField(EXPRESSION) };
		const ours = {
			'bulk, message expression': bulk(EXPRESSION),
			'bulk, one item a recipient': bulk(EXPRESSION, { output: 'perRecipient' }),
			'texts in a dry run': text({ dryRun: true }),
		};
		const works = Object.values(ours).map((parameters) => this.work(parameters, items));
		const [bySet, ...all] = await this.allInTurn<readonly Work[]>([set, ...works], 'engine');
		await this.awakeWithKeys(items);
		Object.keys(ours).forEach((name, index) => {
			const [mine, theirs] = [all[index]?.blockedMs ?? NaN, bySet?.blockedMs ?? NaN];
			this.push({
				work: `50,000 recipients, ${name}: longest block`,
				where: 'engine',
				measured: `${mine.toFixed(0)} ms`,
				against: `${theirs.toFixed(0)} ms (Set node with one expression)`,
				target: 'at most 50 ms more',
				ratio: mine - theirs,
				limit: { atMost: 50 },
			});
		});
	}

	private async awakeWithKeys(items: number): Promise<void> {
		const keyed = bulk(EXPRESSION, { sendOnceKey: '=known {{ $json.index }}' });
		const works = [keyed, bulk(EXPRESSION, { deviceId: 'device' })].map((parameters): Work => ({
			...this.work(parameters, items),
			numbers: 500,
			history: 'locked',
		}));
		const [mine, theirs] = (await this.allInTurn<readonly Work[]>(works, 'engine')).map(
			({ blockedMs }) => blockedMs,
		) as [number, number];
		this.push({
			work: '50,000 items with 500 numbers, 10,000 keys known: longest block',
			where: 'engine',
			measured: `${mine.toFixed(0)} ms`,
			against: `${theirs.toFixed(0)} ms (without keys)`,
			target: 'at most 50 ms more',
			ratio: mine - theirs,
			limit: { atMost: 50 },
		});
	}

	/** 100 executions at once against a plan of 20 requests in 2 seconds. */
	private async burst(): Promise<void> {
		const plan = { requests: 20, seconds: 2 };
		const measured = await this.many({ executions: 100, plan });
		const ideal = (100 / plan.requests - 1) * plan.seconds * 1000;
		const name = '100 executions at once, 20 requests in 2 s';
		const limit = { atMost: 2 };
		this.add(name, 'engine', measured.ms, ideal, 'the plan alone', limit, measured.ms / ideal);
		const http = await this.many({ executions: 100, plan, byHttp: true });
		const told = ({ sent, refused }: BurstMeasured) => `${sent} sent, ${refused} requests refused`;
		this.push({
			work: name,
			where: 'engine',
			measured: told(measured),
			against: `${told(http)} (HTTP Request node, Retry On Fail)`,
			target: 'all sent, at most 100 refused',
			ratio: measured.sent === 100 ? measured.refused : Infinity,
			limit: { atMost: 100 },
		});
	}

	private async keys(): Promise<void> {
		const { sent, failed, ms } = await this.many({ executions: 50, keys: 25 });
		this.push({
			work: '50 executions at once, the first ever, 25 keys each twice',
			where: 'engine',
			measured: `${sent} sent, ${failed} failed, ${ms.toFixed(0)} ms`,
			against: '25 sent',
			target: 'each key once, none failed',
			ratio: Math.abs(sent - 25) + failed,
			limit: { atMost: 0 },
		});
		const options = { sendOnceKey: '={{ $execution.id }} {{ $json.index }}' };
		const one = { ...this.work(text(options), 1), runs: 100 };
		const many = this.work(text(options), 10_000);
		for (const [name, work] of [
			['a text with a key, 100 times', one],
			['10,000 texts with keys', many],
		] as const) {
			const locks = ['locked', 'unlocked'] as const;
			const works = locks.map((history): Work => ({ ...work, history }));
			const times = await this.inTurn<readonly Work[]>(works, 'engine');
			const [locked, unlocked] = times as [number, number];
			const than = 'without the lock between workers';
			this.add(name, 'engine', locked, unlocked, than, { atMost: 1.3 }, locked / unlocked);
		}
	}

	private async many(burst: Burst): Promise<BurstMeasured> {
		const { stdout } = await this.node('burst.ts', JSON.stringify(burst));
		return JSON.parse(stdout.trim().split('\n').pop() ?? '') as BurstMeasured;
	}

	/** Single texts of other executions beside campaigns that use up the plan. */
	private async fair(): Promise<void> {
		const singlesAfter = [10, 40, 80, 110];
		for (const { most, ...campaign } of [
			{ campaigns: 1, requestsPerMinute: 60, most: 6 },
			{ campaigns: 5, requestsPerMinute: 30, most: 15 },
		]) {
			const fair: Fair = { ...campaign, singlesAfter, end: 125 };
			const { stdout } = await this.node('fair.ts', JSON.stringify(fair));
			const measured = JSON.parse(stdout.trim().split('\n').pop() ?? '') as FairMeasured;
			const { slowestMs, requests } = measured;
			const work = `a text beside ${campaign.campaigns} × 400 texts, plan of ${campaign.requestsPerMinute} a minute`;
			this.add(
				work,
				'engine',
				slowestMs,
				most * 1_000,
				'a limit',
				{ atMost: 1 },
				slowestMs / (most * 1_000),
			);
			const least = 1.75 * campaign.requestsPerMinute;
			this.push({
				work: `${work}: first 125 s`,
				where: 'engine',
				measured: `${requests} requests`,
				against: `${Math.floor((125 / 61) * campaign.requestsPerMinute)} (the plan)`,
				target: `at least ${Math.floor(least)}`,
				ratio: requests,
				limit: { atLeast: Math.floor(least) },
			});
		}
	}

	/** Executions that wait for one plan, and leave. */
	private async waiting(): Promise<void> {
		const { stdout } = await this.node('waiting.ts', JSON.stringify([2_500, 10_000]));
		const [few, many] = JSON.parse(stdout.trim().split('\n').pop() ?? '') as [number, number];
		this.push({
			work: '10,000 executions that wait for a plan, time an execution',
			where: 'engine',
			measured: `${many.toFixed(0)} µs`,
			against: `${few.toFixed(0)} µs with 2,500`,
			target: 'at most 1.5 times',
			ratio: many / few,
			limit: { atMost: 1.5 },
		});
	}

	/** How often a gateway that refuses the token is asked. */
	private async knocking(): Promise<void> {
		const baseUrl = `${this.baseUrl}/refuse`;
		const ours: Work = { ...this.work(text(), 300), baseUrl, warmUp: 0 };
		const http: Work = { ...ours, node: 'httpRequest', parameters: textByHttp(baseUrl) };
		const [{ refused: mine = NaN }, { refused: theirs }] = [
			await this.inProcess(ours),
			await this.inProcess(http),
		];
		this.push({
			work: '300 texts with a wrong token',
			where: 'engine',
			measured: `${mine} requests`,
			against: `${theirs} requests (HTTP Request node, Retry On Fail)`,
			target: 'at most 10',
			ratio: mine,
			limit: { atMost: 10 },
		});
	}

	private async documents(): Promise<void> {
		for (const where of ['engine', 'n8n'] as const) await this.documentsIn(where);
	}

	private async documentsIn(where: Row['where']): Promise<void> {
		const mb = 1024 * 1024;
		const parameters = documentByHttp(this.baseUrl);
		const http: Work = { ...this.document(300 * mb), node: 'httpRequest', parameters };
		const works = [
			this.document(1024),
			this.document(30 * mb),
			this.document(300 * mb),
			http,
			{ ...this.document(100 * mb), items: 5 },
		] as const;
		const [small, middle, large, byHttp, five] = await this.allInTurn(works, where);
		const memory = (name: string, of: Measured, base: Measured, than: string, atMost: number) =>
			this.push({
				work: name,
				where,
				measured: `${of.peakMb.toFixed(0)} MB of memory`,
				against: `${base.peakMb.toFixed(0)} MB (${than})`,
				target: `at most ${atMost} MB more`,
				ratio: of.peakMb - base.peakMb,
				limit: { atMost },
			});
		memory('document of 300 MB', large, small, 'document of 1 KB', 96);
		memory('document of 300 MB', large, middle, 'document of 30 MB', 16);
		const share = large.peakMb / byHttp.peakMb;
		this.push({
			work: 'document of 300 MB',
			where,
			measured: `${large.peakMb.toFixed(0)} MB of memory`,
			against: `${byHttp.peakMb.toFixed(0)} MB (HTTP Request node)`,
			target: 'at most 1 of its memory',
			ratio: share,
			limit: { atMost: 1 },
		});
		memory('five documents of 100 MB at once', five, small, 'document of 1 KB', 96);
		const ratio = large.ms / byHttp.ms;
		const name = 'document of 300 MB';
		this.add(name, where, large.ms, byHttp.ms, 'HTTP Request node', { atMost: 1 }, ratio);
	}

	private async loading(): Promise<void> {
		const script = (path: string) =>
			`const { createRequire } = require('node:module'); const r = createRequire(${JSON.stringify(join(this.n8n.folder, 'node_modules/n8n-core/package.json'))}); r('n8n-workflow'); r('form-data'); r('lodash/get'); const s = performance.now(); require(${JSON.stringify(path)}); console.log(performance.now() - s)`;
		const tarball = await packNode(this.folder);
		// Unpack it outside the checkout, so that it finds n8n's own modules as an installed package does.
		await promisify(execFile)('tar', ['-xzf', tarball, '-C', this.folder]);
		const node = join(this.folder, 'package/dist/nodes/MessagingGateway/MessagingGateway.node.js');
		const measure = async (path: string) => {
			const env = { ...process.env, NODE_PATH: join(this.n8n.folder, 'node_modules') };
			const { stdout } = await promisify(execFile)(this.n8n.node, ['-e', script(path)], { env });
			return Number(stdout);
		};
		const http = join(
			this.n8n.folder,
			'node_modules/n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
		);
		const times: Array<[number, number]> = [];
		for (let round = 0; round < 2 * ROUNDS + 1; round++) {
			times.push([await measure(node), await measure(http)]);
		}
		const mine = median(times.map(([ours]) => ours));
		const theirs = median(times.map(([, other]) => other));
		this.push({
			work: 'loading the node',
			where: 'engine',
			measured: `${mine.toFixed(1)} ms`,
			against: `${theirs.toFixed(1)} ms (HTTP Request node)`,
			target: 'at most 1 of its time',
			ratio: mine / theirs,
			limit: { atMost: 1 },
		});
		const { stdout } = await promisify(execFile)('stat', ['-c', '%s', tarball]);
		const kilobytes = Number(stdout) / 1000;
		this.push({
			work: 'tarball',
			where: 'engine',
			measured: `${kilobytes.toFixed(1)} KB`,
			against: 'a limit in the test of the package, for information',
			target: '',
			ratio: kilobytes,
			limit: {},
		});
	}

	private work(parameters: Work['parameters'], items: number): Work {
		return { node: 'ours', baseUrl: this.baseUrl, items, parameters, warmUp: 200 };
	}

	private document(bytes: number): Work {
		const file = join(this.folder, `${bytes}.pdf`);
		const descriptor = openSync(file, 'w');
		writeSync(descriptor, '%PDF-1.7');
		ftruncateSync(descriptor, bytes);
		closeSync(descriptor);
		return { ...this.work(documentOf(), 1), file, warmUp: 0 };
	}

	/** Resolves to the median time of each, in milliseconds. */
	private async inTurn<const T extends readonly Work[]>(
		works: T,
		where: Row['where'],
	): Promise<{ [K in keyof T]: number }> {
		const all: Measured[] = await this.allInTurn<readonly Work[]>(works, where);
		return all.map(({ ms }) => ms) as { [K in keyof T]: number };
	}

	private async allInTurn<const T extends readonly Work[]>(
		works: T,
		where: Row['where'],
	): Promise<{ -readonly [K in keyof T]: Measured }> {
		const rounds = works.map((): Measured[] => []);
		for (let round = 0; round < ROUNDS; round++) {
			for (const [index, work] of works.entries()) {
				rounds[index]?.push(await this.measured(work, where));
			}
		}
		return rounds.map((all) => ({
			ms: median(all.map(({ ms }) => ms)),
			peakMb: median(all.map(({ peakMb }) => peakMb)),
			blockedMs: median(all.map(({ blockedMs }) => blockedMs)),
			outputs: all[0]?.outputs ?? 0,
		})) as { -readonly [K in keyof T]: Measured };
	}

	/**
	 * Measures memory in a new process, because one that has held as much before would show no
	 * growth.
	 */
	private async measured(work: Work, where: Row['where']): Promise<Measured> {
		if (where === 'engine') return await this.inProcess(work);
		if (!work.file) return await this.server.measure(work);
		const server = await RealN8n.start(this.folder);
		try {
			await server.measure({
				...this.document(1024),
				node: work.node,
				parameters: work.parameters,
			});
			return await server.measure(work);
		} finally {
			await server.stop();
		}
	}

	private async inProcess(work: Work): Promise<Measured> {
		const { stdout } = await this.node('child.ts', JSON.stringify(work));
		return JSON.parse(stdout.trim().split('\n').pop() ?? '') as Measured;
	}

	/** Runs a script of this folder in a new process, with the Node.js and the engine of the real n8n. */
	private async node(script: string, argument: string): Promise<{ stdout: string }> {
		const env = {
			...process.env,
			N8N_CORE_DIR: join(this.n8n.folder, 'node_modules', 'n8n-core'),
		};
		return await promisify(execFile)(
			this.n8n.node,
			['--import', 'tsx', join(__dirname, script), argument],
			{ env, cwd: CHECKOUT, maxBuffer: 1e8 },
		);
	}

	private push(row: Omit<Row, 'part'>): void {
		this.rows.push({ part: this.part, ...row });
	}

	private add(
		work: string,
		where: Row['where'],
		mine: number,
		other: number,
		name: string,
		limit: Row['limit'],
		ratio: number,
	): void {
		const { atMost, atLeast } = limit;
		const target =
			atLeast !== undefined
				? `at least ${atLeast} times as fast`
				: atMost !== undefined
					? `at most ${atMost} of its time`
					: '';
		const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
		this.push({
			work,
			where,
			measured: ms(mine),
			against: `${ms(other)} (${name})`,
			target,
			ratio,
			limit,
		});
	}
}

async function startGatewayProcess(): Promise<{ child: ChildProcess; baseUrl: string }> {
	const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'gatewayProcess.ts')], {
		cwd: CHECKOUT,
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
	});
	const baseUrl = await new Promise<string>((found) => {
		child.stdout?.once('data', (line: Buffer) => found(line.toString().trim()));
	});
	return { child, baseUrl };
}

async function main(names: string[]): Promise<void> {
	const n8n = await ensureN8n();
	const gateway = await startGatewayProcess();
	const folder = mkdtempSync(join(tmpdir(), 'bench-'));
	const server = await RealN8n.start(folder);
	const bench = new Bench(n8n, server, gateway.baseUrl, folder);
	try {
		await bench.run(names);
	} finally {
		await server.stop();
		gateway.child.kill();
		rmSync(folder, { recursive: true });
	}
	const { length } = cpus();
	const machine = `Measured with n8n ${n8n.version} on ${length} cores (${cpus()[0]?.model ?? 'unknown'}); each figure is the median of ${ROUNDS} runs, taken in turn.`;
	write(join(CHECKOUT, 'docs'), Object.keys(bench.parts), bench.rows, machine);
	console.log(`\n${csv(bench.rows)}\n${machine}`);
}

void main(process.argv.slice(2));
