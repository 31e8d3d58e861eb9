import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Result } from '../delivery/result';
import { factOf, type Failure } from '../gateway/outcome';
import { Breather } from '../shared/time';
import { sentences, withoutMarkup } from '../shared/text';

/** Resolves to one output item for each request, linked to all input items that it answers for. */
export async function toItems(results: readonly Result[]): Promise<INodeExecutionData[]> {
	const breather = new Breather();
	const output: INodeExecutionData[] = [];
	for (const result of results) {
		if (breather.isDue()) await breather.breathe();
		const [first] = result.items;
		const links = result.items.map((item) => ({ item }));
		output.push({
			json: toJson(result),
			pairedItem: links.length === 1 ? { item: first as number } : links,
		});
	}
	return output;
}

function toJson({ outcome, to, recipients }: Result): IDataObject {
	if (outcome.outcome === 'accepted') return envelopeItem(outcome.envelope);
	if (outcome.outcome !== 'skipped') return errorItem(outcome, recipients ?? []);
	const { what, sendOnceKey } = outcome;
	const reason = withoutMarkup(`${what}.`);
	return sendOnceKey === undefined
		? { skipped: true, reason, to }
		: { skipped: true, reason, sendOnceKey };
}

/** n8n takes an answer with an `error` for a failure, and would report a queued message as failed. */
function envelopeItem(envelope: IDataObject): IDataObject {
	return envelope.error ? { response: envelope } : envelope;
}

/** Every release of n8n treats an item with no other key as failed, and sends it to the error output. */
export function errorItem(failure: Failure, recipients: readonly string[]): IDataObject {
	const { what, outcome, advice, step, httpCode } = failure;
	return {
		error: {
			message: withoutMarkup(`${what}.`),
			description: withoutMarkup(sentences(factOf(failure), advice, step)),
			outcome,
			...(httpCode === undefined ? {} : { httpCode: String(httpCode) }),
			...(recipients.length > 0 ? { recipients: recipients.map(withoutMarkup) } : {}),
		},
	};
}
