import type { NodeExecutionHint } from 'n8n-workflow';

import { MOST_KEYS } from './delivery/memory/keyQueue';
import { Batching } from './delivery/pace/batching';
import { causeOf } from './hints/cause';
import { count, figure, info, warning } from './hints/figures';
import { doubts, skips } from './hints/doubts';
import { holeHints } from './hints/holes';
import { repeats } from './hints/repeats';
import { summaryOf } from './hints/summary';
import { sumsOf, type HintInput, type Sums } from './hints/sums';
import { durationText } from './shared/time';

/** Milliseconds. */
const MINUTE = 60_000;

/** Resolves to what a person should know of a run besides the errors of its items. */
export async function hintsOf(input: HintInput): Promise<NodeExecutionHint[]> {
	const sums = await sumsOf(input);
	const cause = input.settings.dryRun ? undefined : causeOf(input.recipients);
	const hints = [
		summaryOf(input, sums, cause?.isOfAll),
		cause && (cause.isOfAll ? warning : info)(cause.text),
		// Whom an option does not protect comes before everything else.
		...input.warnings.map((text) => warning(text)),
		...holeHints(input.holes),
		...(await repeats(input)),
		...skips(input, sums),
		...doubts(input, sums),
		warning(localOptOutsText(input, sums)),
		warning(forgottenKeysText(sums)),
		warning(timeLimitText(input, sums)),
		warning(
			sums.uncertainRequests > 0 &&
				`${count(sums.uncertainRequests, 'request')} may or may not be queued. Check the gateway's outbox before you send ${sums.uncertainRequests === 1 ? 'it' : 'them'} again.`,
		),
		warning(
			input.unreleasedKeys.length > 0 &&
				`n8n could not release ${count(input.unreleasedKeys.length, 'Send-Once Key')} of messages that were not queued. To send these messages, use different keys.`,
		),
		warning(
			input.unrecordedKeys.length > 0 &&
				`n8n could not record ${count(input.unrecordedKeys.length, 'Send-Once Key')} of messages that are queued, or may be. Another execution with the same keys would send them again.`,
		),
		info(
			input.lacksLock &&
				sums.keys.size > 0 &&
				"If n8n runs several workers, two of them can send the same Send-Once Key at the same moment, because a 'Remove Duplicates' node of this workflow keeps its history for the whole workflow. To prevent that, clear that history once, and set the 'Scope' of that node to 'Node'.",
		),
	];
	return hints.filter((hint) => hint !== undefined);
}

/** Warns if nobody can know whom the opt-outs mean. */
function localOptOutsText({ localOptOuts }: HintInput, sums: Sums): string | false {
	if (localOptOuts === 0 || !sums.hasInternational) return false;
	const [has, were] = localOptOuts === 1 ? ['has', 'It was'] : ['have', 'They were'];
	return `${count(localOptOuts, 'number')} in 'Skip Numbers' ${has} a leading 0, and no Default Country Code is set. ${were} compared with the recipients by the digits after the 0. Set 'Default Country Code' in the credential, e.g. to 62.`;
}

/** Warns if the first keys of the run are forgotten by its end. */
function forgottenKeysText({ keys }: Sums): string | false {
	return (
		keys.size > MOST_KEYS &&
		`This execution has ${figure(keys.size)} Send-Once Keys, and the node remembers the last ${figure(MOST_KEYS)}. If the same keys come again in another execution, their messages go out twice. Send fewer items in one execution, and start again only the one that did not finish.`
	);
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
