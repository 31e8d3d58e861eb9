import { createHash } from 'node:crypto';
import sortBy from 'lodash/sortBy';
import type { IContextObject } from 'n8n-workflow';
import type {
	Message,
	ReadItem,
	ReadyItem,
	Recipient,
} from '../../../nodes/MessagingGateway/delivery/message';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import type { Gateway } from '../../../nodes/MessagingGateway/gateway/request';
import type { Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { getOrAdd } from '../../../nodes/MessagingGateway/shared/getOrAdd';
import type { Source } from './source';
import { runOf, type RunSettings } from '../../unit/delivery/runOf';
import { Process, World } from './world';

const MOST_EXECUTIONS = 4;
/** Milliseconds: a gateway's answer, a file that is opened, and a person who does something. */
const [ANSWER, FILE, PERSON] = [4_000, 7_200_000, 120_000];

const OUTCOMES = {
	accepted: { outcome: 'accepted', envelope: { code: 200 } },
	notSent: { outcome: 'notSent', origin: 'gateway', what: 'Refused', advice: '' },
	uncertain: { outcome: 'uncertain', origin: 'gateway', what: 'Broken', advice: '' },
} satisfies Record<string, Outcome>;

/** What a person has entered, and corrects between tries. */
interface Node {
	travels: Message['travels'];
	/** Joins the text of every item. */
	text: string;
	/** In place of those of the items. */
	fixedText?: string;
	device: string;
	hasFile: boolean;
	/** Without the country code. */
	numbers: string[][];
	countryCode: string;
}

/** One message of one item for one number. */
interface Copy {
	/** Equal for all of which only one may be delivered. */
	name: string;
	/** Equal for all numbers of the item. */
	message: string;
	item: number;
	to: string;
	/** Which copies for one number may share a request. */
	words: string;
	/** Its item cannot be read. */
	isWrong: boolean;
}

/** One request, as far as it is about one number. */
interface Try {
	/** Of the copies that asked for it. */
	names: string[];
	/** Those that have it then. */
	covered: string[];
	by: Execution;
	isTaken: boolean;
	isUncertain?: boolean;
	/** n8n's record of the execution says that the gateway has it. */
	isKnown: boolean;
	/** Earlier ones that it must not repeat. */
	barred: Try[];
}

/** The settings that a history varies. */
type Settings = Partial<RunSettings> & Pick<RunSettings, 'resendUncertain' | 'continueOnFail'>;

interface Execution {
	id: string;
	/** The executions that are retries of one another, from the first on. */
	root: number;
	/** Itself, and those whose record it continues. */
	line: Execution[];
	context: IContextObject;
	node: Node;
	/** Where its items come from, and which they are, in their order. */
	source: string;
	order: number[];
	/** An item whose expressions cannot be read. */
	wrong?: number;
	copies: Copy[];
	/** Equal lists are one array. */
	lists: Map<string, Recipient[]>;
	settings: Settings;
	n8n: Process;
	stop: AbortController;
	begun: number;
	/** It was stopped before it had done its work. */
	isStopped?: boolean;
	ended?: number;
	rows: Result[];
	/** Uncertain requests since the last accepted one. */
	unsure: number;
}

/** An execution that n8n offers to retry, as it is stored. */
interface Stored {
	of: Execution;
	context: IContextObject;
	/** Whose work the record knows. */
	line: Execution[];
	/** How a Retry can give the node other items: n8n starts from its trigger, or another branch comes first. */
	other?: 'trigger' | 'branch';
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
	return await new Life(new World(seed), source, seed).live();
}

class Life {
	private readonly complaints: string[] = [];
	private readonly executions: Execution[] = [];
	private readonly stored: Stored[] = [];
	private readonly all: Process[] = [];
	private readonly workers: Process[];
	private readonly tries: Try[] = [];
	private readonly items: Array<{ text: string }>;
	private readonly isKeyed: boolean;
	/** The Send-Once Key of each item. Two items can have one. */
	private readonly keys: string[];
	/** A "Remove Duplicates" node of the whole workflow has the row of the lock. Then there is one worker. */
	private readonly hasNoLock: boolean;
	private readonly continueOnFail: boolean;
	private readonly limit: number;
	private readonly temper: Temper;
	/** As it was saved last. */
	private node: Node;
	private roots = 0;

	constructor(
		private readonly world: World,
		private readonly source: Source,
		seed: number,
	) {
		this.temper = TEMPERS[seed % 8] ?? 'usual';
		const travels = world.pick(['single', 'single', 'list', 'grouped'] as const);
		this.isKeyed = world.chance(60);
		const isHalfDead = this.temper === 'halfDead';
		this.continueOnFail = world.chance(30) || isHalfDead;
		this.limit = world.pick([0, 0, 1, 2, 5]);
		const isCrowded = world.chance(30);
		const isOneList = travels === 'list' && world.chance(30);
		const count = world.pick([2, 2, 3, 4]) * (isHalfDead ? 6 : 1);
		this.items = Array.from({ length: count }, () => {
			return { text: `text ${isOneList ? 0 : world.pick([0, 1])}` };
		});
		const sharesKeys = world.chance(25);
		this.keys = this.items.map((_, id) => `key ${sharesKeys ? world.pick([0, id]) : id}`);
		const each = this.items.map((_, item) => {
			const most = travels === 'list' ? world.pick([1, 2, 3]) : 1;
			const first = isCrowded ? world.pick([0, 0, 1]) : item * 10;
			return Array.from({ length: most }, (__, at) => String(100 + first + at));
		});
		const numbers = isOneList ? each.map(() => [...(each[0] as string[])]) : each;
		const hasFile = travels === 'single' && world.chance(40);
		const countryCode = world.pick(['62', '62', '']);
		this.node = { travels, text: '', device: 'device', hasFile, numbers, countryCode };
		this.hasNoLock = this.isKeyed && world.chance(10);
		if (this.hasNoLock) world.rows.set('w', JSON.stringify({ mode: 'entries', entries: ['a'] }));
		const workers = this.hasNoLock ? 1 : world.pick([1, 2]);
		this.workers = Array.from({ length: workers }, () => this.start());
	}

	async live(): Promise<Told> {
		const { world, complaints } = this;
		world.tell(JSON.stringify([this.items, this.node]));
		for (let left = world.pick([1, 2, 2]); left > 0; left--) {
			world.after(world.time(20_000), () => this.send());
		}
		world.after(world.time(PERSON), () => this.interfere());
		if (!(await world.run())) complaints.push('there is no end');
		// Of one that was killed, nobody knows for which of its items it was: those that can only be for one go first.
		for (const each of sortBy(this.tries, ({ by, names }) => (by.ended ? 0 : names.length))) {
			this.settle(each);
		}
		for (const each of this.executions) this.check(each);
		this.checkKeys();
		this.checkSharedKeys();
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
		// Without the lock, what a dead process still writes can take a key from a living one.
		else if (what === 'stop' || world.isShaky || this.hasNoLock) this.stop(world.pick(running));
		else this.kill(world.pick(running).n8n);
	}

	private stop({ id, stop, context, line }: Execution): void {
		if (stop.signal.aborted) return;
		this.world.tell(`${id} is stopped`);
		stop.abort();
		// n8n stores it at once, and does not hear what becomes of requests under way.
		this.store({ of: line.at(-1) as Execution, context: copyOf(context), line, other: 'branch' });
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
			const other = from ? undefined : 'trigger';
			this.store({ of: each, context, line: each.line.slice(0, -1), other });
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
		const { world, executions } = this;
		if (world.chance(90) || executions.length >= MOST_EXECUTIONS) return this.execute();
		// Another node fails before this one runs.
		const of = this.newExecution();
		Object.assign(of, { line: [], copies: [], ended: world.now });
		executions.push(of);
		world.tell(`${of.id} fails before the node runs`);
		this.store({ of, context: {}, line: [], other: 'trigger' });
	}

	/** A person saves another text, device, file, operation, number or country code. */
	private correct(): void {
		const { world, node } = this;
		const numbers = node.numbers.map((all) => [...all]);
		const isOneEach = numbers.every(({ length }) => length === 1);
		const what = world.pick(['text', 'fixedText', 'device', 'file', 'operation', 'number', 'code']);
		const now = { ...node, numbers };
		if (what === 'text') now.text += '!';
		if (what === 'fixedText') now.fixedText = 'fixed';
		if (what === 'device') now.device += '!';
		if (what === 'code') now.countryCode = '62';
		if (what === 'operation' && isOneEach) now.travels = world.pick(['single', 'list', 'grouped']);
		if (what === 'number') {
			const all = world.pick(numbers);
			all[world.pick([...all.keys()])] = String(900 + this.executions.length);
		}
		now.hasFile = now.travels === 'single' && node.hasFile !== (what === 'file');
		this.node = now;
		world.tell(`${what} is corrected: ${JSON.stringify(now)}`);
	}

	private execute(from?: Stored): void {
		const { world, executions } = this;
		if (executions.length >= MOST_EXECUTIONS) return;
		if (executions.length > 0 && world.chance(35)) this.correct();
		const execution = this.newExecution(from);
		const { id } = execution;
		executions.push(execution);
		world.tell(
			`${id} ${from ? `retries ${from.of.id}` : 'begins'} in ${execution.n8n.name}: ${execution.source} ${execution.order.join()}`,
		);
		void this.run(execution, from !== undefined).catch((error: unknown) => {
			this.complaints.push(`${id} throws ${String((error as Error).stack)}`);
		});
	}

	private newExecution(from?: Stored): Execution {
		const { world } = this;
		const other = from?.other && world.chance(30) ? from.other : undefined;
		const order = from ? [...from.of.order] : [...this.items.keys()];
		if (other) order.sort(() => world.random() - 0.5);
		const execution: Execution = {
			id: `execution ${this.executions.length + 1}`,
			root: from?.of.root ?? this.roots++,
			// To another branch, the record is about other items.
			line: other === 'branch' ? [] : [...(from?.line ?? [])],
			context: copyOf(from?.context ?? {}),
			// "With the original workflow", or as it is saved by now.
			node: from && world.chance(20) ? from.of.node : this.node,
			source:
				other === 'branch' ? `Branch ${this.executions.length}` : (from?.of.source ?? 'Items'),
			order,
			wrong: world.chance(10) ? world.pick(order) : undefined,
			copies: [],
			lists: new Map(),
			settings: this.settings(from !== undefined),
			n8n: world.pick(this.workers),
			stop: new AbortController(),
			begun: world.now,
			rows: [],
			unsure: 0,
		};
		execution.line.push(execution);
		execution.copies = this.copiesOf(execution);
		return execution;
	}

	private copiesOf({ node, order, root, source, wrong }: Execution): Copy[] {
		return order.flatMap((id, item) => {
			const message = this.isKeyed ? (this.keys[id] as string) : `${root} ${source}: ${id}`;
			const words = `${node.device} ${this.textOf(node, id)}`;
			return (node.numbers[id] as string[]).map((number) => {
				const to = `${node.countryCode || '0'}${number}`;
				return { name: `${message} to ${number}`, message, item, to, words, isWrong: id === wrong };
			});
		});
	}

	private textOf({ fixedText, text }: Node, id: number): string {
		return fixedText ?? `${this.items[id]?.text}${text}`;
	}

	private settings(isRetry: boolean): Settings {
		const { world } = this;
		return {
			maxConcurrency: world.pick([1, 2, 3]),
			maxRetries: world.pick([0, 1, 3]),
			numbersPerRequest: world.pick([1, 2, 500]),
			resendUncertain: isRetry && world.chance(35),
			continueOnFail: this.continueOnFail,
			subscription: 'plan',
			requestsPerMinute: this.limit,
		};
	}

	private async run(execution: Execution, isRetry: boolean): Promise<void> {
		const { world } = this;
		const { n8n, settings, stop, context, id, root, source } = execution;
		const { Journal, KeyHistory, Delivery, byRecipient } = n8n.room;
		const journal = new Journal(context, {
			runKey: '0',
			execution: id,
			node: 'n',
			source,
			token: `token ${root}`,
			isRetry,
			resendUncertain: settings.resendUncertain,
		});
		const keyHistory = new KeyHistory(n8n.helpers, 'w', 'n');
		const gateway: Gateway = {
			exchange: async ({ fields }, _, onLeaving) => {
				onLeaving();
				return await this.exchange(fields.to as string[], Number(fields.item), execution);
			},
		};
		const canceled = stop.signal;
		const ports = { journal, keyHistory, gateway, canceled, log: () => undefined };
		const items = this.read(execution);
		const delivery = await Delivery.run({ ...runOf(settings), ports }, this.items.length, items);
		execution.isStopped = stop.signal.aborted;
		await keyHistory.close();
		execution.rows = await byRecipient(delivery.entries);
		execution.ended = world.now;
		const says = execution.rows.map(({ to, outcome }) => `${to} ${outcome.outcome}`);
		world.tell(`${id} ends: ${says.join(', ')}`);
		const isFailed = execution.rows.some(({ outcome }) =>
			/notSent|uncertain/.test(outcome.outcome),
		);
		if (stop.signal.aborted || !isFailed || settings.continueOnFail) return;
		this.store({ of: execution, context: copyOf(context), line: execution.line });
	}

	private async *read(execution: Execution): AsyncGenerator<ReadItem> {
		const { world } = this;
		for (let item = 0; item < this.items.length; item++) {
			if (world.chance(30)) await execution.n8n.wait(world.time(2_000));
			if (execution.order[item] === execution.wrong)
				yield { index: item, failure: { ...OUTCOMES.notSent, origin: 'input' } };
			else yield this.readyItem(item, execution);
		}
	}

	private readyItem(item: number, execution: Execution): ReadyItem {
		const { world } = this;
		const { n8n, node, order } = execution;
		const id = order[item] as number;
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
			sendOnceKey: this.isKeyed ? (this.keys[id] as string) : '',
			message: {
				travels: node.travels,
				identity: `${node.device} ${this.textOf(node, id)}`,
				recipients: recipientsOf(execution, node.numbers[id] as string[]),
				refusals: [],
				...(node.hasFile && { openFile }),
				requestTo: (to) => {
					const fields = { to, item: String(item) };
					return { path: [], format: 'json', fields, answer: 'envelope' };
				},
			},
			timeout: 0,
		};
	}

	/** What the gateway does with a request. */
	private async exchange(numbers: string[], item: number, execution: Execution): Promise<Outcome> {
		const { world, limit } = this;
		const { n8n, id, stop } = execution;
		n8n.begun.push(world.now);
		const inAMinute = n8n.begun.filter((time) => time > world.now - 60_000).length;
		if (limit > 0 && inAMinute > limit) this.complaints.push(`${id} overruns the plan`);
		const fate = world.pick([...FATES[this.temper]]);
		const tries = numbers.map((number) => this.begin(number, item, execution));
		if (world.chance(20)) world.after(world.time(ANSWER), () => this.interfere());
		world.tell(`${id} to ${numbers.join(', ')}: ${fate}`);
		const outcome = await n8n.ask(ANSWER, (): Outcome => {
			if (fate === 'accepted' || fate === 'lostAnswer')
				for (const each of tries) each.isTaken = true;
			if (fate === 'lostAnswer') return OUTCOMES.uncertain;
			if (fate === 'contradicts') {
				if (world.chance(50)) for (const each of tries) each.isTaken = true;
				return this.contradiction(n8n.room);
			}
			if (fate !== 'busy') return OUTCOMES[fate];
			const afterMs = world.pick([undefined, 1_000, 30_000]);
			n8n.pauses += afterMs ?? 60_000;
			return { ...OUTCOMES.notSent, retry: { afterMs, busy: true } };
		});
		if (outcome.outcome === 'uncertain') execution.unsure++;
		if (outcome.outcome === 'accepted') execution.unsure = 0;
		const most = execution.node.travels === 'single' ? 10 : 3;
		if (execution.unsure > most)
			this.complaints.push(`${id} goes on after ${most} uncertain requests`);
		const isHeard = outcome.outcome === 'accepted' && !stop.signal.aborted;
		for (const each of tries) {
			each.isKnown = isHeard;
			each.isUncertain = outcome.outcome === 'uncertain';
		}
		return outcome;
	}

	/** The outcome of an answer with code 200 that says no, as the node reads it. */
	private contradiction({ readAnswer, parseAnswer }: Process['room']): Outcome {
		const no = this.world.pick(CONTRADICTIONS);
		const body = JSON.stringify({ code: 200, message: 'ok', ...no });
		const url = 'https://gateway.example.com';
		const answer = parseAnswer({ status: 200, headers: {}, body });
		return readAnswer(answer, { url, baseUrl: url, answer: 'envelope' });
	}

	private begin(number: string, item: number, by: Execution): Try {
		const asked = by.copies.filter((copy) => copy.to === number && !copy.isWrong);
		const asking = asked.filter((copy) => copy.item === item);
		const others = asked.filter((copy) => copy.item !== item && sharesRequest(copy, by, item));
		const names = [...asking, ...others].map((copy) => copy.name);
		if (names.length === 0) this.complaints.push(`${by.id} sends to nobody: ${number}`);
		const mayRepeat = this.executions.some(
			({ settings, root }) => settings.resendUncertain && (this.isKeyed || root === by.root),
		);
		const barred = this.tries.filter((each) => each.isKnown || !mayRepeat);
		const begun: Try = { names, covered: [], by, isTaken: false, isKnown: false, barred };
		this.tries.push(begun);
		return begun;
	}

	/** Looks at what was delivered, one request after another. */
	private settle(each: Try): void {
		const { names, isTaken, by } = each;
		if (!isTaken) return;
		const others = this.tries.filter(
			(other) => each.barred.includes(other) || other.barred.includes(each),
		);
		const again = names.filter((name) => others.some(({ covered }) => covered.includes(name)));
		// Items with other keys may want the same text for the same number: each key is good for one.
		const left = this.isKeyed ? names.filter((name) => !again.includes(name)) : [];
		// One that was killed has told nothing, but its request has its key.
		const isHeld = (name: string) => by.ended === undefined && this.isKeyHeld(keyIn(name));
		const fresh = left.find((name) => isTold(name, by)) ?? left.find(isHeld) ?? left[0];
		each.covered = fresh === undefined ? names : [fresh];
		if (fresh !== undefined) return;
		for (const name of again) {
			const other = others.find(({ covered }) => covered.includes(name));
			this.complaints.push(`twice: ${name}, by ${other?.by.id} and ${by.id}`);
		}
	}

	private takenOf(name: string): Try[] {
		return this.tries.filter(({ covered }) => covered.includes(name));
	}

	private check(execution: Execution): void {
		const { id, n8n, ended, rows, copies, isStopped, settings, line, begun, node } = execution;
		const complain = (what: string) => this.complaints.push(`${id} ${what}`);
		if (n8n.isDead && ended === undefined) return;
		if (ended === undefined) return void complain('never ends');
		const isFailed = rows.some(({ outcome }) => /notSent|uncertain/.test(outcome.outcome));
		for (const copy of copies) {
			const { name, item, to } = copy;
			const own = rows.filter((row) => isAbout(row, item, to));
			const what = own[0]?.outcome.outcome;
			const taken = this.takenOf(name).filter(({ by }) => line.includes(by));
			// Of a request for several items, the record names only those that were looked at.
			const isTaken = taken.some(({ names }) => own[0]?.to !== undefined || names.length === 1);
			if (own.length > 1) complain(`says more than one thing of ${name}`);
			// Of another item with the key and the number, which was sent.
			const isOthers = copies.some((each) => each.name === name && each.item !== item);
			if (what === 'notSent' && isTaken && !isOthers) complain(`says "not sent" of ${name}`);
			const isThere =
				own[0]?.to === undefined
					? this.mayHaveReached(copy.message)
					: line.some((each) => this.has(copy, each));
			if (what === 'accepted' && !isThere) complain(`says "queued" of ${name}`);
			const isOpen = own.some(({ outcome }) => this.mayBeOpen(copy, outcome, execution));
			if (what === 'uncertain' && !isOpen) complain(`holds back ${name}`);
			if (what === 'skipped' && !this.isAccountedFor(copy, execution)) complain(`loses ${name}`);
			if (own.some(isFirstNotSent) && !isKeyUnsent(copy, execution))
				complain(`says that the first message with the key of ${name} was not sent`);
			if (!what && !isSameList(copy, execution)) {
				if (!isFailed || settings.continueOnFail || isStopped) complain(`says nothing of ${name}`);
			}
		}
		if (node.hasFile) return;
		const requests = n8n.begun.length + 2;
		// From 429, the node learns a plan of one request a minute, or of more.
		const rate = n8n.pauses > 0 ? 1 : this.limit;
		const minutes = rate > 0 ? (requests / rate) * 61_000 : 0;
		const kills = this.all.filter(({ isDead }) => isDead).length;
		const reading = this.items.length * 2_000;
		const most = minutes + n8n.pauses + requests * 4 * ANSWER + reading + 60_000 * (1 + 2 * kills);
		if (ended - begun > most) complain(`starves for ${ended - begun} ms instead of ${most}`);
	}

	/** Whether the number has the message, or the same one of another item in that execution. */
	private has(copy: Copy, execution: Execution): boolean {
		const names = alikeIn(execution, copy).map(({ name }) => name);
		return this.tries.some(
			(each) =>
				each.isTaken &&
				execution.line.includes(each.by) &&
				each.names.some((name) => names.includes(name)),
		);
	}

	/** Whether there is a reason why nobody can tell whether a message is queued. */
	private mayBeOpen(copy: Copy, outcome: Result['outcome'], execution: Execution): boolean {
		const { line, root } = execution;
		const cause = 'cause' in outcome ? outcome.cause : undefined;
		const others = this.executions.filter((each) => each.root === root && each !== execution);
		if (cause === 'unclaimed') return this.world.isShaky;
		// One that is stopped is stored while it writes its mark, which the next retry then takes for another's.
		const isCut =
			this.world.isShaky || others.some(({ n8n, stop }) => n8n.isDead || stop.signal.aborted);
		if (cause === 'interrupted') return isCut;
		if (cause === 'outdated') return isCut || others.some((each) => !line.includes(each));
		// What is sent again makes everybody else in its request uncertain.
		const isShared = execution.node.travels !== 'single';
		if ((isCut || isShared) && execution.settings.resendUncertain) return true;
		// In bulk, a number gets equal words once, for whichever item. They may have differed again since.
		const starts = line.flatMap((each) => alikeIn(each, copy).map(({ message }) => `${message} `));
		return this.tries.some(
			({ by, names, isTaken, isUncertain }) =>
				line.includes(by) &&
				(isTaken || isUncertain || by.stop.signal.aborted || by.n8n.isDead) &&
				names.some((name) => starts.some((start) => name.startsWith(start))),
		);
	}

	/** Whether the message, or the same one of another item, was sent, or may have been; or somebody has said that it was not. */
	private isAccountedFor(copy: Copy, execution: Execution): boolean {
		// With another number by then, the key stands for the message.
		const isCorrected = this.executions.some(
			({ copies }) =>
				copies.some(({ message }) => message === copy.message) &&
				!copies.some(({ name }) => name === copy.name),
		);
		const isShared = execution.copies.some(
			({ message, item }) => message === copy.message && item !== copy.item,
		);
		const start = isCorrected || isShared ? `${copy.message} ` : copy.name;
		if (this.mayHaveReached(start) || this.has(copy, execution)) return true;
		return this.executions.some((other) => {
			if (other !== execution && (other.n8n.isDead || other.stop.signal.aborted)) return true;
			const alike = isShared
				? other.copies.filter(({ message }) => message === copy.message)
				: alikeIn(other, copy);
			return alike.some(
				({ item, to }) =>
					!other.rows.some((row) => isAbout(row, item, to) && row.outcome.outcome === 'skipped'),
			);
		});
	}

	/** Whether a request was, or may have been, for it, too: each of two items may count as the one that has it. */
	private mayHaveReached(start: string): boolean {
		return this.tries.some(
			({ isTaken, isUncertain, names }) =>
				(isTaken || isUncertain) && names.some((name) => name.startsWith(start)),
		);
	}

	private isKeyHeld(key: string): boolean {
		const { entries = [] } = JSON.parse(this.world.rows.get('w n') ?? '{}') as {
			entries?: string[];
		};
		return entries.includes(createHash('md5').update(key).digest('base64'));
	}

	/** Of several items with one key, only one is sent. */
	private checkSharedKeys(): void {
		if (!this.isKeyed || new Set(this.keys).size === this.keys.length) return;
		const taken = this.tries.filter(({ covered }) => covered.length > 0);
		const idsOf = ({ by, covered: [name] }: Try) =>
			by.copies.filter((copy) => copy.name === name).map(({ item }) => by.order[item]);
		for (const one of taken) {
			for (const other of one.barred.filter((each) => taken.includes(each))) {
				const [name, earlier] = [one.covered[0] as string, other.covered[0] as string];
				if (keyIn(name) !== keyIn(earlier)) continue;
				const ids = idsOf(other);
				if (idsOf(one).some((id) => ids.includes(id))) continue;
				this.complaints.push(`two items with one key: ${earlier}, and then ${name}`);
			}
		}
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
		const canBeLeft = this.hasNoLock || world.isShaky || this.all.some(({ isDead }) => isDead);
		if (world.rows.has('w') && !canBeLeft) complaints.push('a lock is left');
		if (!this.isKeyed || executions.some(({ settings }) => settings.resendUncertain)) return;
		for (const key of new Set(this.keys)) {
			const isHeld = this.isKeyHeld(key);
			const isTaken = this.tries.some(({ covered }) => covered[0]?.startsWith(`${key} `));
			if (isTaken && !isHeld) complaints.push(`${key} is free, and its message was sent`);
			const mayBeSent = executions.some((each) =>
				each.copies
					.filter(({ message }) => message === key)
					.some((copy) => alikeIn(each, copy).some(({ name }) => this.mayHaveReached(name))),
			);
			if (isHeld && !mayBeSent && !isHurt) complaints.push(`${key} is held for nothing`);
		}
	}
}

