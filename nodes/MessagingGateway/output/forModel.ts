import type { Result } from '../delivery/result';
import { isFailure } from '../gateway/outcome';

const NOT_AGAIN = 'Do not call this tool again for it, because it may arrive twice.';
const ONLY_THE_REST =
	'Call it only for the others, and with a different Send-Once Key, if it has one.';

interface Results {
	requests: readonly Result[];
	recipients: readonly Result[];
}

/** Adds what an AI agent has to do to the results of its tool, so that nothing goes out twice. */
export function forModel({ requests, recipients }: Results): Results {
	const isSentInPart = requests.some(({ outcome }) => outcome.outcome === 'accepted');
	const told = (result: Result): Result => {
		const { outcome } = result;
		if (!isFailure(outcome)) return result;
		const step = outcome.outcome === 'uncertain' ? NOT_AGAIN : isSentInPart && ONLY_THE_REST;
		return step ? { ...result, outcome: { ...outcome, step } } : result;
	};
	return { requests: requests.map(told), recipients: recipients.map(told) };
}
