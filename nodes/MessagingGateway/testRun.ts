import type { IExecuteFunctions } from 'n8n-workflow';

import { Delivery } from './delivery/delivery';
import type { ReadItem } from './delivery/message';
import { byRecipient, type Result } from './delivery/result';
import { effectsOfTest } from './effects';
import { isLaterRun, isRetry, isTool } from './execution';
import type { ReadRun } from './readRun';

/**
 * Sends the first message that a dry run has found ready to the test number, and to nobody else. Resolves to the
 * results of the dry run, in which the result of that message replaces the first that was ready.
 */
export async function sendTest(
	context: IExecuteFunctions,
	{ settings, gateway, read }: ReadRun,
	results: readonly Result[],
): Promise<Result[]> {
	const isFirst = ({ outcome, isEarlier }: Result) => outcome.outcome === 'accepted' && !isEarlier;
	const at = results.findIndex(isFirst);
	const first = results[at];
	// A loop would send a message in each of its runs. An agent's calls of its tool are independent.
	if (!first || (isLaterRun(context) && !isTool(context))) return [...results];
	if (isRetry(context)) {
		// The error that ends the test of a retry makes n8n run the node again if it is to retry on failure.
		const kept = context.getContext('node');
		const run = `${context.getExecutionId()} ${context.getWorkflowDataProxy(0).$runIndex}`;
		if (kept.testedIn === run) return [...results];
		kept.testedIn = run;
	}
	const { entries } = await Delivery.run(effectsOfTest(context, settings, gateway), 1, [
		readyFor(settings.testNumber, await read(first.items[0] as number)),
	]);
	const [sent] = await byRecipient(entries);
	return results.map((result, index) => (index === at && sent ? tested(result, sent) : result));
}

/** Returns the same message for the test number alone. */
function readyFor(to: string, ready: ReadItem): ReadItem {
	if ('failure' in ready) return { ...ready, index: 0 };
	const { message } = ready;
	return {
		...ready,
		index: 0,
		sendOnceKey: '',
		message: { ...message, recipients: [{ to, asEntered: to }], refusals: [], travels: 'single' },
	};
}

/** The row keeps the text that the dry run has shown. */
function tested({ items, outcome, to }: Result, sent: Result): Result {
	const preview = outcome.outcome === 'accepted' ? outcome.preview : undefined;
	return {
		items,
		to: sent.to,
		testOf: to,
		outcome: sent.outcome.outcome === 'accepted' ? { ...sent.outcome, preview } : sent.outcome,
	};
}
