import { NEWEST_RETRY } from '../delivery/memory/retryGuard';
import { MOST_KEYS } from '../delivery/memory/keyHistory';
import type { Result } from '../delivery/result';
import { type Failure, isFailure } from '../gateway/outcome';
import { figure, sentences } from '../shared/text';

/** The facts that the advice after a failure depends on, besides the results. */
export interface Run {
	/** How many input items there are. */
	items: number;
	/** The result of each recipient. */
	recipients: readonly Result[];
	/** Whether this execution has run the node before, as in a loop. */
	isLaterRun: boolean;
	/** The ID of this execution, whose Retry goes on. */
	execution?: string;
	/** A Retry of the parent would start a new execution of the sub-workflow. */
	isSubWorkflow: boolean;
	/** Whether a Retry sends uncertain messages again. */
	resendsUncertain: boolean;
}

/** The page about what happens to each message next. */
export const PAGE =
	'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/nothing-twice.md';

const TO_ERROR_OUTPUT = "set 'On Error' of this node to 'Continue (using error output)'";
const DO_NOT_SEND_AGAIN = "set the option 'Uncertain Messages on Retry' to 'Do Not Send Again', ";

/** The next steps for a person. `place` names the execution whose Retry is meant. */
const STEPS = {
	/** https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/frontend/editor-ui/src/features/execution/executions/composables/useExecutionHelpers.ts */
	stopped: () =>
		`n8n's editor cannot retry a stopped execution. A new execution sends only the rest if every message has a Send-Once Key, and there are no more than ${figure(MOST_KEYS)}. Otherwise, check the gateway's outbox, and send only the missing messages. For a list with one key, use a different key and only the missing numbers.`,
	newest: () => `A newer retry of this execution exists. ${NEWEST_RETRY}`,
	retry: (place: string) => `Then use Retry${place}: it sends only the rest.`,
	retrySaved: (place: string) => `Then ${saved(place)}: it sends only the rest.`,
	correct: (place: string) =>
		`To correct this node, change it, ${saved(place)}: it sends only the rest. Retry reads the same data again, so if the mistake is in the data, first ${TO_ERROR_OUTPUT}, and send the corrected items separately.`,
	look: (place: string, off: string) =>
		`Send the missing messages separately. Then ${off}${TO_ERROR_OUTPUT}, ${saved(place)}: it sends only the rest, and the workflow goes on.`,
	heldBack: (place: string) =>
		`Send only the missing messages: a Retry sends none from this node. Then ${TO_ERROR_OUTPUT}, ${saved(place)}: the workflow goes on without them.`,
};

function saved(place: string): string {
	return `save the workflow, and use Retry with currently saved workflow${place}`;
}

/** Says how to go on so that everybody gets the message and nobody gets it twice. Advises a new execution only with Send-Once Keys. */
export function stepAfter(failure: Failure, results: readonly Result[], run: Run): string {
	const failures = results.map(({ outcome }) => outcome).filter(isFailure);
	return sentences(...stepsAfter(failure, failures, run), `More: ${PAGE}#what-happens-next`);
}

function stepsAfter(
	failure: Failure,
	failures: readonly Failure[],
	run: Run,
): Array<string | false | undefined> {
	if (failure.step !== undefined) return [failure.step];
	const some = (cause: Failure['cause']) => failures.some((each) => each.cause === cause);
	// A Retry of an older copy never sends the rest, and another retry may be sending it.
	if (some('outdated')) return [STEPS.newest()];
	if (some('canceled')) return [STEPS.stopped()];
	const place = placeOf(run);
	const off = run.resendsUncertain ? DO_NOT_SEND_AGAIN : '';
	const isUncertain = failure.outcome === 'uncertain';
	const ofAll = failures.find((each) => each.outcome === 'notSent' && isOfAll(each));
	return [
		isUncertain && ofAll && `Other messages were not queued: ${ofAll.what}. ${ofAll.advice}`,
		!isUncertain &&
			off !== '' &&
			failures.some(({ outcome }) => outcome === 'uncertain') &&
			`Other messages are uncertain, and a Retry sends all of them again. Check the gateway's outbox, send the missing messages separately, and ${off.replace(/, $/, '')} first.`,
		STEPS[stepFor(failure)](place, off),
	];
}

function stepFor(failure: Failure): keyof typeof STEPS {
	const { cause, outcome } = failure;
	if (outcome === 'notSent') return hasMistake(failure) ? 'correct' : 'retry';
	if (cause === 'unclaimed') return 'retry';
	if (cause === 'replyElsewhere') return 'retrySaved';
	// A Retry does not know the messages that other turns of a loop have sent.
	return cause === 'interrupted' || cause === 'outOfReach' ? 'heldBack' : 'look';
}

/** n8n's list of executions may show another execution of the workflow as the chosen one. */
function placeOf({ execution, isSubWorkflow }: Run): string {
	if (!execution) return ' in the list of executions';
	return ` of execution ${execution}${isSubWorkflow ? ' (that of this sub-workflow)' : ''} in the list of executions`;
}

/** Whether a failure says nothing about its item in particular. */
export function isOfAll({ cause, blame }: Failure): boolean {
	return cause === 'wholeRun' || blame === 'subscription' || blame === 'gateway';
}

/** Whether somebody has to correct something before a Retry. */
function hasMistake({ origin, isMistake }: Failure): boolean {
	return origin === 'input' || isMistake === true;
}
