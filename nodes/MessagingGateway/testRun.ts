import type { IExecuteFunctions } from 'n8n-workflow';

import { Delivery } from './delivery/delivery';
import type { ReadyItem } from './delivery/message';
import { byRecipient, type Result } from './delivery/result';
import { runIndexOf } from './execution';
import { portsOfTest } from './ports';
import type { StartedRun } from './start';

/**
 * Sends the first message of a test to the test number, and to nobody else. Resolves to the results of the dry run, in
 * which the result of that message replaces its own.
 *
 * @param first the first item with a message to send
 */
export async function sendTest(
	context: IExecuteFunctions,
	run: StartedRun,
	first: ReadyItem | undefined,
	results: readonly Result[],
): Promise<readonly Result[]> {
	const at = results.findIndex(({ items: [item], outcome, isEarlier }) => {
		return item === first?.index && outcome.outcome === 'accepted' && !isEarlier;
	});
	if (!first || at < 0 || !mayTest(context, run)) return results;
	const ports = portsOfTest(context, run.client);
	const { entries } = await Delivery.run({ ...run, mode: 'send', ports }, 1, [
		readyFor(run.testNumber, first),
	]);
	const [sent] = await byRecipient(entries);
	return results.map((result, index) => (index === at && sent ? tested(result, sent) : result));
}

/** A loop would send a message in each of its runs. An agent's calls of its tool are independent. */
function mayTest(context: IExecuteFunctions, { n8n }: StartedRun): boolean {
	if (n8n.isLaterRun && !n8n.isTool) return false;
	if (!n8n.isRetry) return true;
	// The error that ends the test of a retry makes n8n run the node again if it is to retry on failure.
	const kept = context.getContext('node');
	const run = `${n8n.execution} ${runIndexOf(context)}`;
	if (kept.testedIn === run) return false;
	kept.testedIn = run;
	return true;
}

/** Returns the same message for the test number alone. */
function readyFor(to: string, ready: ReadyItem): ReadyItem {
	const recipients = [{ to, asEntered: to }];
	const message = { ...ready.message, recipients, refusals: [], travels: 'single' as const };
	return { ...ready, index: 0, sendOnceKey: '', message };
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
