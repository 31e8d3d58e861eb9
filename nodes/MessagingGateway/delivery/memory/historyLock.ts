import {
	sleep,
	type DeduplicationScope,
	type IDeduplicationOutput,
	type IExecuteFunctions,
} from 'n8n-workflow';

/**
 * The lock is the row of the whole workflow in n8n's table of keys. n8n creates it with an INSERT on a primary key: of
 * all processes that try at once, one succeeds. A call with another mode than the row's is refused, so neither
 * "Remove Duplicates" nor this node takes the other's row for its own.
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/cli/src/deduplication/deduplication-helper.ts
 */
const MODE = 'messaging gateway: one process at a time' as 'entries';
/** An entry of every row of that mode, so that n8n finds any such row. */
const MARK = 'locked';

/** Milliseconds for which a lock lasts. A row that stays the same for longer was left by a process that died. */
const LASTS = 15_000;
/** How often a row must look unchanged before it counts as abandoned. Running processes change it between two looks. */
const FEWEST_LOOKS = 100;
/** Milliseconds from the call to the write. Later, nothing is written, because the row may belong to another node. */
const LATE = 1_000;
/** How often one process may be too late for the lock, before its keys cannot be recorded. */
const MOST_LATE = 30;

export type LockHelpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'clearAllProcessedItems' | 'getProcessedDataCount'
>;

/** The last call in each workflow. */
const calls = new Map<string, Promise<void>>();

/** The right of one process to change the keys of a workflow's nodes, while all others wait. */
export class HistoryLock {
	private readonly since = { clock: performance.now(), date: Date.now() };

	private constructor(private readonly helpers: LockHelpers) {}

	/**
	 * Makes a call while no node of the workflow makes another one, in any process.
	 *
	 * @param call gets no lock if the workflow's row holds the memory of another node
	 * @returns a promise that resolves once the lock is released
	 */
	static async hold(
		workflow: string,
		helpers: LockHelpers,
		call: (lock?: HistoryLock) => Promise<void>,
	): Promise<void> {
		// Calls of one process wait in memory, so that only one of them looks at the row.
		const held = (calls.get(workflow) ?? Promise.resolve()).then(async () => {
			const lock = await HistoryLock.take(helpers);
			await call(lock).finally(async () => await lock?.release());
		});
		const ended = held
			.catch(() => undefined)
			.then(() => {
				if (calls.get(workflow) === ended) calls.delete(workflow);
			});
		calls.set(workflow, ended);
		await held;
	}

	/** How many workflows have calls that have not ended. */
	static get count(): number {
		return calls.size;
	}

	/** Throws unless it is certain that no other process had the lock meanwhile. */
	check(): void {
		if (!this.lasts()) throw new Error('The lock on the history of keys was held for too long');
	}

	/** Waits for the lock. Resolves to undefined if the row holds the memory of another node. */
	private static async take(helpers: LockHelpers): Promise<HistoryLock | undefined> {
		for (let late = 0; late < MOST_LATE;) {
			const lock = new HistoryLock(helpers);
			// The number of its entries tells a row from the next one.
			const row = await write(helpers, Array<string>(random(1, 50)).fill(MARK));
			if (row === 'foreign') return undefined;
			if (row === 'new' && lock.lasts()) return lock;
			if (row === 'late') late++;
			const abandoned = await untilReleased(helpers);
			const taken = abandoned > 0 && (await HistoryLock.takeOver(helpers, abandoned));
			if (taken) return taken;
		}
		throw new TooLate("n8n's database is too slow for the lock");
	}

	/**
	 * Takes over a row that was left behind. Several processes may try at once, and the dead one may wake up: so
	 * this one has the lock only if the row then stays as it has written it for as long as a lock lasts.
	 */
	private static async takeOver(
		helpers: LockHelpers,
		entries: number,
	): Promise<HistoryLock | undefined> {
		const name = Math.random();
		const added = Array.from({ length: random(51, 1_000) }, (_, index) => `${name} ${index}`);
		if ((await write(helpers, [MARK, ...added])) !== 'known') return undefined;
		await sleep(LASTS);
		const lock = new HistoryLock(helpers);
		return (await entriesIn(helpers)) === entries + added.length ? lock : undefined;
	}

