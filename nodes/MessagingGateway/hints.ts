import type { NodeExecutionHint } from 'n8n-workflow';

import { causeOf, isNotTried } from './hints/cause';
import { Batching } from './delivery/pace/batching';
import type { Result } from './delivery/result';
import type { DeliverySettings } from './delivery/deliverySettings';
import type { Row } from './delivery/row';
import { count, figure, firstOf, info, warning } from './hints/figures';
import { holeHints } from './hints/holes';
import type { HoleReport } from './operations/textHoles';
import { Breather } from './shared/breather';
import { quote } from './shared/quote';
import { durationText } from './shared/time';

/** Milliseconds. */
const MINUTE = 60_000;

/** What the hints of one run are made of. */
export interface HintInput {
	rows: readonly Row[];
	/** By request, and by recipient. */
	requests: readonly Result[];
	recipients: readonly Result[];
	/** Send-Once Keys that n8n could not free. */
	unreleasedKeys: readonly string[];
	/** Send-Once Keys of messages that an earlier try has sent, which n8n could not record. */
	unrecordedKeys: readonly string[];
	settings: DeliverySettings;
	/** Seconds after which n8n stops the workflow; 0 or less is never. */
	timeLimit: number;
	/** "Remove Duplicates" uses the row of n8n's table by which workers lock the keys. */
	lacksLock: boolean;
	/** The Send-Once Key has no expression. */
	hasFixedKey: boolean;
	/** What was seen in the options before anything was sent. */
	warnings: readonly string[];
	/** How many numbers in Skip Numbers have no country code, and none is set. */
	localOptOuts: number;
	/** What is missing in the texts. */
	holes: readonly HoleReport[];
}

/** The sums that hints are about. */
interface Sums {
	/** Recipients by what became of them. */
	accepted: number;
	skipped: number;
	notSent: number;
	uncertain: number;
	duplicates: number;
	/** Entries of lists that are no numbers, each with what is wrong with it. */
	noNumbers: string[];
	/** `requests` are those that this run made, or would make. */
	requests: number;
	uncertainRequests: number;
	replayedRequests: number;
	skippedByKey: number;
	/** Recipients who got a message, or would get one, and should be checked. */
	hasNoCountryCode: Set<string>;
	looksLikeName: Set<string>;
	hasKeys: boolean;
	/** Whether a recipient has a country code. */
	hasInternational: boolean;
}

/** Resolves to what a person should know of a run besides the errors of its items. */
export async function hintsOf(input: HintInput): Promise<NodeExecutionHint[]> {
	const sums = await sumsOf(input);
	const cause = input.settings.dryRun ? undefined : causeOf(input.recipients);
	const hints = [
		info(summaryOf(input, sums)),
		cause && (cause.isOfAll ? warning : info)(cause.text),
		...holeHints(input.holes),
		...skips(input, sums),
		...doubts(input, sums),
		...input.warnings.map((text) => warning(text)),
		warning(localOptOutsText(input, sums)),
		warning(timeLimitText(input, sums)),
		warning(
			sums.uncertainRequests > 0 &&
				`${count(sums.uncertainRequests, 'request')} may or may not have been sent. Check the gateway's outbox before you send ${sums.uncertainRequests === 1 ? 'it' : 'them'} again.`,
		),
		warning(
			input.unreleasedKeys.length > 0 &&
				`n8n could not release ${count(input.unreleasedKeys.length, 'Send-Once Key')} of messages that were not sent. To send these messages, use different keys.`,
		),
		warning(
			input.unrecordedKeys.length > 0 &&
				`n8n could not record ${count(input.unrecordedKeys.length, 'Send-Once Key')} of messages that are queued. Another execution with the same keys would send them again.`,
		),
		info(
			input.lacksLock &&
				sums.hasKeys &&
				"If n8n runs several workers, two of them can send the same Send-Once Key at the same moment, because a 'Remove Duplicates' node of this workflow keeps its history for the whole workflow. To prevent that, clear that history once, and set the 'Scope' of that node to 'Node'.",
		),
	];
	return hints.filter((hint) => hint !== undefined);
}

async function sumsOf({ rows, requests, recipients, settings }: HintInput): Promise<Sums> {
	const breather = new Breather();
	const sums = newSums();
	for (const { outcome, isEarlier } of recipients) {
		if (breather.isDue()) await breather.breathe();
		sums[outcome.outcome]++;
		if (outcome.outcome !== 'skipped') continue;
		if (outcome.why === 'sameNumber' && !isEarlier) sums.duplicates++;
		if (outcome.why === 'noNumber') sums.noNumbers.push(outcome.what);
	}
	for (const { outcome, isEarlier } of requests) {
		const isAccepted = outcome.outcome === 'accepted';
		if (outcome.outcome === 'uncertain' && outcome.cause !== 'answeredElsewhere')
			sums.uncertainRequests++;
		if (outcome.outcome === 'skipped' && outcome.why === 'sendOnceKey') sums.skippedByKey++;
		if (isEarlier && isAccepted) sums.replayedRequests++;
		const isMade = settings.dryRun
			? isAccepted
			: outcome.outcome !== 'skipped' && !isNotTried(outcome);
		if (isMade && !isEarlier) sums.requests++;
	}
	for (const { recipient, shipment, sendOnceKey } of rows) {
		if (breather.isDue()) await breather.breathe();
		if (sendOnceKey !== '') sums.hasKeys = true;
		const isSent = shipment?.outcome?.outcome === 'accepted';
		if (isSent && recipient?.doubt) sums[recipient.doubt].add(recipient.to);
		if (recipient && !recipient.to.startsWith('0')) sums.hasInternational = true;
	}
	return sums;
}

