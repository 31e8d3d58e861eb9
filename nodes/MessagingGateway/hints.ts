import type { IWorkflowSettings, NodeExecutionHint } from 'n8n-workflow';

import type { Result } from './delivery/result';
import { Pacer } from './delivery/pacer';
import type { DeliverySettings } from './delivery/settings';
import type { Addressee } from './delivery/shipment';

const MOST_NUMBERS_SHOWN = 3;

/** What the hints of one run are made of. */
export interface Told {
	addressees: readonly Addressee[];
	/** By request, and by recipient. */
	requests: readonly Result[];
	recipients: readonly Result[];
	/** Send-Once Keys that n8n could not free. */
	stuckKeys: readonly string[];
	dryRun: boolean;
}

/** Returns what a person should know of a run that is not an error of one item. */
export function hintsOf({
	addressees,
	requests,
	recipients,
	stuckKeys,
	dryRun,
}: Told): NodeExecutionHint[] {
	const skipped = (why: string) =>
		recipients.filter(({ outcome }) => outcome.outcome === 'skipped' && outcome.why === why);
	const uncertain = requests.filter(({ outcome }) => outcome.outcome === 'uncertain').length;
	const replayed = requests.filter(
		({ isReplayed, outcome }) => isReplayed && outcome.outcome === 'accepted',
	).length;
	const duplicates = skipped('sameNumber').filter(({ isReplayed }) => !isReplayed).length;
	const byKey = requests.filter(
		({ outcome }) => outcome.outcome === 'skipped' && outcome.why === 'sendOnceKey',
	).length;
	const noNumbers = skipped('noNumber');

	return [
		info(recipients.length > 1 && summary(recipients, dryRun)),
		info(
			duplicates > 0 &&
				`${count(duplicates, 'duplicate phone number')} skipped: each number gets the same text only once.`,
		),
		info(
			byKey > 0 &&
				`${count(byKey, 'item')} skipped because of the Send-Once Key: a message with that key was sent before, or may have been. To send again, change the key.`,
		),
		info(
			replayed > 0 &&
				`${count(replayed, 'request')} not sent again: the gateway accepted ${replayed === 1 ? 'it' : 'them'} in an earlier try of this execution.`,
		),
		warning(
			noNumbers.length > 0 &&
				`${noNumbers.length === 1 ? '1 entry was' : `${noNumbers.length} entries were`} left out of the list: ${firstOf(noNumbers.map(({ outcome }) => ('reason' in outcome ? outcome.reason.replace(/\.$/, '') : '')))}.`,
		),
		...doubts(addressees, dryRun),
		warning(
			uncertain > 0 &&
				`${count(uncertain, 'request')} may or may not have been sent. Check the gateway's outbox before you send ${uncertain === 1 ? 'it' : 'them'} again.`,
		),
		warning(
			stuckKeys.length > 0 &&
				`n8n could not release ${count(stuckKeys.length, 'Send-Once Key')} of messages that were not sent. To send these messages, use different keys.`,
		),
	].filter((hint) => hint !== undefined);
}

/** Returns a warning where the pauses between batches last longer than n8n lets the workflow run. */
export function pausesHint(
	workflow: IWorkflowSettings | undefined,
	settings: DeliverySettings,
	requests: number,
): NodeExecutionHint[] {
	const timeout = Number(workflow?.executionTimeout ?? -1);
	const pauses = Pacer.pausesOf(settings, requests) / 1000;
	if (timeout <= 0 || pauses <= timeout) return [];
	const message = `The pauses of the option 'Batching' add up to ${Math.ceil(pauses)} seconds, and n8n stops this workflow after ${timeout} seconds. Raise the timeout in the workflow's settings, or send fewer items at once.`;
	return [{ message, type: 'warning', location: 'outputPane' }];
}

/** Warnings about recipients to whom a message really went, or would go. */
function doubts(addressees: readonly Addressee[], dryRun: boolean) {
	const sent = addressees.filter(({ shipment }) => shipment?.outcome?.outcome === 'accepted');
	const of = (doubt: string) => [
		...new Set(
			sent
				.filter(({ recipient }) => recipient?.doubt === doubt)
				.map(({ recipient }) => recipient?.to ?? ''),
		),
	];
	const numbers = of('mayLackZero');
	const groups = of('looksLikeName');
	const went = dryRun ? 'would go' : 'went';
	return [
		warning(
			numbers.length > 0 &&
				`Messages ${went} to ${count(numbers.length, 'phone number')} that ${numbers.length === 1 ? 'starts' : 'start'} with neither 0 nor the Default Country Code: ${firstOf(numbers)}. Your spreadsheet may have dropped the 0: format the column as text.`,
		),
		warning(
			groups.length > 0 &&
				`${firstOf(groups.map((group) => `“${group}”`))} looks like the name of a group. Enter the group ID that your gateway shows.`,
		),
	];
}

function summary(recipients: readonly Result[], dryRun: boolean): string {
	const of = (...outcomes: string[]) =>
		recipients.filter(({ outcome }) => outcomes.includes(outcome.outcome)).length;
	const parts = [
		[of('accepted'), dryRun ? 'ready' : 'sent'],
		[of('skipped'), 'skipped'],
		[of('notSent'), dryRun ? 'refused' : 'not sent'],
		[of('uncertain'), 'uncertain'],
	] as const;
	const shown = parts.filter(([n], at) => n > 0 || at === 0).map(([n, word]) => `${n} ${word}`);
	return `${count(recipients.length, 'recipient')}: ${shown.join(', ')}.`;
}

function firstOf(texts: string[]): string {
	const more = texts.length - MOST_NUMBERS_SHOWN;
	return `${texts.slice(0, MOST_NUMBERS_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function info(message: string | false): NodeExecutionHint | undefined {
	return message === false ? undefined : { message, location: 'outputPane' };
}

function warning(message: string | false): NodeExecutionHint | undefined {
	return message === false ? undefined : { message, type: 'warning', location: 'outputPane' };
}

function count(n: number, what: string): string {
	return `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`;
}
