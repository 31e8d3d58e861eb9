import { helpersOf, History } from './history';

it('of two executions that read the history before either has written, one fails or is overwritten', async () => {
	const history = new History();
	history.latency = 1;
	const helpers = helpersOf(history);
	const record = async (...names: string[]) =>
		await helpers.checkProcessedAndRecord(names, 'node', { mode: 'entries' });

	// While n8n has no record yet, only the faster one can make it.
	const first = await Promise.allSettled([record('a'), record('b')]);
	expect(first.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);

	await Promise.all([record('c'), record('d')]);
	expect(await record('a', 'c', 'd')).toEqual({ new: ['c'], processed: ['a', 'd'] });
});
