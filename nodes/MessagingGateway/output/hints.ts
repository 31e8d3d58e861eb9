/** The texts in the output panel after a run, besides the errors of its items. */

import type { NodeExecutionHint } from 'n8n-workflow';

import { MOST_KEYS } from '../delivery/memory/keyHistory';
import { Batching } from '../delivery/pace/batching';
import type { Result } from '../delivery/result';
import { type RunFacts, stopsAtFailure } from '../delivery/runContext';
import { isFailure } from '../gateway/outcome';
import { nameOfCode } from '../numbers/plan';
import type { FaultReport } from '../operations/missingValues';
import {
	count,
	durationText,
	figure,
	firstOf,
	quote,
	sentences,
	withoutMarkup,
} from '../shared/text';
import {
	type Cause,
	causeOf,
	type HintInput,
	type Repeats,
	repeatsOf,
	type Sums,
	sumsOf,
} from './counts';

type Hint = NodeExecutionHint | undefined;

/** Milliseconds. */
const MINUTE = 60_000;
/** How many equal messages, sent one by one, are a warning. */
const MANY_ITEMS = 1_000;
/** How many entries a sentence lists. */
const MOST_SHOWN = 3;
const MOST_COUNTRIES = 8;

export async function hintsOf(input: HintInput): Promise<NodeExecutionHint[]> {
	const sums = await sumsOf(input);
	const cause = input.run.mode === 'send' ? causeOf(input.recipients) : undefined;
	const hints = [
		summary(input, sums, cause),
		cause && (cause.isOfAll ? warning : info)(causeText(cause)),
		// Warnings about the options come before everything else.
		...input.warnings.map((text) => warning(text)),
		...input.missing.map(missingHint),
		...repeats(input, await repeatsOf(input.entries)),
		...skips(input, sums),
		...doubts(input, sums),
		warning(localOptOutsText(input, sums)),
		...keysOf(input, sums),
		warning(timeLimitText(input, sums)),
		warning(
			sums.uncertainRequests > 0 &&
				`${count(sums.uncertainRequests, 'request')} may or may not be queued. Check the gateway's outbox before you send ${sums.uncertainRequests === 1 ? 'it' : 'them'} again.`,
		),
	];
	return hints.filter((hint) => hint !== undefined);
}

/** Returns the hints of a run that could not start. */
export function hintsOfFailedStart(
	{ mode }: RunFacts,
	recipients: readonly Result[],
): NodeExecutionHint[] {
	const refused = recipients.filter(({ outcome }) => isFailure(outcome)).length;
	const sums = `${count(recipients.length, 'recipient')}: 0 ready, ${figure(refused)} refused`;
	const cause = causeOf(recipients);
	const hints = [
		mode === 'send'
			? cause && (cause.isOfAll ? warning : info)(causeText(cause))
			: info(`Dry run: nothing was queued. ${sums}. 0 requests.`),
	];
	return hints.filter((hint) => hint !== undefined);
}

/** Counts the recipients by result. A warning if nothing was queued, unless the cause says so. */
function summary(input: HintInput, sums: Sums, cause?: Cause): Hint {
	const { recipients, run } = input;
	const text = `${whoText(input, sums)}: ${summaryParts(input, sums)}.${countriesText(sums)}`;
	if (run.mode === 'send') {
		if (recipients.length <= 1 && sums.doubts.isAbroad.size === 0) return undefined;
		const isThrown = sums.notSent > 0 && stopsAtFailure(run);
		const isVain = sums.accepted + sums.uncertain === 0;
		return isVain && !isThrown && !cause?.isOfAll
			? warning(`Nothing was queued. ${text}`)
			: info(sentences(text, rowsText(input)));
	}
	const stop =
		!run.n8n.continueOnFail && sums.accepted > 0 && sums.notSent > 0
			? " A real run stops at the first refused item, unless 'On Error' of this node is 'Continue (using error output)'."
			: '';
	const outlook = `${text} ${count(sums.requests, 'request')}${paceText(input, sums)}.${stop}`;
	if (run.mode === 'test') return testSummary(input, outlook);
	return info(`Dry run: nothing was queued. ${outlook}`);
}

/** Several messages to one number are not several recipients. */
function whoText({ recipients: { length }, hasNumbers }: HintInput, { people }: Sums): string {
	if (people === length) return count(length, 'recipient');
	return `${count(length, 'message')} to ${count(people, hasNumbers ? 'number' : 'group')}`;
}

