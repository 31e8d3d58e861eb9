/** Something that a person entered cannot be sent. Thrown before anything reaches the gateway. */
export class InputError extends Error {
	/** Whether it concerns all items. */
	isOfWholeRun = false;
	/** Whether the execution was stopped, so that there is nothing to correct. */
	isStop = false;

	/**
	 * @param what one sentence without its period: the problem
	 * @param advice one or two sentences: what to correct
	 * @param step the next step, if it is not Retry; '' if there is none
	 */
	constructor(
		readonly what: string,
		readonly advice: string,
		readonly step?: string,
	) {
		super(what);
	}
}
