/** How messages go out, read once a run. */
export interface DeliverySettings {
	/** At least 1. */
	maxConcurrency: number;
	/** Requests between two pauses; 0 is no pauses. */
	batchSize: number;
	/** Milliseconds of a pause. */
	batchInterval: number;
	/** Milliseconds, at most, added before each send. */
	randomDelay: number;
	/** Tries besides the first. */
	maxRetries: number;
	/** 0 is no limit. */
	numbersPerRequest: number;
	/** Send again what may have been queued, when an execution is retried. */
	resendUncertain: boolean;
	/** Go on with the other items after one has failed. */
	continueOnFail: boolean;
	/** The node as a whole is tried again by n8n when it fails. */
	retriedByHost: boolean;
	/** Equal for executions whose messages count for one plan. */
	subscription: string;
	/** What the plan allows; 0 is no limit. */
	requestsPerMinute: number;
	/** Check everything and send nothing. */
	dryRun: boolean;
	/** In a dry run: who gets the first message after all; '' is nobody. */
	testNumber: string;
	/** One output item for each recipient instead of one for each request. */
	perRecipient: boolean;
}