/** n8n shows a red “undefined” in every column that only some of the items have. */
function rowsText({ requests, run: { perRecipient } }: HintInput): string {
	const some = (wanted: string) => requests.some(({ outcome }) => outcome.outcome === wanted);
	if (perRecipient || !some('accepted') || !some('skipped')) return '';
	return "For a row with the same fields for each recipient, add the option 'Output'.";
}

function summaryParts({ recipients, run: { mode } }: HintInput, sums: Sums): string {
	const isDry = mode !== 'send';
	const tests = recipients.filter(isTest);
	const tested = (outcome: string) =>
		tests.filter((each) => each.outcome.outcome === outcome).length;
	const queued = isDry ? tested('accepted') + sums.earlier : sums.accepted;
	const parts = [
		[sums.accepted - queued, isDry ? 'ready' : ''],
		[queued, 'queued'],
		[sums.skipped, 'skipped'],
		[sums.notSent - tested('notSent'), isDry ? 'refused' : 'not queued'],
		[tested('notSent'), 'not queued'],
		[sums.uncertain, 'uncertain'],
	] as const;
	const main = isDry ? 'ready' : 'queued';
	return parts
		.filter(([n, word]) => n > 0 || word === main)
		.map(([n, word]) => `${figure(n)} ${word}`)
		.join(', ');
}

/** Names the countries if there are several, or if digits without + were taken for a country code. */
function countriesText({ byCountryCode, doubts: { isAbroad } }: Sums): string {
	if (byCountryCode.size < 2 && isAbroad.size === 0) return '';
	const most = [...byCountryCode].sort(([, a], [, b]) => b - a);
	const named = most
		.slice(0, MOST_COUNTRIES)
		.map(
			([code, n]) => `${figure(n)} ${code === '' ? 'without a country code' : nameOfCode(code)}`,
		);
	const others = most.slice(MOST_COUNTRIES).reduce((sum, [, n]) => sum + n, 0);
	const without =
		isAbroad.size === 1 ? '1 number has no +' : `${figure(isAbroad.size)} numbers have no +`;
	return sentences(
		` By country: ${named.join(', ')}${others > 0 ? `, ${figure(others)} elsewhere` : ''}.`,
		isAbroad.size > 0 && `${without}: if a country is wrong, set 'Default Country Code'.`,
	);
}

/** Returns how long the requests take at the pace that the plan allows. */
function paceText(
	{
		run: {
			account: { requestsPerMinute: rate },
		},
	}: HintInput,
	{ requests }: Sums,
): string {
	if (rate === 0 || requests === 0) return '';
	const minutes = Math.ceil(requests / rate);
	return `; about ${count(minutes, 'minute')} at ${count(rate, 'request')} per minute`;
}

function testSummary({ recipients, run }: HintInput, outlook: string): Hint {
	const test = recipients.find(isTest);
	if (!test) return warning(`Test: nothing was queued, because no message is ready. ${outlook}`);
	const { outcome } = test;
	if (!isFailure(outcome)) {
		return info(
			`Test: one message is queued for ${run.testNumber}, and none for anybody else. ${outlook}`,
		);
	}
	const fact =
		outcome.outcome === 'notSent'
			? 'nothing was queued'
			: 'it is not certain that the message is queued';
	return warning(`Test: ${fact}. ${outcome.what}. ${outlook}`);
}

function isTest({ testOf }: HintInput['recipients'][number]): boolean {
	return testOf !== undefined;
}

function causeText({ failure, isOfAll, notTried }: Cause): string {
	const were = notTried === 1 ? 'was' : 'were';
	const effects = [
		isOfAll && 'Nothing was queued',
		notTried > 0 && `${count(notTried, 'item')} ${were} not tried`,
	];
	return `${effects.filter(Boolean).join(', and ')}: ${failure.what}. ${failure.advice}`.trim();
}

function missingHint({ name, what, of, items, advice }: FaultReport): Hint {
	const n = items.length;
	const all = `${figure(of)} ${name}s`;
	const place =
		of === 1 ? `In the ${name}` : n === of ? `In all ${all}` : `In ${figure(n)} of ${all}`;
	const shown = firstOf(
		items.slice(0, MOST_SHOWN).map((item) => figure(item + 1)),
		MOST_SHOWN,
		n,
	);
	const where = n === of ? '' : `: ${n === 1 ? 'item' : 'items'} ${shown}, counted from 1`;
	return warning(sentences(`${place} ${what}${where}.`, advice));
}

