import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Result } from '../delivery/result';
import { type Accepted, type Failure, isFailure } from '../gateway/outcome';
import { errorItem } from './items';
import { Breather } from '../shared/time';
import { isVisible, sentences, withoutMarkup } from '../shared/text';

/** The value of a field without content, because n8n's table shows an empty field in red. */
export const NONE = '(none)';

/** What all rows of one run have in common. */
export interface RowOptions {
	isDryRun: boolean;
	/** Failures leave the node by its error output. */
	hasErrorOutput: boolean;
	/** Whether the operation has a text or a caption, and a file, which a dry run shows. */
	hasText: boolean;
	hasFile: boolean;
	/** Whether the gateway gives each message of this operation a queue number. */
	hasQueueId: boolean;
	/** Returns the first fault in the text of an item, as a clause; undefined if there is none. */
	faultIn?(item: number): string | undefined;
	/** Returns the recipient of an item that could not be read: the number as it would be sent, or else the item's text. */
	showRecipient(item: number): string;
}

/** Resolves to one row for each result, linked to its input items. All rows have the same fields, none of them empty. */
export async function toRows(
	results: readonly Result[],
	options: RowOptions,
): Promise<INodeExecutionData[]> {
	const breather = new Breather();
	const hasQueueId =
		!options.isDryRun &&
		(options.hasQueueId || results.some((each) => queueIdOf(each) !== undefined));
	const output: INodeExecutionData[] = [];
	for (const result of results) {
		if (breather.isDue()) await breather.breathe();
		const { outcome, items } = result;
		const [item] = items as [number];
		const isApart = options.hasErrorOutput && !options.isDryRun && isFailure(outcome);
		const json = isApart
			? errorItem(outcome, result.recipients ?? (result.to === undefined ? [] : [result.to]))
			: {
					to: withoutMarkup(result.to ?? (options.showRecipient(item) || NONE)),
					...(options.isDryRun ? dryRunRow(result, options) : row(result, hasQueueId)),
				};
		output.push({ json, pairedItem: { item } });
	}
	return output;
}

function row(result: Result, hasQueueId: boolean): IDataObject {
	const { outcome } = result;
	const status = outcome.outcome === 'accepted' ? 'queued' : outcome.outcome;
	return {
		status,
		message: withoutMarkup(messageOf(outcome)),
		...(hasQueueId && { queueId: queueIdOf(result) ?? NONE }),
	};
}

function dryRunRow(result: Result, options: RowOptions): IDataObject {
	const { outcome, isEarlier, testOf, items } = result;
	const { hasText, hasFile, faultIn } = options;
	const { text, file } = (outcome as Partial<Accepted>).preview ?? {};
	const isReady = outcome.outcome === 'accepted' && !isEarlier && testOf === undefined;
	const message = isReady ? readyText(faultIn?.(items[0] as number)) : messageOf(outcome);
	return {
		status: isReady ? 'ready' : statusIn(result),
		message: withoutMarkup(
			testOf === undefined ? message : `${message} (The message for ${testOf}.)`,
		),
		...(hasText && { text: text || NONE }),
		...(hasFile && { file: withoutMarkup(file || NONE) }),
	};
}

function readyText(hole?: string): string {
	return hole === undefined
		? 'Checked. Nothing was queued.'
		: `Nothing was queued. Check the text: ${hole}.`;
}

/** In a dry run, a message that was not sent is refused. The result of an earlier try or a test keeps its status. */
function statusIn({ outcome: { outcome }, testOf }: Result): string {
	if (outcome === 'accepted') return 'queued';
	return outcome === 'notSent' && testOf === undefined ? 'refused' : outcome;
}

/** Returns the gateway's words, or the reason for not sending. Never empty. */
function messageOf(outcome: Result['outcome']): string {
	if (outcome.outcome === 'skipped') return `${outcome.what}.`;
	if (isFailure(outcome)) return whatWentWrong(outcome);
	const { message } = outcome.envelope;
	return typeof message === 'string' && isVisible(message) ? message : 'The gateway queued it.';
}

function whatWentWrong({ what, fact, advice, step }: Failure): string {
	return sentences(`${what}.`, fact, advice, step);
}

function queueIdOf({ outcome }: Result): string | number | undefined {
	if (outcome.outcome !== 'accepted') return undefined;
	const { data } = outcome.envelope as { data?: { queue_id?: unknown } | null };
	const id = data?.queue_id;
	return typeof id === 'number' || (typeof id === 'string' && isVisible(id)) ? id : undefined;
}
