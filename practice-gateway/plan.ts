/** How many requests a subscription may make. */
export interface Plan {
	requests: number;
	/** Length of a window. */
	seconds: number;
	/** Whether a refusal says when the next window begins; true unless set. */
	retryAfter?: boolean;
}

/** Counts requests in windows of a fixed length, each of which begins with its first request. */
export class PlanCounter {
	/** Requests that were refused. */
	refused = 0;
	private count = 0;
	private endsAt = 0;

	constructor(private readonly plan: Plan) {}

	/** @returns the seconds until the next window, if the request is one too many */
	take(now = Date.now()): number | undefined {
		if (now >= this.endsAt) {
			this.endsAt = now + this.plan.seconds * 1000;
			this.count = 0;
		}
		if (this.count < this.plan.requests) {
			this.count++;
			return undefined;
		}
		this.refused++;
		return Math.ceil((this.endsAt - now) / 1000);
	}
}

/** @returns the plan in a text such as `30/60`: 30 requests in 60 seconds */
export function parsePlan(text: string): Plan {
	const [, requests, seconds] = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
	if (!(Number(requests) > 0) || !(Number(seconds) > 0)) {
		throw new Error(`A plan is REQUESTS/SECONDS, such as 30/60, not “${text}”.`);
	}
	return { requests: Number(requests), seconds: Number(seconds) };
}
