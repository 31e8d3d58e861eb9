import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import { excerpt } from '../shared/text';

/** Returns the value of `read`; undefined if its expression fails. */
export function givenBy<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/**
 * Returns the value of `read`.
 *
 * @throws InputError if the expression of the option fails
 */
export function guardBy(read: () => unknown, name: string, advice: string): unknown {
	try {
		return read();
	} catch (error) {
		throw failed(name, error as Error, advice);
	}
}

function failed(name: string, { message }: Error, advice: string): InputError {
	const reason = excerpt(message).replace(/\.$/, '');
	return new InputError(`The expression in the option '${name}' failed: ${reason}`, advice);
}

/** How a person set the options of the node, before n8n resolves their expressions. Made once a run. */
export class GivenOptions {
	private readonly options: IDataObject;

	constructor(context: Pick<IExecuteFunctions, 'getNode'>) {
		this.options = (context.getNode().parameters.options ?? {}) as IDataObject;
	}

	/** Returns whether the node has the option at all. */
	has(name: string): boolean {
		return Object.hasOwn(this.options, name);
	}

	/**
	 * Returns the expression of an option, `={{ … }}`; undefined if its value is fixed. A field that was switched to
	 * an expression and left empty, `=`, is an empty field.
	 */
	expressionOf(name: string): string | undefined {
		const value = this.has(name) ? this.options[name] : undefined;
		return typeof value === 'string' && /^=\s*\S/.test(value) ? value : undefined;
	}

	/** Returns whether the option is an expression. Its result is never the same as an empty field. */
	isExpression(name: string): boolean {
		return this.expressionOf(name) !== undefined;
	}
}
