import type { RateLimiter } from '../../nodes/MessagingGateway/delivery/pace/rateLimiter';
import type { Attempt } from '../../nodes/MessagingGateway/delivery/sender';
import type { Outcome } from '../../nodes/MessagingGateway/gateway/outcome';

/** Returns the tries of a request without a file, which does `exchange` when its permit has come. */
export function attemptOf(limiter: RateLimiter, exchange: () => Promise<Outcome>): Attempt {
	return async (entry) => {
		for (;;) {
			const permit = await limiter.permit(entry);
			if (!permit || 'outcome' in permit) return permit;
			const outcome = permit.start() ? await exchange() : undefined;
			permit.end(outcome);
			if (outcome) return outcome;
		}
	};
}
