/**
 * What happens to the items of one run of the node, from top to bottom:
 *
 *     start             the credential, the options that hold for all items, and what the run acts on
 *     itemsOf           one item after another: its parameters become a message
 *     Delivery.run      whether a retry may go on; messages become requests; each request has an outcome
 *     sendTest          with Test Number: sends the first message to that number
 *     hintsOf           the hints in the output panel
 *     errorOf           the error that stops the node
 *     toRows, toItems   the output items
 *     ask.wait          after a question: holds the execution until the reply
 *
 * `failRun.ts` gives every item an error if the run cannot start (`failStart`), or if the node itself fails (`breakOff`).
 */
import {
	SEND_AND_WAIT_OPERATION,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Ask } from './ask/ask';
import { Delivery } from './delivery/delivery';
import type { Entry } from './delivery/ledger';
import type { Journal } from './delivery/memory/journal';
import { byRecipient, byRequest, firstFailure, type Result } from './delivery/result';
import { stopsAtFailure } from './delivery/runContext';
import { breakOff, failStart } from './failRun';
import { hintsOf, hintsOfFailedStart } from './output/hints';
import { forModel } from './output/forModel';
import { dryRunOfRetry, toError } from './output/nodeError';
import { givenBy } from './operations/givenOptions';
import { toItems } from './output/items';
import { type RowOptions, toRows } from './output/rows';
import { type FailedStart, itemsOf, shownRecipient, start, type StartedRun } from './start';
import { sendTest } from './testRun';

/** Sends the messages of one run, and returns its output items. */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const sent: { entries: readonly Entry[] } = { entries: [] };
	const output = await outputOf(context, sent).catch(
		async (error: unknown) => await breakOff(context, error, sent.entries),
	);
	if (output instanceof Error) throw output;
	return output;
}

/** The results of a run. */
interface Results {
	/** How many input items there are. */
	count: number;
	/** By request. */
	requests: readonly Result[];
	recipients: readonly Result[];
}

/**
 * Resolves to the output items of a run, or to the error that stops the node.
 *
 * @param sent gets the recipients of all items once their messages are sent
 */
async function outputOf(
	context: IExecuteFunctions,
	sent: { entries: readonly Entry[] },
): Promise<INodeExecutionData[] | Error> {
	const began = Date.now();
	const ask = isQuestion(context) ? new Ask(context) : undefined;
	// In a retry of what follows the question, n8n gives the reply as the input.
	if (ask?.isAnswered) return context.getInputData();
	// A question is asked once, with the first item, as in n8n's own nodes.
	const count = ask ? 1 : context.getInputData().length;
	const run = await start(context, ask);
	if ('failure' in run) {
		const { entries, journal } = await failStart(context, run, count);
		const results = { count, ...(await resultsOf(entries)) };
		context.addExecutionHints?.(...hintsOfFailedStart(run, results.recipients));
		return await finish(context, run, results, journal);
	}
	const { journal, keyHistory } = run.ports;
	const delivery = await Delivery.run(run, count, itemsOf(context, run, count)).finally(
		async () => await keyHistory.close(),
	);
	sent.entries = delivery.entries;
	const results: Results = { count, ...(await resultsOf(delivery.entries)) };
	if (run.mode === 'test') {
		results.recipients = await sendTest(context, run, delivery.first, results.recipients);
	}
	const duration = Date.now() - began;
	// What was sent does not depend on its hints.
	await showHints(context, run, delivery, { ...results, duration }).catch((error: unknown) =>
		run.ports.log(String(error)),
	);
	return await finish(context, run, results, journal, ask);
}

/** Shows the hints of the run in the output panel. */
async function showHints(
	context: IExecuteFunctions,
	run: StartedRun,
	{ entries, keys }: Delivery,
	results: Results & { duration: number },
): Promise<void> {
	const { operation, shared, ports, warnings } = run;
	const { given, missing, optOuts } = shared;
	const reports = Object.values(missing ?? {}).map(async (each) => await each.report());
	const hints = await hintsOf({
		...results,
		run,
		entries,
		keys,
		lacksLock: ports.keyHistory.lacksLock,
		hasFixedKey: given.has('sendOnceKey') && !given.isExpression('sendOnceKey'),
		warnings,
		localOptOuts: optOuts?.withoutCode ?? 0,
		missing: (await Promise.all(reports)).flat(),
		hasNumbers: operation.recipient !== 'groupId',
		isNumberExpression: String(context.getNode().parameters.phoneNumber).startsWith('='),
		canBeBulk: operation.resource === 'text' && operation.operation === 'send',
	});
	context.addExecutionHints?.(...hints);
}

async function resultsOf(entries: readonly Entry[]): Promise<Omit<Results, 'count'>> {
	return { requests: await byRequest(entries), recipients: await byRecipient(entries) };
}

/** Resolves to the error that stops the node, or to the output items. */
async function finish(
	context: IExecuteFunctions,
	run: StartedRun | FailedStart,
	results: Results,
	journal?: Journal,
	ask?: Ask,
): Promise<INodeExecutionData[] | Error> {
	const error = errorOf(context.getNode(), run, results);
	if (error) return error;
	const { requests, recipients } =
		run.n8n.isTool && run.mode === 'send' ? forModel(results) : results;
	const output =
		run.mode !== 'send' || run.perRecipient
			? await toRows(recipients, rowOptionsOf(context, run))
			: await toItems(requests);
	if (run.mode === 'send' && requests[0]?.outcome.outcome === 'accepted')
		await ask?.wait(output[0]);
	// With Retry On Fail, n8n runs the node again if its first output item has a field `error`, even an empty one that is
	// the gateway's own. That run needs the journal.
	if (!run.n8n.retryOnFail || output[0]?.json.error === undefined) journal?.close();
	return output;
}

/**
 * Returns the error that stops the node: that of a failed message, or of a dry run in a retry. The latter must not
 * succeed, because n8n would show the failed execution as repaired.
 */
function errorOf(
	node: INode,
	run: StartedRun | FailedStart,
	{ count, requests, recipients }: Results,
): Error | undefined {
	const failure = stopsAtFailure(run) ? firstFailure(requests) : undefined;
	if (failure) {
		const resendsUncertain = 'options' in run && run.options.resendUncertain;
		const more = { items: count, recipients, resendsUncertain };
		return toError(node, failure, requests, { ...run.n8n, ...more });
	}
	const { mode, n8n } = run;
	return mode !== 'send' && n8n.isRetry && !n8n.continueOnFail
		? dryRunOfRetry(node, mode)
		: undefined;
}

function rowOptionsOf(context: IExecuteFunctions, run: StartedRun | FailedStart): RowOptions {
	const { mode, n8n, operation, shared } = run;
	return {
		isDryRun: mode !== 'send',
		hasErrorOutput: n8n.hasErrorOutput,
		hasText: operation?.resource !== 'document',
		hasFile: operation?.resource !== 'text',
		hasQueueId: operation?.resource !== 'text' && operation?.operation === 'send',
		faultIn: (index) => shared.missing?.text.ofItem(index),
		showRecipient: (index) => shownRecipient(context, run, index),
	};
}

function isQuestion(context: IExecuteFunctions): boolean {
	const operation = givenBy(() => context.getNodeParameter('operation', 0, ''));
	return operation === SEND_AND_WAIT_OPERATION;
}
