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

it('a list that is one number of a node with several items is told of, with the expression for all', () => {
	expect(warning(DRAGGED, '0812345678')).toBe(
		"'Phone Numbers' holds the number of one item only, but “Patients” has 12 items. To send to the numbers of all of them, use {{ $('Patients').all().map(i => i.json.phone) }}",
	);
	expect(warning(DRAGGED, 812345678)).toBeDefined();
});

it.each<[string, unknown, unknown, number]>([
	['a number for each of several items', DRAGGED, '0812345678', 2],
	['a field of the only item', '={{ $json.phone }}', '0812345678', 1],
	['an array', DRAGGED, ['0812345678', '0812345679'], 1],
	['several numbers in a text', DRAGGED, '0812345678\n0812345679', 1],
	['a fixed number', '0812345678', '0812345678', 1],
	['no text', ['0812345678'], '0812345678', 1],
])('a list is not told of if it is %s', (_, entered, value, items) => {
	expect(warning(entered, value, items)).toBeUndefined();
});