/** Equal messages: candidates for Send Bulk, and repeats to the same number. */
function repeats(
	{ run, canBeBulk, duration, isNumberExpression }: HintInput,
	{ items, texts, requests, again, several }: Repeats,
): Hint[] {
	const { requestsPerMinute: rate } = run.account;
	const isDry = run.mode !== 'send';
	const minutes = rate > 0 ? Math.ceil(items / rate) - Math.ceil(requests / rate) : 0;
	const saved =
		minutes > 0
			? `: about ${count(minutes, 'minute')} less at ${count(rate, 'request')} per minute`
			: '';
	const same = texts === 1 ? 'have the same text' : `share ${figure(texts)} texts`;
	const took = isDry ? '' : ` and were sent one by one. This run took ${durationText(duration)}`;
	const were = `${isDry ? 'would be' : again.length === 1 ? 'was' : 'were'} sent`;
	const isMany = items > MANY_ITEMS;
	return [
		(isMany ? warning : info)(
			canBeBulk &&
				texts > 0 &&
				`${figure(items)} items ${same}${isMany ? took : ''}. 'Send Bulk' with 'The Input Items' needs ${count(requests, 'request')} for them instead of ${figure(items)}${saved}.`,
		),
		warning(
			isNumberExpression &&
				several.size > 0 &&
				`${figure([...several.values()].reduce((sum, n) => sum + n, 0))} different texts ${isDry ? 'would go' : 'went'} to ${count(several.size, 'number')}: ${firstOf([...several.keys()], MOST_SHOWN)}. If they are for different people, correct the expression in 'Phone Number': it must give each item its own number.`,
		),
		info(
			again.length > 0 &&
				`${count(again.length, 'message')} ${were} to a recipient to whom an earlier item sends the same text: ${firstOf(again, MOST_SHOWN)}. If this is a mistake, remove the duplicates or use a Send-Once Key. If a list comes out of a node more than once, switch on 'Execute Once' in its settings.`,
		),
	];
}

/** Recipients who got nothing on purpose. */
function skips({ run, hasFixedKey }: HintInput, sums: Sums): Hint[] {
	const isDry = run.mode !== 'send';
	const { duplicates, skippedByKey, behindUnsent, earlier, noNumbers } = sums;
	const [messages, were, they] =
		earlier === 1 ? ['message', 'was', 'It was'] : ['messages', 'were', 'They were'];
	const why = isDry
		? 'an earlier item has the same key'
		: 'a message with that key is already queued, or may be. To send it again, change the key';
	const fixed =
		hasFixedKey && sums.sharedKeys.keys.size === 0
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
			behindUnsent > 0 &&
				`${count(behindUnsent, 'item')} skipped because the first item with the same Send-Once Key was not queued.`,
		),
		info(
			isDry &&
				sums.keys.size > 0 &&
				'A dry run does not look up the Send-Once Keys of earlier executions: a message that is already queued is shown as ready.',
		),
		info(
			earlier > 0 &&
				`The ${messages} for ${count(earlier, 'recipient')} ${were} queued in an earlier try of this execution, with the text as it was then. ${they} not queued again.`,
		),
		warning(
			noNumbers.length > 0 &&
				`${noNumbers.length === 1 ? '1 entry was' : `${figure(noNumbers.length)} entries were`} left out of the list: ${firstOf(noNumbers, MOST_SHOWN)}.`,
		),
	];
}

/** Recipients to check, who got a message or would get one. */
function doubts({ run }: HintInput, { doubts: all }: Sums): Hint[] {
	const { hasNoCountryCode, mayBeAbroad, looksLikeName } = all;
	const went = run.mode === 'send' ? 'went' : 'would go';
	const groups = [...looksLikeName].map(quote);
	const withoutCode = sentences(
		mayBeAbroad.size > 0 &&
			`${count(mayBeAbroad.size, 'number')} without + ${went} to the country of the 'Default Country Code', but may be from abroad: ${firstOf([...mayBeAbroad], MOST_SHOWN)}. Write a number that has a country code with +, such as +{{ $json.from }}.`,
		hasNoCountryCode.size > 0 &&
			`Messages ${went} to ${count(hasNoCountryCode.size, 'phone number')} with a leading 0 and without a country code: ${firstOf([...hasNoCountryCode], MOST_SHOWN)}. If your gateway does not know the country, set 'Default Country Code' in the credential, e.g. to 62.`,
	);
	return [
		info(withoutCode !== '' && withoutCode),
		warning(
			groups.length > 0 &&
				`${firstOf(groups, MOST_SHOWN)} ${groups.length === 1 ? 'looks like the name of a group, not its ID' : 'look like the names of groups, not their IDs'}. If nothing arrives, enter the ID that your gateway shows next to the name.`,
		),
	];
}

