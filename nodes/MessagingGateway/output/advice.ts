import { NEWEST_RETRY } from '../delivery/memory/retryGuard';
import type { Result } from '../delivery/result';
import type { ExecutionFacts } from '../delivery/runContext';
import { type Failure, isFailure } from '../gateway/outcome';
import { sentences } from '../shared/text';

/** The facts that the advice after a failure depends on, besides the results. */
export interface Run extends Pick<
	ExecutionFacts,
	'execution' | 'isManual' | 'isRetry' | 'isLaterRun' | 'isSubWorkflow'
> {
	/** How many input items there are. */
	items: number;
	/** The result of each recipient. */
	recipients: readonly Result[];
	/** Whether a Retry sends uncertain messages again. */
	resendsUncertain: boolean;
}

/** The page about what happens to each message next. */
export const PAGE =
	'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/nothing-twice.md';

const TO_ERROR_OUTPUT = "set Settings → On Error to 'Continue (using error output)'";
const DO_NOT_SEND_AGAIN = "set the option 'Uncertain Messages on Retry' to 'Do Not Send Again'";
const ONLY_THE_REST = 'Only the rest is sent.';

/** The next steps for a person, by the words on n8n's screen. `place` is the execution to retry. */
const STEPS = {
	/** https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/frontend/editor-ui/src/features/execution/executions/composables/useExecutionHelpers.ts */
	stopped: () =>
		"n8n cannot retry a stopped execution. If every message has a Send-Once Key, start a new one: it sends only the rest. Otherwise, send only the messages that are missing in the gateway's outbox.",
	newest: () => `A newer retry of this execution exists. ${NEWEST_RETRY}`,
	retry: (place: string) => `Then retry: Executions → ${place} → ↷. ${ONLY_THE_REST}`,
	retrySaved: (place: string) => `Then ${saved(place)} ${ONLY_THE_REST}`,
	/** A Retry has failed in the same way, so the mistake is probably not in this node. */
	correctData: (place: string) =>
		`A Retry reads the same data again. If the mistake is in the data, ${TO_ERROR_OUTPUT}. Then ${saved(place)} ${ONLY_THE_REST}`,
	look: (place: string, off: string) =>
		`To send the rest, ${off}${TO_ERROR_OUTPUT}, ${saved(place)}`,
	goOn: (place: string, off: string) =>
		`To continue the workflow, ${off}${TO_ERROR_OUTPUT}, ${saved(place)}`,
	heldBack: (place: string) =>
		`Send the missing messages separately: a Retry sends none of them. To continue the workflow, ${TO_ERROR_OUTPUT}, ${saved(place)}`,
};

function saved(place: string): string {
	return `save, and retry: Executions → ${place} → ↷ → 'Retry with currently saved workflow'.`;
}

/** Says how to go on so that everybody gets the message and nobody gets it twice. Advises a new execution only with Send-Once Keys. */
export function stepAfter(failure: Failure, results: readonly Result[], run: Run): string {
	if (isAlone(results, run)) return '';
	const failures = results.map(({ outcome }) => outcome).filter(isFailure);
	const steps = sentences(...stepsAfter(failure, failures, results, run));
	return steps === '' ? '' : sentences(steps, `More: ${PAGE}`);
}

/** Whether a person in the editor has one item only, with nothing to do but correct it, or to look for its message. */
function isAlone(results: readonly Result[], { isManual, isLaterRun, items }: Run): boolean {
	return isManual && !isLaterRun && items === 1 && results.every(isNotSentOrSingle);
}

function isNotSentOrSingle({ outcome: { outcome }, recipients }: Result): boolean {
	return outcome === 'uncertain' ? recipients === undefined : outcome !== 'accepted';
}

function stepsAfter(
	failure: Failure,
	failures: readonly Failure[],
	results: readonly Result[],
	run: Run,
): Array<string | false | undefined> {
	if (failure.step !== undefined) return [failure.step];
	const some = (cause: Failure['cause']) => failures.some((each) => each.cause === cause);
	// A Retry of an older copy never sends the rest, and another retry may be sending it.
	if (some('outdated')) return [STEPS.newest()];
	if (some('canceled')) return [STEPS.stopped()];
	const place = placeOf(run);
	const off = run.resendsUncertain ? `${DO_NOT_SEND_AGAIN}, ` : '';
	const isUncertain = failure.outcome === 'uncertain';
	const ofAll = failures.find((each) => each.outcome === 'notSent' && isOfAll(each));
	return [
		isUncertain && ofAll && `Other messages were not queued: ${ofAll.what}. ${ofAll.advice}`,
		!isUncertain &&
			off !== '' &&
			failures.some(({ outcome }) => outcome === 'uncertain') &&
			`Other messages are uncertain, and a Retry sends them again. Check the gateway's outbox before you send them again, and ${DO_NOT_SEND_AGAIN} first.`,
		STEPS[stepFor(failure, results, run)](place, off),
	];
}

function stepFor(failure: Failure, results: readonly Result[], run: Run): keyof typeof STEPS {
	const { cause, outcome } = failure;
	if (outcome === 'notSent') {
		if (!hasMistake(failure)) return 'retry';
		return run.isRetry ? 'correctData' : 'retrySaved';
	}
	if (cause === 'unclaimed') return 'retry';
	if (cause === 'replyElsewhere') return 'retrySaved';
	// A Retry does not know the messages that other turns of a loop have sent.
	if (cause === 'interrupted' || cause === 'outOfReach') return 'heldBack';
	const hasRest = untried(results, run) > 0 || results.some(isNotSent);
	return hasRest ? 'look' : 'goOn';
}

/** Returns how many items the run did not get to. */
export function untried(results: readonly Result[], { items }: Run): number {
	return items - new Set(results.flatMap((each) => each.items)).size;
}

function isNotSent({ outcome: { outcome } }: Result): boolean {
	return outcome === 'notSent';
}

/** The failed execution of a sub-workflow has the same workflow name as its parent's only in the list of all executions. */
function placeOf({ execution, isSubWorkflow }: Run): string {
	if (!isSubWorkflow) return 'the failed one';
	return `the failed one of this sub-workflow${execution ? ` (ID ${execution})` : ''}`;
}

/** Whether a failure says nothing about its item in particular. */
export function isOfAll({ cause, blame }: Failure): boolean {
	return cause === 'wholeRun' || blame === 'subscription' || blame === 'gateway';
}

/** Whether somebody has to correct something before a Retry. */
function hasMistake({ origin, isMistake }: Failure): boolean {
	return origin === 'input' || isMistake === true;
}
