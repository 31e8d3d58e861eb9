import type { IExecuteFunctions } from 'n8n-workflow';
import { listWarning } from '../../../nodes/MessagingGateway/operations/oneItem';

const warning = (phoneNumbers: unknown, value: unknown, items = 1) =>
	listWarning({
		getNode: () => ({ parameters: { phoneNumbers } }),
		getInputData: () => Array(items).fill({ json: {} }),
		getNodeParameter: () => value,
		getWorkflowDataProxy: () => ({ $: () => ({ all: () => Array(12) }) }),
	} as unknown as IExecuteFunctions);

const DRAGGED = "={{ $('Patients').item.json.phone }}";

it('a list that is one number of a node with several items is told of, with the way to reach all', () => {
	expect(warning(DRAGGED, '0812345678')).toBe(
		"'Phone Numbers' holds one number, but “Patients” has 12 items. If all of them should get this message, put that node right before this one, and set 'Recipients From' to 'The Input Items'. In a loop or after a filter, one number may be right.",
	);
	expect(warning(DRAGGED, 812345678)).toBeDefined();
});

it.each<[string, unknown, unknown, number]>([
	['a number for each of several items', DRAGGED, '0812345678', 2],
	['a field of the only item', '={{ $json.phone }}', '0812345678', 1],
	['an array', DRAGGED, ['0812345678', '0812345679'], 1],
	['several numbers in a text', DRAGGED, '0812345678، 0812345679', 1],
	['neither a text nor a number', DRAGGED, { valueOf: 1 }, 1],
	['a fixed number', '0812345678', '0812345678', 1],
	['no text', ['0812345678'], '0812345678', 1],
])('a list is not told of if it is %s', (_, entered, value, items) => {
	expect(warning(entered, value, items)).toBeUndefined();
});
