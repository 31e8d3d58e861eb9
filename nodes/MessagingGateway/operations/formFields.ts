import type { INodeProperties } from 'n8n-workflow';

const options: INodeProperties = {
	displayName: 'Field Options',
	name: 'fieldOptions',
	type: 'fixedCollection',
	placeholder: 'Add Field Option',
	default: { values: [{ option: '' }] },
	required: true,
	description: 'The choices for the person. Up to six are shown as buttons.',
	typeOptions: { multipleValues: true, sortable: true },
	displayOptions: { show: { fieldType: ['dropdown', 'radio', 'checkbox'] } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [{ displayName: 'Option', name: 'option', type: 'string', default: '' }],
		},
	],
};

const limits: INodeProperties[] = [
	{
		displayName: 'Limit Selection',
		name: 'limitSelection',
		type: 'options',
		default: 'unlimited',
		options: [
			{ name: 'Exact Number', value: 'exact' },
			{ name: 'Range', value: 'range' },
			{ name: 'Unlimited', value: 'unlimited' },
		],
		displayOptions: { show: { fieldType: ['checkbox'] } },
	},
	{
		displayName: 'Number of Selections',
		name: 'numberOfSelections',
		type: 'number',
		default: 1,
		typeOptions: { numberPrecision: 0, minValue: 1 },
		displayOptions: { show: { fieldType: ['checkbox'], limitSelection: ['exact'] } },
	},
	{
		displayName: 'Minimum Selections',
		name: 'minSelections',
		type: 'number',
		default: 0,
		typeOptions: { numberPrecision: 0, minValue: 0 },
		displayOptions: { show: { fieldType: ['checkbox'], limitSelection: ['range'] } },
	},
	{
		displayName: 'Maximum Selections',
		name: 'maxSelections',
		type: 'number',
		default: 1,
		typeOptions: { numberPrecision: 0, minValue: 1 },
		displayOptions: { show: { fieldType: ['checkbox'], limitSelection: ['range'] } },
	},
];

const field: INodeProperties[] = [
	{
		displayName: 'Field Name',
		name: 'fieldLabel',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. What is your name?',
		description: 'Shown above the field, and the name of the answer in the output',
	},
	{
		displayName: 'Element Type',
		name: 'fieldType',
		type: 'options',
		required: true,
		default: 'text',
		description: 'How the person answers',
		options: [
			{ name: 'Checkboxes', value: 'checkbox' },
			{ name: 'Date', value: 'date' },
			{ name: 'Dropdown', value: 'dropdown' },
			{ name: 'Email', value: 'email' },
			{ name: 'Number', value: 'number' },
			{ name: 'Radio Buttons', value: 'radio' },
			{ name: 'Text Input', value: 'text' },
			{ name: 'Textarea', value: 'textarea' },
		],
	},
	{
		displayName: 'Placeholder',
		name: 'placeholder',
		type: 'string',
		default: '',
		description: 'Sample text to display inside the field',
		displayOptions: { show: { fieldType: ['text', 'textarea', 'number', 'email'] } },
	},
	{
		displayName: 'Default Value',
		name: 'defaultValue',
		type: 'string',
		default: '',
		description:
			'The initial value: text, a date such as 2026-12-31, or an option. Separate several options with commas.',
	},
	options,
	...limits,
	{
		displayName: 'Required Field',
		name: 'requiredField',
		type: 'boolean',
		default: false,
		description: 'Whether the person has to fill in this field',
	},
];

/** Names, values and defaults are those of n8n's own nodes, so that a form can be pasted from one of them. */
export const formFields: INodeProperties[] = [
	{
		displayName: 'Define Form',
		name: 'defineForm',
		type: 'options',
		noDataExpression: true,
		default: 'fields',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		displayOptions: { show: { responseType: ['customForm'] } },
	},
	{
		displayName: 'Form Elements',
		name: 'formFields',
		type: 'fixedCollection',
		placeholder: 'Add Form Element',
		default: {},
		typeOptions: { multipleValues: true, sortable: true },
		options: [{ displayName: 'Values', name: 'values', values: field }],
		displayOptions: { show: { responseType: ['customForm'], defineForm: ['fields'] } },
	},
	{
		displayName: 'Form Fields',
		name: 'jsonOutput',
		type: 'json',
		typeOptions: { rows: 5 },
		default:
			'[\n  { "fieldLabel": "Name", "requiredField": true },\n  { "fieldLabel": "Age", "fieldType": "number" }\n]',
		description:
			'The fields as a list, with the keys of the n8n Form node: fieldLabel, fieldType, requiredField, fieldOptions',
		displayOptions: { show: { responseType: ['customForm'], defineForm: ['json'] } },
	},
];