/** The key in the name of a copy. */
function keyIn(name: string): string {
	return name.split(' to ')[0] as string;
}

/** Of ten requests of each gateway. */
const FATES = {
	usual: [
		...Array<'accepted'>(5).fill('accepted'),
		...(['notSent', 'notSent', 'uncertain', 'lostAnswer', 'busy'] as const),
	],
	contradicts: [
		...Array<'accepted'>(3).fill('accepted'),
		...Array<'contradicts'>(4).fill('contradicts'),
		...(['notSent', 'lostAnswer', 'busy'] as const),
	],
	halfDead: [
		'accepted' as const,
		...Array<'uncertain'>(5).fill('uncertain'),
		...Array<'lostAnswer'>(3).fill('lostAnswer'),
		'notSent' as const,
	],
};

type Temper = keyof typeof FATES;

/** By the last three bits of the seed. */
const TEMPERS: Partial<Record<number, Temper>> = { 3: 'halfDead', 6: 'contradicts' };

const CONTRADICTIONS = [
	{ status: false },
	{ success: 0 },
	{ error_code: 429 },
	{ data: { status: 'failed' } },
];

/** Whether a message is queued, or may be, as its execution says; not that another item has it. */
function isTold(name: string, { copies, rows }: Execution): boolean {
	const copy = copies.find((each) => each.name === name) as Copy;
	return rows.some(
		(row) => isAbout(row, copy.item, copy.to) && /accepted|uncertain/.test(row.outcome.outcome),
	);
}

