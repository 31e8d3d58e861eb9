import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Result } from './delivery/result';
import { factOf, type Accepted } from './gateway/outcome';
import { Breather } from './shared/breather';
import { sentences } from './shared/sentences';

/** What the output items hold: the gateway's answers, or a row for each recipient. */
export type OutputFormat = 'envelope' | 'queued' | 'ready';

/** Resolves to one output item for each result, linked to all input items that it answers for. */
export async function toItems(
	results: readonly Result[],
	format: OutputFormat,
): Promise<INodeExecutionData[]> {
	const breather = new Breather();
	const output: INodeExecutionData[] = [];
	for (const result of results) {
		if (breather.isDue()) await breather.breathe();
		const [first] = result.items;
		const links = result.items.map((item) => ({ item }));
		output.push({
			json: toJson(result, format),
			pairedItem: links.length === 1 ? { item: first as number } : links,
		});
	}
	return output;
}

function toJson(result: Result, format: OutputFormat): IDataObject {
	const { outcome, to } = result;
	if (outcome.outcome === 'accepted') {
		return format === 'envelope' ? outcome.envelope : rowOf(outcome, to, format);
	}
	if (outcome.outcome === 'skipped') {
		const { what, sendOnceKey } = outcome;
		const reason = `${what}.`;
		const recipient = to === undefined ? {} : { to };
		if (format !== 'envelope') return { ...recipient, status: 'skipped', reason };
		return sendOnceKey === undefined
			? { skipped: true, reason, ...recipient }
			: { skipped: true, reason, sendOnceKey };
	}
	const { what, httpCode } = outcome;
	const recipients = result.recipients ?? (to !== undefined && format !== 'envelope' ? [to] : []);
	return {
		error: {
			message: `${what}.`,
			description: sentences(factOf(outcome), outcome.advice, outcome.step),
			outcome: outcome.outcome,
			...(httpCode === undefined ? {} : { httpCode: String(httpCode) }),
			...(recipients.length > 0 ? { recipients } : {}),
		},
	};
}

function rowOf({ envelope }: Accepted, to: string | undefined, status: 'queued' | 'ready') {
	const { message, data } = envelope as { message?: unknown; data?: { queue_id?: unknown } | null };
	const queueId = data?.queue_id;
	return {
		to: to ?? '',
		status,
		...(typeof message === 'string' ? { message } : {}),
		...(typeof queueId === 'string' || typeof queueId === 'number' ? { queueId } : {}),
	};
}
