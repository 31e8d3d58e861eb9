/**
 * The boundary of a run: whatever fails, every input item comes out with an error, and never as if it had been sent. n8n
 * would pass the input of a node that throws on to the next node if 'On Error' is set to continue.
 */

import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { type Entry, Ledger, resultOf } from './delivery/ledger';
import { EarlierTries } from './delivery/memory/earlierTries';
import type { Journal } from './delivery/memory/journal';
import { stopsAtFailure } from './delivery/runContext';
import { mayHaveLeft, notSentBecauseOf } from './gateway/outcome';
import { toItems } from './output/items';
import { toError } from './output/nodeError';
import { portsOf } from './ports';
import { type FailedStart, outputFactsOf } from './start';

/** Gives every item of a run that cannot start its failure. In a retry, it keeps the result of an earlier try. */
export async function failStart(
	context: IExecuteFunctions,
	run: FailedStart,
	count: number,
): Promise<{ entries: readonly Entry[]; journal?: Journal }> {
	const { failure, n8n } = run;
	const ledger = new Ledger();
	const { earlier, journal } = await earlierTriesOf(context, run);
	for (let item = 0; item < count; item++) {
		const why = n8n.isRetry ? mayHaveLeft(failure) : failure;
		const state = earlier?.unlessSent(item, failure) ?? { is: 'leftOut', why };
		ledger.note(item, state);
		if (stopsAtFailure(run) && resultOf({ state })?.outcome === 'notSent') break;
	}
	return { entries: ledger.entries, journal };
}

/** Resolves to nothing if n8n cannot say what earlier tries of the execution have sent. */
async function earlierTriesOf(
	context: IExecuteFunctions,
	{ mode }: FailedStart,
): Promise<{ earlier?: EarlierTries; journal?: Journal }> {
	try {
		const { journal, keyHistory, canceled } = portsOf(context, mode, false);
		await journal.guard.continue(keyHistory, canceled);
		await keyHistory.close();
		return { earlier: await EarlierTries.read(journal, false), journal };
	} catch {
		return {};
	}
}

/**
 * Gives every item of a run the error that broke it off: uncertain if the item may have left.
 *
 * @param entries of all items, if the messages were sent
 * @returns the error that ends the node if it stops at errors
 */
export async function breakOff(
	context: IExecuteFunctions,
	error: unknown,
	entries: readonly Entry[],
): Promise<INodeExecutionData[] | Error> {
	const run = outputFactsOf(context);
	const { n8n } = run;
	const stops = stopsAtFailure(run);
	// An error of n8n, or that of a question, says itself what happened.
	if (stops && error instanceof NodeOperationError) return error;
	const failure = notSentBecauseOf(error);
	const left = new Set(entries.filter(isInRequest).map(({ item }) => item));
	const results = context.getInputData().map((_, item) => {
		const mayBeSent = left.has(item) || n8n.isRetry;
		return { items: [item], outcome: mayBeSent ? mayHaveLeft(failure) : failure };
	});
	const [first] = results;
	if (!stops || !first) return await toItems(results);
	const more = { items: results.length, recipients: results, resendsUncertain: false };
	return toError(context.getNode(), first, results, { ...n8n, ...more });
}

function isInRequest({ state }: Entry): boolean {
	return state.is === 'inRequest';
}
