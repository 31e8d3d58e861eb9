import type { Result } from './delivery/result';
import { isFailure } from './delivery/shipment';
import type { Failure } from './gateway/outcome';
import { sentences } from './shared/sentences';

/** What the advice after a failure depends on, besides the results. */
export interface Run {
	/** How many input items there are. */
	items: number;
	/** Whether this execution has run the node before, as in a loop. */
	isLaterTurn: boolean;
	/** The ID of this execution if it is that of a sub-workflow: Retry of its parent would start it anew. */
	subExecution?: string;
	/** Returns whether earlier nodes give the value of a parameter; without its name, of any field. */
	comesFromData(parameter?: string): boolean;
}

const SEND_AGAIN = "set the option 'Uncertain Messages on Retry' to 'Send Again'";
const SAVED = 'save the workflow, and use Retry with currently saved workflow';

/** Says how to go on so that everybody gets the message and nobody gets it twice. Never advises a new execution. */
export function stepAfter(
	failure: Failure,
	results: readonly Result[],
	hasUntried: boolean,
	run: Run,
): string {
	const place = run.subExecution
		? ` of execution ${run.subExecution}, the one of this sub-workflow, in the list of executions`
		: ' in the list of executions';
	if (failure.outcome === 'notSent') return stepAfterRefusal(failure, place, run);
	const failures = results.map(({ outcome }) => outcome).filter(isFailure);
	const refused = failures.find(hasMistake);
	const hasRest = hasUntried || failures.some(({ outcome }) => outcome === 'notSent');
	const isOnly = failures.filter(({ outcome }) => outcome === 'uncertain').length <= 1;
	return sentences(
		findOut(failure, isOnly, place),
		// A Retry stops there again.
		refused &&
			`Another item was refused: ${refused.what}. ${stepAfterRefusal(refused, place, run)}`,
		!refused && hasRest && `${isOnly ? 'If it is there, ' : ''}Retry${place} sends only the rest.`,
	);
}

function stepAfterRefusal(failure: Failure, place: string, run: Run): string {
	if (!hasMistake(failure)) return `Then use Retry${place}: it sends only the rest.`;
	const { parameter, cause } = failure;
	if (parameter === undefined || !run.comesFromData(parameter)) {
		return `Then ${SAVED}${place}: it sends only the rest.`;
	}
	if (cause === 'wholeRun') {
		return `Retry reads the same data again. So enter the right value in this node, ${SAVED}${place}: it sends only the rest.`;
	}
	return `Retry reads the same data again. So set 'On Error' of this node to 'Continue (using error output)', ${SAVED}${place}: it sends the rest. Then send the corrected items by themselves.`;
}

/** What to do about a message of which only the gateway's outbox knows. */
function findOut({ cause }: Failure, isOnly: boolean, place: string): string {
	// Its own words name the retry that knows more.
	if (cause === 'outdated') return '';
	if (cause === 'unclaimed') return `Then use Retry${place}: it sends only the rest.`;
	if (cause === 'answeredElsewhere') {
		return `Then ${SAVED}${place}.`;
	}
	return isOnly
		? `If it is not there, ${SEND_AGAIN}, ${SAVED}${place}.`
		: `If it is not there, send it by itself. If none of the uncertain messages is there, you can instead ${SEND_AGAIN}, ${SAVED}${place}.`;
}

/** Whether somebody has to correct something before a Retry. A canceled execution has nothing to correct. */
function hasMistake({ outcome, origin, cause }: Failure): boolean {
	return outcome === 'notSent' && origin === 'input' && cause !== 'canceled';
}