	/**
	 * Never throws: a row that stays is taken over later. It is deleted only once, as a second time it
	 * could be that of the next process.
	 */
	private async release(): Promise<void> {
		if (!this.lasts()) return;
		await this.helpers.clearAllProcessedItems('workflow', { mode: MODE }).catch(() => undefined);
	}

	private lasts(): boolean {
		// The second clock goes on while the machine sleeps.
		const { clock, date } = this.since;
		return Math.max(performance.now() - clock, Math.abs(Date.now() - date)) <= LASTS;
	}
}

/** Returns whether a statement changed nothing because the row exists. */
export function isRowThere(error: unknown): boolean {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	// PostgreSQL words its messages in the server's language.
	if (code === '23505' || code === 'ER_DUP_ENTRY') return true;
	return /unique constraint|duplicate (key|entry)|SQLITE_CONSTRAINT(?!.*foreign key)/i.test(
		String(message),
	);
}

type Row = 'new' | 'known' | 'foreign' | 'late';

/** Creates the row, or adds entries to one of this mode. Resolves to undefined if another process has just created it. */
async function write(helpers: LockHelpers, entries: string[]): Promise<Row | undefined> {
	const late = performance.now() + LATE;
	const beforeWrite = () => {
		if (performance.now() > late) throw new TooLate();
		return undefined;
	};
	return await record(helpers, entries, { scope: 'workflow', mode: MODE, beforeWrite }).then(
		({ processed }) => (processed.length === 0 ? 'new' : 'known'),
		async (error: unknown) => {
			if (error instanceof TooLate) return 'late';
			if (isRowThere(error)) return undefined;
			return isOtherMode(error) ? 'foreign' : await Promise.reject(error as Error);
		},
	);
}

interface RecordCall {
	scope: DeduplicationScope;
	mode: 'entries';
	/** Returns how many entries the row may have. If it throws, n8n writes nothing. */
	beforeWrite(): number | undefined;
}

/**
 * Adds entries to a row. n8n reads `maxEntries` when it has read the row and is about to write it, so this is where
 * `beforeWrite` is called. A release that reads the options earlier, or never, records nothing that counts: the call
 * fails, and so do the messages that need it.
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/cli/src/deduplication/deduplication-helper.ts
 */
export async function record(
	helpers: LockHelpers,
	entries: string[],
	{ scope, mode, beforeWrite }: RecordCall,
): Promise<IDeduplicationOutput> {
	const moment = { isBeforeRead: true, isMissed: true };
	const options = {
		mode,
		get maxEntries() {
			if (moment.isBeforeRead) throw new Error('This n8n reads the limit of keys too early');
			moment.isMissed = false;
			return beforeWrite();
		},
	};
	const recording = helpers.checkProcessedAndRecord(entries, scope, options);
	// n8n asks its database for the row first, and that takes a moment.
	moment.isBeforeRead = false;
	const output = await recording;
	if (moment.isMissed) throw new Error('This n8n does not read the limit of keys');
	return output;
}

/** The row may have changed since it was read. */
class TooLate extends Error {}

function isOtherMode(error: unknown): boolean {
	const { constructor, message } = (error ?? {}) as Error;
	return constructor.name === 'DeduplicationError' || /incompatible setting/i.test(String(message));
}

/** n8n counts the entries of any row, but only for a call of this mode. */
async function entriesIn(helpers: LockHelpers): Promise<number> {
	return await helpers.getProcessedDataCount('workflow', { mode: 'entries' });
}

/** Resolves to 0 once the row is gone, or to the number of its entries if it stays the same for long. */
async function untilReleased(helpers: LockHelpers): Promise<number> {
	const patience = LASTS * (1 + Math.random() / 4);
	let entries = 0;
	let since = 0;
	let same = 0;
	for (let looks = 0; ; looks++) {
		const now = await entriesIn(helpers);
		if (now === 0) return 0;
		if (now !== entries) [entries, since, same] = [now, performance.now(), 0];
		if (++same >= FEWEST_LOOKS && performance.now() - since > patience) return entries;
		await sleep(Math.min(2 + looks, 50) * (0.5 + Math.random()));
	}
}

function random(least: number, most: number): number {
	return least + Math.floor((most - least + 1) * Math.random());
}
