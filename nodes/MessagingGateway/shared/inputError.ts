/** What a person entered cannot be sent as it is. Thrown before anything has reached the gateway. */
export class InputError extends Error {
	/** The parameter that holds it, if it is in one; set by whoever has read that parameter. */
	parameter?: string;
	/** It concerns all items. */
	isOfWholeRun = false;
	/** The execution was stopped; nothing has to be corrected. */
	isStop = false;

	/**
	 * @param what one sentence without its period: what is wrong
	 * @param advice one or two sentences: what to correct
	 * @param step what to do next, if it is not Retry
	 */
	constructor(
		readonly what: string,
		readonly advice: string,
		readonly step?: string,
	) {
		super(what);
	}
}

/** Returns, or resolves to, what `read` gives. An InputError of it gets the name of the parameter. */
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
