/** What a person entered cannot be sent as it is. Thrown before anything has reached the gateway. */
export class InputError extends Error {
	/**
	 * @param what one sentence without its period: what is wrong
	 * @param advice one sentence or two: what to do now
	 */
	constructor(
		readonly what: string,
		readonly advice: string,
	) {
		super(what);
	}
}
