/** Something that a person entered cannot be sent. Thrown before anything reaches the gateway. */
export class InputError extends Error {
	/** The parameter with the wrong value, if there is one. `naming` sets it. */
	parameter?: string;
	/** Whether it concerns all items. */
	isOfWholeRun = false;
	/** Whether the execution was stopped, so that there is nothing to correct. */
	isStop = false;

	/**
	 * @param what one sentence without its period: the problem
	 * @param advice one or two sentences: what to correct
	 * @param step the next step, if it is not Retry
	 */
	constructor(
		readonly what: string,
		readonly advice: string,
		readonly step?: string,
	) {
		super(what);
	}
}

/** Returns the value of `read`. If it throws an InputError, the error gets the name of the parameter. */
export function naming<T>(parameter: string, read: () => T): T {
	const fail = (error: unknown): never => {
		if (error instanceof InputError) error.parameter ??= parameter;
		throw error;
	};
	try {
		const value = read();
		return value instanceof Promise ? (value.catch(fail) as T) : value;
	} catch (error) {
		return fail(error);
	}
}
