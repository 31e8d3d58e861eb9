import type { IExecuteFunctions } from 'n8n-workflow';

import { readsOneItem } from '../input/listExpression';
import { entriesOf } from '../input/recipients';
import { excerpt } from '../shared/text';
import { givenBy } from './givenOptions';

/** Returns a warning if the list of a run with one item is one number of a node that has several items. */
export function listWarning(context: IExecuteFunctions): string | undefined {
	const { phoneNumbers } = context.getNode().parameters;
	const node = typeof phoneNumbers === 'string' ? readsOneItem(phoneNumbers)?.node : undefined;
	if (node === undefined || context.getInputData().length > 1) return undefined;
	const count = itemsOf(context, node);
	const read = () => context.getNodeParameter('phoneNumbers', 0, '');
	if (count < 2 || !isOneEntry(givenBy(read))) return undefined;
	// Behind a filter, an expression for all items would reach those whom the filter left out.
	return `'Phone Numbers' holds one number, but “${excerpt(node)}” has ${count.toLocaleString('en-US')} items. If all of them should get this message, put that node right before this one, and set 'Recipients From' to 'The Input Items'. In a loop or after a filter, one number may be right.`;
}

function isOneEntry(value: unknown): boolean {
	const isOneValue = typeof value === 'number' || typeof value === 'string';
	return isOneValue && entriesOf(value).length === 1;
}

/** Returns how many items a node has put out, or the input has; 0 if n8n does not know. */
export function itemsOf(context: IExecuteFunctions, node?: string): number {
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
