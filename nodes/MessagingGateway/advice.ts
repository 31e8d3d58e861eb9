import { NEWEST_RETRY } from './delivery/memory/heldBack';
import { MOST_KEYS } from './delivery/memory/keyQueue';
import type { Result } from './delivery/result';
import { isFailure } from './delivery/shipment';
import type { Failure } from './gateway/outcome';
import { figure, sentences } from './shared/text';

/** What the advice after a failure depends on, besides the results. */
export interface Run {
	/** How many input items there are. */
	items: number;
	/** What became of each recipient. */
	recipients: readonly Result[];
	/** Whether this execution has run the node before, as in a loop. */
	isLaterRun: boolean;
	/** The ID of this execution if it is that of a sub-workflow: Retry of its parent would start it anew. */
	subExecution?: string;
	/** Whether a Retry sends again what is uncertain. */
	resendsUncertain: boolean;
	/** Whether the node has a text by which a Retry recognizes its messages. */
	hasLastingText: boolean;
	/** Returns whether earlier nodes give the value of a parameter; without its name, of any field. */
	comesFromData(parameter?: string): boolean;
}

const SEND_AGAIN = "set the option 'Uncertain Messages on Retry' to 'Send Again'";
const DO_NOT_SEND_AGAIN = "set the option 'Uncertain Messages on Retry' to 'Do Not Send Again'";
const TO_ERROR_OUTPUT = "set 'On Error' of this node to 'Continue (using error output)'";
const KEEP_TEXT =
	'Do not change the text of this node: whoever has a queued message would get the new text, too.';
const SAVED = 'save the workflow, and use Retry with currently saved workflow';

/** https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/frontend/editor-ui/src/features/execution/executions/composables/useExecutionHelpers.ts */
const AFTER_STOP = `n8n's editor offers no Retry of an execution that was stopped. A new execution sends only the rest if every message has a Send-Once Key and there are ${figure(MOST_KEYS)} at most. Otherwise, compare with the gateway's outbox, and send only those that are not there. A list with one key needs another key, and only the numbers that are missing.`;

/** Says how to go on so that everybody gets the message and nobody gets it twice. Advises a new execution only with Send-Once Keys. */
export function stepAfter(failure: Failure, results: readonly Result[], run: Run): string {
	if (failure.step !== undefined) return failure.step;
	// A Retry of an older copy never sends the rest, and another retry may be sending it.
	const failures = results.map(({ outcome }) => outcome).filter(isFailure);
	if (failures.some(({ cause }) => cause === 'outdated')) {
		return `A newer retry of this execution exists. ${NEWEST_RETRY}`;
	}
	if (failures.some(({ cause }) => cause === 'canceled')) return AFTER_STOP;
	const place = run.subExecution
		? ` of execution ${run.subExecution}, the one of this sub-workflow, in the list of executions`
		: ' in the list of executions';
	if (failure.outcome === 'uncertain') {
		const ofAll = failures.find((each) => each.outcome === 'notSent' && isOfAll(each));
		return sentences(
			ofAll && `Other messages were not queued: ${ofAll.what}. ${ofAll.advice}`,
			stepAfterDoubt(failure, failures, place, run),
		);
	}
	const isAny = (kind: string) => results.some(({ outcome }) => outcome.outcome === kind);
	const step = sentences(
		stepAfterRefusal(failure, place, run),
		mustKeepText(failure, run) && isAny('accepted') && KEEP_TEXT,
	);
	if (!isAny('uncertain') || !run.resendsUncertain) return step;
	return sentences(
		"Other messages are uncertain. Check the gateway's outbox, and send those that are not there by themselves. A Retry sends all of them again, so",
		`${DO_NOT_SEND_AGAIN} first.`,
		step,
	);
}

/** Whether a failure says nothing about its item in particular. */
export function isOfAll({ cause, blame }: Failure): boolean {
	return cause === 'wholeRun' || blame === 'subscription' || blame === 'gateway';
}

function stepAfterRefusal(failure: Failure, place: string, run: Run): string {
	if (!hasMistake(failure)) return `Then use Retry${place}: it sends only the rest.`;
	const { parameter, cause, isMistake } = failure;
	const mayBeInData = parameter !== undefined || isMistake === true;
	if (!mayBeInData || !run.comesFromData(parameter)) {
		return `Then ${SAVED}${place}: it sends only the rest.`;
	}
	if (cause === 'wholeRun') {
		return `Retry reads the same data again. So enter the right value in this node, ${SAVED}${place}: it sends only the rest.`;
	}
	return `Retry reads the same data again. So ${TO_ERROR_OUTPUT}, ${SAVED}${place}: it sends the rest. Then send the corrected items by themselves.`;
}

/** What to do about messages of which only the gateway's outbox knows. Its own words have sent the person there. */
function stepAfterDoubt(
	{ cause }: Failure,
	failures: readonly Failure[],
	place: string,
	{ resendsUncertain }: Run,
): string {
	if (cause === 'unclaimed') return `Then use Retry${place}: it sends only the rest.`;
	if (cause === 'replyElsewhere') return `Then ${SAVED}${place}.`;
	// Nor does it know what other turns of a loop have sent.
	if (cause === 'interrupted' || cause === 'outOfReach') {
		return `Send only those that are not there: a Retry sends no message of this node. Then ${TO_ERROR_OUTPUT}, ${SAVED}${place}: the workflow goes on without them.`;
	}
	const isOnly = failures.filter(({ outcome }) => outcome === 'uncertain').length <= 1;
	// What another operation or another node has sent is never sent again.
	const mayGoAgain = isOnly && cause !== 'changed';
	const refused = failures.find(hasMistake);
	const goOn = `${SAVED}${place}: it sends only the rest, and the workflow goes on.`;
	if (mayGoAgain && !refused && resendsUncertain) {
		return `If it is not there, use Retry${place}: it sends this message again, and then the rest. If it is there, ${DO_NOT_SEND_AGAIN}, ${TO_ERROR_OUTPUT}, ${goOn}`;
	}
	if (mayGoAgain && !refused) {
		return `If it is not there, ${SEND_AGAIN}; if it is there, ${TO_ERROR_OUTPUT}. Then ${goOn}`;
	}
	return sentences(
		isOnly
			? 'If it is not there, send it by itself.'
			: 'Send those that are not there by themselves.',
		`Then ${resendsUncertain ? `${DO_NOT_SEND_AGAIN}, ` : ''}${TO_ERROR_OUTPUT}, ${goOn}`,
		// A Retry would stop there again.
		refused &&
			`Another item was refused: ${refused.what}. Send it by itself, too, when it is corrected.`,
	);
}

function mustKeepText(failure: Failure, { hasLastingText }: Run): boolean {
	const isInText = failure.parameter === 'message' || failure.parameter === 'caption';
	return hasLastingText && hasMistake(failure) && !isInText;
}

/** Whether somebody has to correct something before a Retry. A canceled execution has nothing to correct. */
function hasMistake({ outcome, origin, cause, isMistake }: Failure): boolean {
	return (
		outcome === 'notSent' && (origin === 'input' || isMistake === true) && cause !== 'canceled'
	);
}