function newSums(): Sums {
	return {
		accepted: 0,
		skipped: 0,
		notSent: 0,
		uncertain: 0,
		duplicates: 0,
		noNumbers: [],
		requests: 0,
		uncertainRequests: 0,
		replayedRequests: 0,
		skippedByKey: 0,
		hasNoCountryCode: new Set(),
		looksLikeName: new Set(),
		hasKeys: false,
		hasInternational: false,
	};
}

function summaryOf({ recipients, settings }: HintInput, sums: Sums): string | false {
	const { dryRun, requestsPerMinute: rate } = settings;
	if (!dryRun && recipients.length <= 1) return false;
	const parts = [
		[sums.accepted, dryRun ? 'ready' : 'queued'],
		[sums.skipped, 'skipped'],
		[sums.notSent, dryRun ? 'refused' : 'not sent'],
		[sums.uncertain, 'uncertain'],
	] as const;
	const shown = parts
		.filter(([n], at) => n > 0 || at === 0)
		.map(([n, word]) => `${figure(n)} ${word}`);
	const summary = `${count(recipients.length, 'recipient')}: ${shown.join(', ')}.`;
	if (!dryRun) return summary;
	const minutes = Math.ceil(sums.requests / rate);
	const time =
		rate > 0 && sums.requests > 0
			? `; about ${count(minutes, 'minute')} at ${count(rate, 'request')} per minute`
			: '';
	return `Dry run: nothing was sent. ${summary} ${count(sums.requests, 'request')}${time}.`;
}

/** Who got nothing, on purpose. */
function skips(
	{ settings, hasFixedKey }: HintInput,
	sums: Sums,
): Array<NodeExecutionHint | undefined> {
	const { duplicates, skippedByKey, replayedRequests, noNumbers, hasKeys } = sums;
	const why = settings.dryRun
		? 'an earlier item has the same key'
		: 'a message with that key was sent before, or may have been sent. To send it again, change the key';
	const fixed = hasFixedKey
		? ' The key is a fixed text, the same for every item and every execution: use an expression that differs for each message, e.g. {{ $json.orderId }}.'
		: '';
	return [
		info(
			duplicates > 0 &&
				`${count(duplicates, 'duplicate phone number')} skipped: each number gets the same text only once.`,
		),
		(hasFixedKey ? warning : info)(
			skippedByKey > 0 &&
				`${count(skippedByKey, 'item')} skipped because of the Send-Once Key: ${why}.${fixed}`,
		),
		info(
			settings.dryRun &&
				hasKeys &&
				'A dry run does not look up the Send-Once Keys of earlier executions: a message that was sent before is shown as ready.',
		),
		info(
			replayedRequests > 0 &&
				`${count(replayedRequests, 'request')} ${replayedRequests === 1 ? 'was' : 'were'} already accepted in an earlier try of this execution, so ${replayedRequests === 1 ? 'it was' : 'they were'} not sent again.`,
		),
		warning(
			noNumbers.length > 0 &&
				`${noNumbers.length === 1 ? '1 entry was' : `${figure(noNumbers.length)} entries were`} left out of the list: ${firstOf(noNumbers)}.`,
		),
	];
}

/** What a person should check about recipients who got a message, or would get one. */
function doubts({ settings }: HintInput, { hasNoCountryCode, looksLikeName }: Sums) {
	const went = settings.dryRun ? 'would go' : 'went';
	const groups = [...looksLikeName].map(quote);
	return [
		info(
			hasNoCountryCode.size > 0 &&
				`Messages ${went} to ${count(hasNoCountryCode.size, 'phone number')} with a leading 0 and without a country code: ${firstOf([...hasNoCountryCode])}. If your gateway does not know the country, set 'Default Country Code' in the credential, e.g. to 62.`,
		),
		warning(
			groups.length > 0 &&
				`${firstOf(groups)} ${groups.length === 1 ? 'looks like the name of a group, not like its ID' : 'look like the names of groups, not like their IDs'}. If nothing arrives, enter the ID that your gateway shows next to the name.`,
		),
	];
}

/** Warns if nobody can know whom the opt-outs mean. */
function localOptOutsText({ localOptOuts }: HintInput, sums: Sums): string | false {
	if (localOptOuts === 0 || !sums.hasInternational) return false;
	const [has, were] = localOptOuts === 1 ? ['has', 'was'] : ['have', 'were'];
	return `${count(localOptOuts, 'number')} in 'Skip Numbers' ${has} a leading 0, and no Default Country Code is set: ${were} compared with the recipients by the digits behind it. Set 'Default Country Code' in the credential, e.g. to 62.`;
}

/** Warns if the run has to wait for longer than n8n lets the workflow run. */
function timeLimitText({ settings, timeLimit }: HintInput, { requests }: Sums): string | false {
	const { requestsPerMinute: rate } = settings;
	const pauses = Batching.pausesOf(settings, requests);
	const pace = rate > 0 ? Math.floor(Math.max(0, requests - 1) / rate) * MINUTE : 0;
	if (timeLimit <= 0 || Math.max(pauses, pace) <= timeLimit * 1000) return false;
	const limit = `n8n stops this workflow after ${count(timeLimit, 'second')}. Raise the timeout in the workflow's settings, or send fewer items in one execution.`;
	return pauses > pace
		? `The pauses of the option 'Batching' add up to ${count(Math.ceil(pauses / 1000), 'second')}, and ${limit}`
		: `${count(requests, 'request')} at ${figure(rate)} per minute ('Requests per Minute' in the credential) take ${durationText(pace)} or more, and ${limit}`;
}
