import type { Pace } from '../../nodes/MessagingGateway/delivery/pace/pace';
import type { Attempt } from '../../nodes/MessagingGateway/delivery/sender';
import type { Outcome } from '../../nodes/MessagingGateway/gateway/outcome';

/** Returns the tries of a request without a file, which does `exchange` when its turn has come. */
export function attemptOf(pace: Pace, exchange: () => Promise<Outcome>): Attempt {
	return async (ticket) => {
		for (;;) {
			const turn = await pace.turn(ticket);
			if (!turn || 'outcome' in turn) return turn;
			const outcome = turn.begin() ? await exchange() : undefined;
			turn.end(outcome);
			if (outcome) return outcome;
		}
	};
}
