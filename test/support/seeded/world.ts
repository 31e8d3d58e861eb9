/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { setImmediate as everythingElse } from 'node:timers/promises';
import { chanceOf } from '../chance';
import { helpersOf, History } from '../engine/history';
import type { HistoryHelpers } from '../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import type { Room, Source } from './source';

/** Events after which a world has no end. */
const MOST_EVENTS = 50_000;

/** Owns time and chance: all that happens is an event of it, one after another, and follows from the seed. */
export class World {
	now = 0;
	/** What has happened, to the request. */
	readonly story: string[] = [];
	readonly rows = new Map<string, string>();
	readonly performance = { now: () => this.now };
	readonly Date = { now: () => Math.floor(this.now) };
	readonly Math = Object.assign(Object.create(Math) as Math, { random: () => this.random() });
	/** The connection to the database breaks now and then. */
	readonly isShaky: boolean;
	private events: Array<{ time: number; work: () => void }> = [];

	readonly random: () => number;

	constructor(seed: number) {
		this.random = chanceOf(seed);
		this.isShaky = seed % 5 === 0;
	}

	chance(percent: number): boolean {
		return this.random() * 100 < percent;
	}

	pick<T>(all: readonly T[]): T {
		return all[Math.floor(this.random() * all.length)] as T;
	}

	/** Returns a random time: mostly short, sometimes almost as long as `most`. */
	time(most: number): number {
		return 0.1 + most * this.random() ** 4;
	}

	tell(what: string): void {
		this.story.push(`${(this.now / 1_000).toFixed(3)} s: ${what}`);
	}

	after(ms: number, work: () => void): void {
		const time = this.now + Math.max(0, ms);
		let at = this.events.length;
		while (at > 0 && (this.events[at - 1]?.time as number) <= time) at--;
		this.events.splice(at, 0, { time, work });
	}

	/** Resolves once nothing more happens; to whether there was an end. */
	async run(): Promise<boolean> {
		for (let count = 0; count < MOST_EVENTS; count++) {
			await everythingElse();
			const next = this.events.pop();
			if (!next) return true;
			this.now = next.time;
			next.work();
		}
		return false;
	}
}

/** One n8n process: nothing of it goes on once it is dead. */
export class Process extends History {
	isDead = false;
	readonly room: Room;
	/** When its requests began. */
	readonly begun: number[] = [];
	/** Milliseconds for which the gateway asked it to wait. */
	pauses = 0;

	constructor(
		private readonly world: World,
		source: Source,
		readonly name: string,
	) {
		super(world.rows);
		this.room = source.load(world, async (ms, signal) => await this.wait(ms, signal));
	}

	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			signal?.addEventListener('abort', () => reject(new Error('Aborted')));
			this.world.after(ms, () => void (this.isDead || resolve()));
		});
	}

	/** Lets something happen elsewhere, and resolves to what comes back. */
	async ask<T>(most: number, effect: () => T): Promise<T> {
		const { world } = this;
		return await new Promise((resolve, reject) => {
			world.after(world.time(most), () => {
				let answer: () => void;
				try {
					const value = effect();
					answer = () => resolve(value);
				} catch (error) {
					answer = () => reject(error as Error);
				}
				world.after(world.time(most), () => void (this.isDead || answer()));
			});
		});
	}

	get helpers(): HistoryHelpers {
		return helpersOf(this);
	}

	protected override async statement<T>(effect: () => T): Promise<T> {
		const { world } = this;
		const breaks = world.isShaky && world.chance(4);
		if (breaks && world.chance(50)) throw new Error('Connection terminated');
		const value = await this.ask(300, effect);
		if (breaks) throw new Error('Connection terminated');
		return value;
	}
}