/** Warns about opt-outs without a country, which may be anybody's numbers. */
function localOptOutsText({ localOptOuts }: HintInput, sums: Sums): string | false {
	if (localOptOuts === 0 || !sums.hasInternational) return false;
	const [has, were] = localOptOuts === 1 ? ['has', 'It was'] : ['have', 'They were'];
	return `${count(localOptOuts, 'number')} in 'Skip Numbers' ${has} a leading 0, and no Default Country Code is set. ${were} compared with the recipients by the digits after the 0. Set 'Default Country Code' in the credential, e.g. to 62.`;
}

function sharedKeysText({ sharedKeys: { keys, items, recipients } }: Sums): string | false {
	if (keys.size === 0) return false;
	const [key = ''] = keys;
	const [share, first] =
		keys.size === 1
			? [`have the same Send-Once Key, ${quote(key)}`, 'the first of them']
			: [
					`share ${count(keys.size, 'Send-Once Key')}, such as ${quote(key)}`,
					'the first with each key',
				];
	return `${count(items.size, 'item')} for ${count(recipients.size, 'recipient')} ${share}: only ${first} is sent. Use a key that differs for each message, such as {{ $json.orderId }}.`;
}

/** Send-Once Keys that do not protect as they should. */
function keysOf({ keys: { unreleased, unrecorded }, lacksLock }: HintInput, sums: Sums): Hint[] {
	const { size } = sums.keys;
	return [
		warning(sharedKeysText(sums)),
		warning(
			size > MOST_KEYS &&
				`This execution has ${figure(size)} Send-Once Keys, and the node remembers the last ${figure(MOST_KEYS)}. If another execution has the same keys, their messages go out twice. Split the items into executions of up to ${figure(MOST_KEYS)}.`,
		),
		warning(
			unreleased.length > 0 &&
				`n8n could not release ${count(unreleased.length, 'Send-Once Key')} of messages that were not queued, or may be sent again. To send these messages, use different keys.`,
		),
		warning(
			unrecorded.length > 0 &&
				`n8n could not record ${count(unrecorded.length, 'Send-Once Key')} of messages that are queued, or may be. Another execution with the same keys would send them again.`,
		),
		info(
			lacksLock &&
				size > 0 &&
				"If n8n runs several workers, two of them can each send a message with the same Send-Once Key at the same moment, because a 'Remove Duplicates' node of this workflow keeps its history for the whole workflow. To prevent that, clear that history once, and set the 'Scope' of that node to 'Node'.",
		),
	];
}

/** Warns if the run has to wait longer than n8n lets the workflow run. */
function timeLimitText({ run }: HintInput, { requests }: Sums): string | false {
	const { timeLimit } = run.n8n;
	const { requestsPerMinute: rate } = run.account;
	const pauses = Batching.pausesOf(run.options, requests);
	const pace = rate > 0 ? Math.floor(Math.max(0, requests - 1) / rate) * MINUTE : 0;
	if (timeLimit <= 0 || Math.max(pauses, pace) <= timeLimit * 1000) return false;
	const limit = `n8n stops this workflow after ${count(timeLimit, 'second')}. Raise the timeout in the workflow's settings, or send fewer items in one execution.`;
	return pauses > pace
		? `The pauses set in the option 'Batching' add up to ${count(Math.ceil(pauses / 1000), 'second')}, and ${limit}`
		: `${count(requests, 'request')} at ${figure(rate)} per minute ('Requests per Minute' in the credential) take ${durationText(pace)} or more, and ${limit}`;
}

function info(message: string | false): Hint {
	return message === false
		? undefined
		: { message: withoutMarkup(message), location: 'outputPane' };
}

function warning(message: string | false): Hint {
	const hint = info(message);
	return hint && { ...hint, type: 'warning' };
}
