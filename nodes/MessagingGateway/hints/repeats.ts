import type { NodeExecutionHint } from 'n8n-workflow';

import type { HintInput } from './sums';
import { Breather } from '../shared/breather';
import { count, figure, firstOf, info } from './figures';

/** From so many on, it is worth knowing that one request could carry many. */
const ENOUGH = 20;
/** The default of Send Bulk. */
const NUMBERS_PER_REQUEST = 500;

/** Returns what a person should know of single messages that are equal. */
export async function repeats(input: HintInput): Promise<Array<NodeExecutionHint | undefined>> {
	const breather = new Breather();
	const byWords = new Map<string, number>();
	const seen = new Set<string>();
	const again: string[] = [];
	for (const { words, recipient, shipment } of input.rows) {
		if (breather.isDue()) await breather.breathe();
		if (words === undefined || !recipient || shipment?.outcome?.outcome !== 'accepted') continue;
		byWords.set(words, (byWords.get(words) ?? 0) + 1);
		const message = `${recipient.to} ${words}`;
		if (seen.has(message)) again.push(recipient.to);
		seen.add(message);
	}
	const many = [...byWords.values()].filter((times) => times >= ENOUGH);
	return [input.hasBulk ? info(bulkText(input, many)) : undefined, info(againText(input, again))];
}

function bulkText({ settings }: HintInput, many: readonly number[]): string | false {
	if (many.length === 0) return false;
	const { requestsPerMinute: rate } = settings;
	const items = many.reduce((sum, times) => sum + times, 0);
	const requests = many.reduce((sum, times) => sum + Math.ceil(times / NUMBERS_PER_REQUEST), 0);
	const minutes = rate > 0 ? Math.ceil(items / rate) - Math.ceil(requests / rate) : 0;
	const saved =
		minutes > 0
			? `: about ${count(minutes, 'minute')} less at ${count(rate, 'request')} per minute`
			: '';
	const same = many.length === 1 ? 'have the same text' : `share ${figure(many.length)} texts`;
	return `${figure(items)} items ${same}. 'Send Bulk' with 'The Input Items' needs ${count(requests, 'request')} for them in place of ${figure(items)}${saved}.`;
}

function againText({ settings: { dryRun } }: HintInput, again: readonly string[]): string | false {
	if (again.length === 0) return false;
	const went = dryRun ? 'would go' : 'went';
	return `${count(again.length, 'message')} ${went} to a number that gets the same from an earlier item: ${firstOf(again)}. If that is a mistake, remove the duplicates, switch on 'Execute Once' in the settings of a node that gave its list several times, or use a Send-Once Key.`;
}
