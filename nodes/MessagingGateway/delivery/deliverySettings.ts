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
	/** Send uncertain messages again when an execution is retried. */
	resendUncertain: boolean;
	/** Go on with the other items after one has failed. */
	continueOnFail: boolean;
	/** n8n runs the node again when it fails (Retry On Fail). */
	retryOnFail: boolean;
	/** Equal for all executions that share a plan. */
	subscription: string;
	/** The limit of the plan; 0 is no limit. */
	requestsPerMinute: number;
	/** Check everything and send nothing. */
	dryRun: boolean;
	/** In a dry run: the number that gets the first message; '' if there is none. */
	testNumber: string;
	/** One output item for each recipient instead of one for each request. */
	perRecipient: boolean;
}
