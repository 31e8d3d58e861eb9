import { createHash } from 'node:crypto';
import type { IContextObject } from 'n8n-workflow';
import type { DeliverySettings } from '../../../nodes/MessagingGateway/delivery/deliverySettings';
import type { Message, ReadyItem } from '../../../nodes/MessagingGateway/delivery/message';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import type { Gateway } from '../../../nodes/MessagingGateway/gateway/request';
import type { Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import type { Source } from './source';
import { Process, World } from './world';

const MOST_EXECUTIONS = 4;
/** Milliseconds: a gateway's answer, a file that is opened, and a person who does something. */
const [ANSWER, FILE, PERSON] = [4_000, 7_200_000, 120_000];

const OUTCOMES = {
	accepted: { outcome: 'accepted', envelope: { code: 200 } },
	notSent: { outcome: 'notSent', origin: 'gateway', what: 'Refused', advice: '' },
	uncertain: { outcome: 'uncertain', origin: 'gateway', what: 'Broken', advice: '' },
} satisfies Record<string, Outcome>;

/** One message of one item for one number. */
interface Copy {
	/** Equal for all of which only one may be delivered. */
	name: string;
	item: number;
	to: string;
	key: string;
}

/** One request, as far as it is about one copy. */
interface Try {
	name: string;
	by: Execution;
	isTaken: boolean;
	/** n8n's record of the execution says that the gateway has it. */
	isKnown: boolean;
	/** Earlier ones that it must not repeat. */
	barred: Try[];
}

interface Execution {
	id: string;
	/** The executions that are retries of one another, from the first on. */
	root: number;
	/** Itself, and those whose record it continues. */
	line: Execution[];
	context: IContextObject;
	copies: Copy[];
	settings: DeliverySettings;
	n8n: Process;
	stop: AbortController;
	begun: number;
	/** It was stopped before it had done its work. */
	isStopped?: boolean;
	ended?: number;
	rows: Result[];
}

/** An execution that n8n offers to retry, as it is stored. */
interface Stored {
	of: Execution;
	context: IContextObject;
	/** Whose work the record knows. */
	line: Execution[];
}

/** What became of a seed. */
export interface Told {
	/** What should not have happened. */
	complaints: string[];
	/** All that has happened, to the request. */
	story: string[];
}

/** Lives through the one history of a seed. */
export async function liveThrough(seed: number, source: Source): Promise<Told> {
	return await new Life(new World(seed), source).live();
}

class Life {
	private readonly complaints: string[] = [];
	private readonly executions: Execution[] = [];
	private readonly stored: Stored[] = [];
	private readonly all: Process[] = [];
	private readonly workers: Process[];
	private readonly tries: Try[] = [];
	private readonly travels: Message['travels'];
	private readonly items: Array<{ text: string; numbers: string[] }>;
	private readonly isKeyed: boolean;
	private readonly continueOnFail: boolean;
	private readonly limit: number;
	/** Whether the messages of an execution and its retries have files. */
	private readonly haveFiles: boolean[] = [];

	constructor(
		private readonly world: World,
		private readonly source: Source,
	) {
		this.travels = world.pick(['single', 'single', 'list', 'grouped']);
		this.isKeyed = world.chance(60);
		this.continueOnFail = world.chance(30);
		this.limit = world.pick([0, 0, 1, 2, 5]);
		this.items = Array.from({ length: world.pick([2, 2, 3, 4]) }, (_, item) => ({
			text: `text ${world.pick([0, 1])}`,
			numbers: Array.from(
				{ length: this.travels === 'list' ? world.pick([1, 2, 3]) : 1 },
				(__, at) => `62${item}${at}`,
			),
		}));
		this.workers = Array.from({ length: world.pick([1, 2]) }, () => this.start());
	}

	async live(): Promise<Told> {
		const { world, complaints } = this;
		world.tell(JSON.stringify(this.items));
		for (let left = world.pick([1, 2, 2]); left > 0; left--) {
			world.after(world.time(20_000), () => this.send());
		}
		world.after(world.time(PERSON), () => this.interfere());
		if (!(await world.run())) complaints.push('there is no end');
		for (const { name, by, isTaken, barred } of this.tries) {
			const before = barred.find((each) => isTaken && each.isTaken);
			if (before) complaints.push(`twice: ${name}, by ${before.by.id} and ${by.id}`);
		}
		for (const each of this.executions) this.check(each);
		this.checkKeys();
		for (const complaint of complaints) world.tell(complaint);
		return { complaints, story: world.story };
	}

	private start(): Process {
		const n8n = new Process(this.world, this.source, `n8n ${this.all.length + 1}`);
		this.all.push(n8n);
		return n8n;
	}

	/** Somebody stops an execution, sends once more, or n8n ends. */
	private interfere(): void {
		const { world } = this;
		const running = this.executions.filter(({ ended, n8n }) => ended === undefined && !n8n.isDead);
		const what = world.pick(['stop', 'stop', 'kill', 'send', 'send']);
		if (what === 'send') this.send();
		else if (running.length === 0) return;
		// That an execution has begun is written once: nobody knows it if that breaks, and n8n is killed then.
		else if (what === 'stop' || world.isShaky) this.stop(world.pick(running));
		else this.kill(world.pick(running).n8n);
	}

	private stop({ id, stop, context, line }: Execution): void {
		if (stop.signal.aborted) return;
		this.world.tell(`${id} is stopped`);
		stop.abort();
		// n8n stores it at once, and does not hear what becomes of requests under way.
		this.store({ of: line.at(-1) as Execution, context: copyOf(context), line });
	}

	private kill(n8n: Process): void {
		this.world.tell(`${n8n.name} is killed`);
		n8n.isDead = true;
		this.workers[this.workers.indexOf(n8n)] = this.start();
		for (const each of this.executions) {
			if (each.n8n !== n8n || each.ended !== undefined || each.stop.signal.aborted) continue;
			// n8n keeps what it had when the execution began.
			for (const own of this.tries) if (own.by === each) own.isKnown = false;
			const from = each.line.at(-2);
			const context = from ? (this.stored.find(({ of }) => of === from)?.context ?? {}) : {};
			this.store({ of: each, context, line: each.line.slice(0, -1) });
		}
	}

	/** Somebody sees it in the list of executions, and mostly retries it, or an older one; some press twice. */
	private store(stored: Stored): void {
		const { world } = this;
		this.stored.push(stored);
		for (let left = world.pick([0, 1, 1, 1, 2]); left > 0; left--) {
			const which = world.chance(80) ? stored : world.pick(this.stored);
			world.after(world.pick([0, world.time(PERSON)]), () => this.execute(which));
		}
		if (this.isKeyed && world.chance(40)) world.after(world.time(PERSON / 10), () => this.send());
	}

	private send(): void {
		this.execute();
	}

	private execute(from?: Stored): void {
		const { world, executions } = this;
		if (executions.length >= MOST_EXECUTIONS) return;
		const root = from?.of.root ?? this.haveFiles.length;
		if (!from) this.haveFiles.push(this.travels === 'single' && world.chance(40));
		const id = `execution ${executions.length + 1}`;
		const execution: Execution = {
			id,
			root,
			line: [...(from?.line ?? [])],
			context: copyOf(from?.context ?? {}),
			copies: this.items.flatMap(({ numbers }, item) =>
				numbers.map((to) => {
					const key = this.isKeyed ? `key ${item}` : '';
					return { name: `${key || `${root}: ${item}`} to ${to}`, item, to, key };
				}),
			),
			settings: this.settings(from !== undefined),
			n8n: world.pick(this.workers),
			stop: new AbortController(),
			begun: world.now,
			rows: [],
		};
		execution.line.push(execution);
		executions.push(execution);
		world.tell(`${id} ${from ? `retries ${from.of.id}` : 'begins'} in ${execution.n8n.name}`);
		void this.run(execution, from !== undefined).catch((error: unknown) => {
			this.complaints.push(`${id} throws ${String((error as Error).stack)}`);
		});
	}

	private settings(isRetry: boolean): DeliverySettings {
		const { world } = this;
		return {
			maxConcurrency: world.pick([1, 2, 3]),
			batchSize: 0,
			batchInterval: 0,
			randomDelay: 0,
			maxRetries: world.pick([0, 1, 3]),
			numbersPerRequest: world.pick([1, 2, 500]),
			resendUncertain: isRetry && world.chance(35),
			continueOnFail: this.continueOnFail,
			retriedByHost: false,
			subscription: 'plan',
			requestsPerMinute: this.limit,
			dryRun: false,
			testNumber: '',
			perRecipient: false,
		};
	}

	private async run(execution: Execution, isRetry: boolean): Promise<void> {
		const { world } = this;
		const { n8n, settings, stop, context, id, root } = execution;
		const { Journal, KeyHistory, Delivery, byRecipient } = n8n.room;
		const journal = new Journal(context, {
			runKey: '0',
			execution: id,
			node: 'n',
			source: 'Items:0:0',
			token: `token ${root}`,
			isRetry,
			resendUncertain: settings.resendUncertain,
		});
		const keyHistory = new KeyHistory(n8n.helpers, 'w', 'n');
		const gateway: Gateway = {
			exchange: async ({ fields }, _, onLeaving) => {
				onLeaving();
				return await this.exchange(fields.to as string[], execution);
			},
		};
		const canceled = stop.signal;
		const options = { settings, journal, keyHistory, gateway, canceled, log: () => undefined };
		const items = this.read(execution);
		const delivery = new Delivery(options, this.items.length, items);
		await journal.guard.continue(keyHistory, stop.signal);
		await delivery.run();
		execution.isStopped = stop.signal.aborted;
		await keyHistory.close();
		execution.rows = await byRecipient(delivery.rows);
		execution.ended = world.now;
		const says = execution.rows.map(({ to, outcome }) => `${to} ${outcome.outcome}`);
		world.tell(`${id} ends: ${says.join(', ')}`);
		const isFailed = execution.rows.some(({ outcome }) =>
			/notSent|uncertain/.test(outcome.outcome),
		);
		if (stop.signal.aborted || !isFailed || settings.continueOnFail) return;
		this.store({ of: execution, context: copyOf(context), line: execution.line });
	}

	private async *read(execution: Execution): AsyncGenerator<ReadyItem> {
		const { world } = this;
		for (let item = 0; item < this.items.length; item++) {
			if (world.chance(30)) await execution.n8n.wait(world.time(2_000));
			yield this.readyItem(item, execution);
		}
	}

	private readyItem(item: number, execution: Execution): ReadyItem {
		const { world, travels } = this;
		const { n8n } = execution;
		const { text, numbers } = this.items[item] as (typeof this.items)[number];
		const openFile = async () => {
			await n8n.wait(world.time(FILE));
			return {
				name: 'a.pdf',
				contentType: 'application/pdf',
				size: 1,
				open: async () => await Promise.resolve(Buffer.from('a')),
			};
		};
		return {
			index: item,
			sendOnceKey: this.isKeyed ? `key ${item}` : '',
			message: {
				travels,
				words: text,
				device: '',
				recipients: numbers.map((to) => ({ to, asEntered: to })),
				refusals: [],
				...(this.haveFiles[execution.root] && { openFile }),
				requestTo: (to) => ({ path: [], format: 'json', fields: { to }, answer: 'envelope' }),
			},
			timeout: 0,
		};
	}

	/** What the gateway does with a request. */
	private async exchange(numbers: string[], execution: Execution): Promise<Outcome> {
		const { world, limit } = this;
		const { n8n, id, stop } = execution;
		n8n.begun.push(world.now);
		const inAMinute = n8n.begun.filter((time) => time > world.now - 60_000).length;
		if (limit > 0 && inAMinute > limit) this.complaints.push(`${id} overruns the plan`);
		const fate = world.pick([...FATES]);
		const tries = numbers.map((number) => this.begin(number, execution));
		if (world.chance(20)) world.after(world.time(ANSWER), () => this.interfere());
		world.tell(`${id} to ${numbers.join(', ')}: ${fate}`);
		const outcome = await n8n.ask(ANSWER, (): Outcome => {
			if (fate === 'accepted' || fate === 'lostAnswer')
				for (const each of tries) each.isTaken = true;
			if (fate === 'lostAnswer') return OUTCOMES.uncertain;
			if (fate !== 'busy') return OUTCOMES[fate];
			const afterMs = world.pick([undefined, 1_000, 30_000]);
			n8n.pauses += afterMs ?? 60_000;
			return { ...OUTCOMES.notSent, retry: { afterMs, busy: true } };
		});
		const isHeard = outcome.outcome === 'accepted' && !stop.signal.aborted;
		for (const each of tries) each.isKnown = isHeard;
		return outcome;
	}

	private begin(number: string, by: Execution): Try {
		const { name, key } = by.copies.find(({ to }) => to === number) as Copy;
		const mayRepeat = this.executions.some(
			({ settings, root }) => settings.resendUncertain && (key !== '' || root === by.root),
		);
		const barred = this.tries.filter((each) => each.name === name && (each.isKnown || !mayRepeat));
		const begun: Try = { name, by, isTaken: false, isKnown: false, barred };
		this.tries.push(begun);
		return begun;
	}

	private takenOf(name: string): Try[] {
		return this.tries.filter((each) => each.isTaken && each.name === name);
	}

	private check(execution: Execution): void {
		const { id, n8n, ended, rows, copies, isStopped, settings, line, begun, root } = execution;
		const complain = (what: string) => this.complaints.push(`${id} ${what}`);
		if (n8n.isDead && ended === undefined) return;
		if (ended === undefined) return void complain('never ends');
		const isFailed = rows.some(({ outcome }) => /notSent|uncertain/.test(outcome.outcome));
		for (const { name, item, to } of copies) {
			const own = rows.filter((row) => isAbout(row, item, to));
			const what = own[0]?.outcome.outcome;
			const isTaken = this.takenOf(name).some(({ by }) => line.includes(by));
			if (own.length > 1) complain(`says more than one thing of ${name}`);
			if (what === 'notSent' && isTaken) complain(`says "not sent" of ${name}`);
			if (what === 'accepted' && !isTaken) complain(`says "queued" of ${name}`);
			if (what === 'skipped' && !this.isAccountedFor(name, execution)) complain(`loses ${name}`);
			if (!what && (!isFailed || settings.continueOnFail || isStopped)) {
				complain(`says nothing of ${name}`);
			}
		}
		if (this.haveFiles[root]) return;
		const requests = n8n.begun.length + 2;
		const minutes = this.limit > 0 ? (requests / this.limit) * 61_000 : 0;
		const kills = this.all.filter(({ isDead }) => isDead).length;
		const most = minutes + n8n.pauses + requests * 4 * ANSWER + 60_000 * (1 + 2 * kills);
		if (ended - begun > most) complain(`starves for ${ended - begun} ms instead of ${most}`);
	}

	/** Whether another execution has, or may have, sent what was skipped, or has said that it did not. */
	private isAccountedFor(name: string, execution: Execution): boolean {
		if (this.takenOf(name).length > 0) return true;
		return this.executions.some((other) => {
			if (other === execution) return false;
			if (other.n8n.isDead || other.stop.signal.aborted) return true;
			const { item, to } = other.copies.find((each) => each.name === name) as Copy;
			return !other.rows.some((row) => isAbout(row, item, to) && row.outcome.outcome === 'skipped');
		});
	}

	/** In the end a key is held if its message was, or may have been, sent; and no queue or lock is left. */
	private checkKeys(): void {
		const { world, complaints, executions } = this;
		for (const { isDead, name, room } of this.all) {
			if (!isDead && room.KeyQueue.count + room.HistoryLock.count > 0) {
				complaints.push(`${name} still has a queue of keys`);
			}
		}
		// What broke on its way back was written, and nobody knows.
		const isHurt =
			world.isShaky || executions.some(({ stop, n8n }) => stop.signal.aborted || n8n.isDead);
		if (world.rows.has('w') && !world.isShaky && !this.all.some(({ isDead }) => isDead))
			complaints.push('a lock is left');
		if (!this.isKeyed || executions.some(({ settings }) => settings.resendUncertain)) return;
		const { entries = [] } = JSON.parse(world.rows.get('w n') ?? '{}') as { entries?: string[] };
		this.items.forEach(({ numbers }, item) => {
			const key = `key ${item}`;
			const isHeld = entries.includes(createHash('md5').update(key).digest('base64'));
			const isTaken = numbers.some((to) => this.takenOf(`${key} to ${to}`).length > 0);
			const mayBe = executions.some(({ rows }) =>
				rows.some(({ items, outcome }) => items.includes(item) && outcome.outcome === 'uncertain'),
			);
			if (isTaken && !isHeld) complaints.push(`${key} is free, and its message was sent`);
			if (isHeld && !isTaken && !mayBe && !isHurt) complaints.push(`${key} is held for nothing`);
		});
	}
}

/** Of ten requests. */
const FATES = [
	...Array<'accepted'>(5).fill('accepted'),
	...(['notSent', 'notSent', 'uncertain', 'lostAnswer', 'busy'] as const),
] as const;

/** An item that was not read has one row without a recipient. */
function isAbout(row: Result, item: number, to: string): boolean {
	return row.items.includes(item) && (row.to === undefined || row.to === to);
}

function copyOf(context: IContextObject): IContextObject {
	return JSON.parse(JSON.stringify(context)) as IContextObject;
}