function isFirstNotSent({ outcome }: Result): boolean {
	return outcome.outcome === 'skipped' && outcome.why === 'firstNotSent';
}

/** Whether an item with the same key was not sent, and none was. */
function isKeyUnsent({ message, item }: Copy, { copies, rows }: Execution): boolean {
	const others = copies.filter((each) => each.message === message && each.item !== item);
	const all = rows.filter((row) => others.some((each) => isAbout(row, each.item, each.to)));
	const some = (outcome: RegExp) => all.some((row) => outcome.test(row.outcome.outcome));
	return some(/notSent/) && !some(/accepted|uncertain/);
}

/** An item that was not read has one row without a recipient. */
function isAbout(row: Result, item: number, to: string): boolean {
	return row.items.includes(item) && (row.to === undefined || row.to === to);
}

function recipientsOf({ node, lists }: Execution, numbers: string[]): Recipient[] {
	return getOrAdd(lists, numbers.join(), () =>
		numbers.map((each) => ({ to: `${node.countryCode || '0'}${each}`, asEntered: `0${each}` })),
	);
}

/** Returns the copies of an execution for the same message: the same, or with equal words, or for a number before it was corrected. */
function alikeIn({ copies }: Execution, { name, message }: Copy): Copy[] {
	const own = copies.filter((each) => each.message === message);
	const same = own.filter((each) => each.name === name);
	const which = same.length > 0 ? same : own;
	return copies.filter((each) =>
		which.some(({ to, words }) => each.to === to && each.words === words),
	);
}

/** Whether a request of an item carries the copy of another one, too. */
function sharesRequest({ words }: Copy, { copies, node }: Execution, item: number): boolean {
	return (
		node.travels !== 'single' && copies.some((each) => each.item === item && each.words === words)
	);
}

/** Whether an earlier item has the same list with the same words: one row of the item says so. */
function isSameList({ item, words }: Copy, { copies, node, order }: Execution): boolean {
	const listOf = (at: number) => node.numbers[order[at] as number]?.join();
	return (
		node.travels === 'list' &&
		copies.some(
			(each) =>
				each.item < item &&
				!each.isWrong &&
				each.words === words &&
				listOf(each.item) === listOf(item),
		)
	);
}

function copyOf(context: IContextObject): IContextObject {
	return JSON.parse(JSON.stringify(context)) as IContextObject;
}
