/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** One seed, one history: of two to four executions at once, with files, plans, stops, kills, corrections, retries, items in another order and two workers. */
import { DEFECTS } from '../../support/seeded/defects';
import { liveThrough, type Told } from '../../support/seeded/history';
import { Source } from '../../support/seeded/source';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const runs = Number(process.env.HISTORIES ?? 500);

/** The seeds before these know nothing of a rare defect, and looking through them takes long. */
const FIRST: Record<string, number> = {
	'a canceled execution frees a key that its stored record calls its own': 601,
	'an item is said to wait for one that was not tried': 701,
};

/** Resolves to the first history in which something happened that should not. */
async function search(first: number, count: number, source: Source) {
	for (let at = first; at < first + count; at++) {
		const told = await liveThrough(at, source);
		if (told.complaints.length > 0) return { at, told };
	}
	return undefined;
}

it('hundreds of seeded histories send nothing twice, lose nothing and starve nobody', async () => {
	console.info(`${runs} histories, SEED=${seed}`);
	expect(await search(seed, runs, new Source())).toBeUndefined();
}, 300_000);

it.each(Object.entries(DEFECTS))(
	'seeded histories find out, by the same seed each time, if %s',
	async (name, is) => {
		const found = await search(FIRST[name] ?? 1, 3_000, new Source(is));
		console.info(`${name}: seed ${found?.at}, ${found?.told.complaints[0]}`);
		expect(found).toBeDefined();
		const { at, told } = found as { at: number; told: Told };
		expect(await liveThrough(at, new Source(is))).toEqual(told);
		expect((await liveThrough(at, new Source())).complaints).toEqual([]);
	},
);
