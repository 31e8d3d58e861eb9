import type { IExecuteFunctions } from 'n8n-workflow';

import { readsOneItem } from '../input/listExpression';
import { excerpt } from '../shared/quote';
import { givenBy } from './givenOptions';

/** Returns a warning if the expression reads one of several items, as it does where a person drags a field. */
export function warningOfOneItem(
	context: IExecuteFunctions,
	expression: string | undefined,
	field: string,
	verb: string,
): string | undefined {
	const one = expression === undefined ? undefined : readsOneItem(expression);
	if (!one) return undefined;
	const count = itemsOf(context, one.node);
	if (count < 2) return undefined;
	const place = one.node === undefined ? 'the input' : `“${excerpt(one.node)}”`;
	return `'${field}' holds the number of one item only, but ${place} has ${count.toLocaleString('en-US')} items. To ${verb} the numbers of all of them, use ${one.forAll}`;
}

/** Returns a warning if the list of a run with one item is one number of a node that has several items. */
export function listWarning(context: IExecuteFunctions): string | undefined {
	const { phoneNumbers } = context.getNode().parameters;
	if (context.getInputData().length > 1 || typeof phoneNumbers !== 'string') return undefined;
	const value = givenBy(() => context.getNodeParameter('phoneNumbers', 0, ''));
	const isOne = !Array.isArray(value) && !/[,;\n]/.test(String(value));
	return isOne ? warningOfOneItem(context, phoneNumbers, 'Phone Numbers', 'send to') : undefined;
}

function itemsOf(context: IExecuteFunctions, node?: string): number {
	if (node === undefined) return context.getInputData().length;
	try {
		const proxy = context.getWorkflowDataProxy(0) as unknown as {
			$: (name: string) => { all(): unknown[] };
		};
		return proxy.$(node).all().length;
	} catch {
		return 0;
	}
}
