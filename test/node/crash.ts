import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createEngine } from '../support/engine/engine';
import { numberOf, text, withJson } from '../support/harness';

/** A run in a separate process that a test kills. Its history is a file, so that it survives. */
interface Job {
	credential: object;
	count: number;
	options: object;
	history: string;
}

async function main({ credential, count, options, history }: Job): Promise<void> {
	const engine = await createEngine();
	const rows = (engine.history as unknown as { rows: Map<string, string> }).rows;
	if (existsSync(history)) {
		const stored = JSON.parse(readFileSync(history, 'utf8')) as Array<[string, string]>;
		for (const [key, row] of stored) rows.set(key, row);
	}
	const set = rows.set.bind(rows);
	rows.set = (key, row) => {
		set(key, row);
		// Replace the file in one step, as a database would: never leave half a record.
		writeFileSync(`${history}.new`, JSON.stringify([...rows]));
		renameSync(`${history}.new`, history);
		return rows;
	};
	const items = withJson(
		...Array.from({ length: count }, (_, i) => ({ key: `key ${i}`, phone: numberOf(i) })),
	);
	const parameters = text({
		phoneNumber: '={{ $json.phone }}',
		message: '={{ $json.key }}',
		options: { ...options, sendOnceKey: '={{ $json.key }}' } as never,
	});
	const run = await engine.run({ parameters, items, credential });
	await engine.close();
	process.exit(run.status === 'success' ? 0 : 1);
}

void main(JSON.parse(process.argv[2] ?? '{}') as Job);
