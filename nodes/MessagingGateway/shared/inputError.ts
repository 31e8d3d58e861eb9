/** What a person entered cannot be sent as it is. Thrown before anything has reached the gateway. */
export class InputError extends Error {
	/**
	 * @param what one sentence without its period: what is wrong
	 * @param advice one or two sentences: what to correct
	 * @param step what to do next, if it is neither Retry nor another run
	 */
	constructor(
		readonly what: string,
		readonly advice: string,
		readonly step?: string,
	) {
		super(what);
	}
}
