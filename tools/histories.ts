/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/**
 * `npm run histories -- --seed 1 --runs 1000000`: runs the histories of these seeds. A single run prints its history.
 */
import { parseArgs } from 'node:util';
import { liveThrough } from '../test/support/seeded/history';
import { Source } from '../test/support/seeded/source';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { seed: text, runs: text } });
const first = Number(values.seed ?? 1);
const runs = Number(values.runs ?? 1);

async function main(): Promise<void> {
	const source = new Source();
	let bad = 0;
	for (let seed = first; seed < first + runs; seed++) {
		const { complaints, story } = await liveThrough(seed, source);
		if (complaints.length > 0) bad++;
		if (complaints.length > 0 || runs === 1) console.log(`Seed ${seed}\n${story.join('\n')}\n`);
		const done = seed - first + 1;
		if (done % 10_000 === 0 || done === runs) console.log(`${done} histories, ${bad} of them bad`);
	}
	if (bad > 0) process.exitCode = 1;
}

void main();
