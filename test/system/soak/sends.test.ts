/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
import { readdirSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';
import type { ItemInput, Run } from '../../support/engine/engine';
import type { QueuedMessage } from '../../../practice-gateway/index';
import {
	bulk,
	expectEachOnce,
	file,
	CONTINUE_ON_FAIL,
	groupText,
	linksOf,
	numberOf,
	sample,
	text,
	useHarness,
	type ItemError,
} from '../../support/harness';

const harness = useHarness({ binaryMode: 'filesystem' }, { keepRequests: false });

const OPTIONS = { maxConcurrency: 20, maxRetries: 3, timeout: 2_000 };
const PICTURE = sample('picture.png');

/** `.ci/run` has fewer: one connection or file that stays open is found, however many are sent. */
const SENDS = Number(process.env.SOAK_SENDS ?? 20_000);

interface Part {
	name: string;
	/** Of all that are sent. */
	share: number;
	parameters: INodeParameters;
	item?: (id: number) => ItemInput;
}

const mark = '={{ $json.id }}';
const to = '={{ $json.phone }}';
const parts: Part[] = [
	{
		name: 'texts',
		share: 0.45,
		parameters: text({ phoneNumber: to, message: mark, options: OPTIONS }),
	},
	{
		name: 'group texts',
		share: 0.15,
		parameters: groupText({ groupId: to, message: mark, options: OPTIONS }),
	},
	{
		name: 'images',
		share: 0.075,
		parameters: file('image', 'send', { phoneNumber: to, caption: mark, options: OPTIONS }),
		item: (id) => ({
			binary: { data: { fileName: `${id}.png`, mimeType: 'image/png', content: PICTURE } },
		}),
	},
	{
		name: 'group documents',
		share: 0.075,
		parameters: file('document', 'sendToGroup', {
			phoneNumber: to,
			groupId: mark,
			options: { ...OPTIONS, fileName: '={{ $json.id + ".png" }}' },
		}),
		item: () => ({
			binary: { data: { fileName: 'x.png', mimeType: 'image/png', content: PICTURE } },
		}),
	},
	{
		name: 'bulk',
		share: 0.25,
		parameters: bulk({
			recipientSource: 'items',
			message: 'for all',
			options: { ...OPTIONS, maxConcurrency: undefined, numbersPerRequest: 5 },
		}),
	},
];

/** One of these affects one in ten requests. */
function misbehave(): void {
	const { gateway } = harness;
	const rules: Array<Parameters<typeof gateway.misbehave>[0]> = [
		{ fault: 'resetBeforeBody' },
		{ fault: 'resetDuringBody' },
		{ fault: 'resetAfterBody', queueAnyway: true },
		{ fault: 'resetAfterBody' },
		{ fault: 'halfAnswer', queueAnyway: true },
		{ respond: { status: 500 }, queueAnyway: true },
		{ respond: { status: 500 } },
		{ respond: { status: 422, body: { message: 'no' } } },
	];
	for (const rule of rules) gateway.misbehave({ ...rule, rate: 0.012 });
	// Rare, as all executions pause for a second then.
	for (const status of [429, 503]) {
		gateway.misbehave({ respond: { status, headers: { 'Retry-After': '0' } }, rate: 0.002 });
	}
}

/**
 * Returns what identifies a message: its numbers in bulk, its group for group documents, else its
 * text.
 */
const marksOf = ({ endpoint, recipients, text: message, groupId }: QueuedMessage): string[] => {
	if (endpoint === 'v1/sendbulk') return recipients;
	return [String(endpoint === 'v2/send-group-document' ? groupId : message)];
};

function ledgerCounts(): Map<string, number> {
	const counts = new Map<string, number>();
	for (const message of harness.gateway.messages) {
		for (const each of marksOf(message)) counts.set(each, (counts.get(each) ?? 0) + 1);
	}
	return counts;
}

/** Returns the outcome of each input item, as the node reports it. */
function outcomesOf(run: Run): string[] {
	const outcomes: string[] = [];
	const links = linksOf(run);
	run.output[0]?.forEach(({ json }, index) => {
		const { outcome = 'accepted' } = (json.error ?? {}) as Partial<ItemError>;
		for (const item of links[index] ?? []) outcomes[item] = outcome;
	});
	return outcomes;
}

const openFiles = (): number => readdirSync('/proc/self/fd').length;
const openSockets = (): number =>
	process.getActiveResourcesInfo().filter((name) => /TCP.*Wrap/.test(name)).length;

async function settled(measure: () => number, most: number): Promise<number> {
	for (let tries = 0; tries < 100 && measure() > most; tries++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return measure();
}

it(`the output agrees with the ledger after ${SENDS} sends, one in ten of them with a fault`, async () => {
	const started = Date.now();
	await harness.run(text());
	const before = { files: openFiles(), sockets: openSockets() };
	const totals: Record<string, number> = {};
	misbehave();

	for (const { name, share, parameters, item } of parts) {
		const count = Math.round(share * SENDS);
		harness.gateway.clear();
		const items = Array.from({ length: count }, (_, i) => ({
			...item?.(i),
			json: { id: `${name}-${i}`, phone: numberOf(i) },
		}));
		const run = await harness.run(parameters, { items, node: CONTINUE_ON_FAIL });
		const ledger = ledgerCounts();

		expect(run.status).toBe('success');
		expectEachOnce(run, count);
		const wrong = outcomesOf(run).flatMap((outcome, i) => {
			totals[outcome] = (totals[outcome] ?? 0) + 1;
			const queued = ledger.get(name === 'bulk' ? numberOf(i) : `${name}-${i}`) ?? 0;
			const fits =
				outcome === 'accepted' ? queued === 1 : queued <= (outcome === 'notSent' ? 0 : 1);
			return fits ? [] : [`${name} ${i}: ${outcome}, ${queued} in the ledger`];
		});
		expect(wrong).toEqual([]);
	}

	console.info(`soak: ${JSON.stringify(totals)} in ${Math.round((Date.now() - started) / 1000)} s`);
	expect(Object.values(totals).reduce((sum, each) => sum + each)).toBe(SENDS);
	expect(totals.uncertain).toBeGreaterThan(SENDS / 40);
	expect(totals.notSent).toBeGreaterThan(SENDS / 200);
	expect(await settled(openFiles, before.files)).toBeLessThanOrEqual(before.files);
	expect(await settled(openSockets, before.sockets)).toBeLessThanOrEqual(before.sockets);
});
