/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/**
 * Several n8n processes and one database, simulated: each statement takes a random time there and back, and
 * nothing really waits. The same seed gives the same course.
 */
import { setImmediate as everythingElse } from 'node:timers/promises';
import type * as KeyHistoryModule from '../../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import { chanceOf } from '../../../support/chance';
import { helpersOf, History } from '../../../support/engine/history';

export class World {
	now = 0;
	readonly rows = new Map<string, string>();
	private events: Array<{ time: number; work: () => void }> = [];

	readonly random: () => number;

	constructor(seed: number) {
		this.random = chanceOf(seed);
		jest.spyOn(performance, 'now').mockImplementation(() => this.now);
		jest.spyOn(Date, 'now').mockImplementation(() => this.now);
		jest.spyOn(Math, 'random').mockImplementation(() => this.random());
	}

	after(ms: number, work: () => void): void {
		this.events.push({ time: this.now + ms, work });
	}

	async run<T>(work: Promise<T>): Promise<T> {
		let end: { result: T } | undefined;
		void work.then((result) => (end = { result }));
		for (;;) {
			await everythingElse();
			if (end) return end.result;
			this.events.sort((a, b) => a.time - b.time);
			const next = this.events.shift();
			if (!next) throw new Error('Nobody has anything left to do');
			this.now = Math.max(this.now, next.time);
			next.work();
		}
	}
}

/** What becomes of a statement: it reaches the database and its answer the worker, each after so many ms. */
export interface Fate {
	there: number;
	back: number;
	/** The connection breaks on the way there, or on the way back. */
	breaks?: 'there' | 'back';
	/** The process is gone before the answer. */
	dies?: boolean;
}

/** One n8n process with the node loaded into it. */
export class Worker extends History {
	statements = 0;
	private isDead = false;
	private KeyHistory!: typeof KeyHistoryModule.KeyHistory;

	constructor(
		private readonly world: World,
		/** Changes what becomes of its statements, which are counted from 1. */
		private readonly change: (statement: number) => Partial<Fate> | undefined = () => undefined,
	) {
		super(world.rows);
		jest.isolateModules(() => {
			jest.doMock('n8n-workflow', () => ({ sleep: async (ms: number) => await this.sleep(ms) }));
			this.KeyHistory = jest.requireActual<typeof KeyHistoryModule>(
				'../../../../nodes/MessagingGateway/delivery/memory/keyHistory',
			).KeyHistory;
		});
	}

	/** Opens the history of a node of the one workflow. */
	open(node = 'n'): KeyHistoryModule.KeyHistory {
		return new this.KeyHistory(helpersOf(this, node), 'w', node);
	}

	/** Claims each key in five lanes, as an execution does, and returns those it may send. */
	async send(keys: readonly string[], node = 'n'): Promise<string[]> {
		const history = this.open(node);
		const left = [...keys];
		const sent: string[] = [];
		const lane = async () => {
			for (let key = left.shift(); key !== undefined; key = left.shift()) {
				const known = await history.claim([key]).catch(() => undefined);
				if (known?.size === 0) sent.push(key);
				await this.sleep(3);
			}
		};
		await Promise.all(Array.from({ length: 5 }, lane));
		await history.close();
		return sent;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => {
			this.world.after(ms, () => void (this.isDead || resolve()));
		});
	}

	protected override async statement<T>(effect: () => T): Promise<T> {
		const { world } = this;
		const way = () => 0.1 + 2 * world.random() ** 2;
		const fate: Fate = { there: way(), back: way(), ...this.change(++this.statements) };
		const broken = new Error('Connection terminated');
		return await new Promise((resolve, reject) => {
			if (this.isDead) return;
			if (fate.breaks === 'there') return reject(broken);
			world.after(fate.there, () => {
				let answer: () => void;
				try {
					const value = effect();
					answer = () => resolve(value);
				} catch (error) {
					answer = () => reject(error as Error);
				}
				if (fate.breaks === 'back') answer = () => reject(broken);
				if (fate.dies) this.isDead = true;
				world.after(fate.back, () => void (this.isDead || answer()));
			});
		});
	}
}
