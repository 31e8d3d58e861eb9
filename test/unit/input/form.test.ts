import { parseForm } from '../../../nodes/MessagingGateway/input/form';
import { inputErrorOf } from '../../support/rooms';

const values = (...options: unknown[]) => ({ values: options.map((option) => ({ option })) });
const field = (more: object) => ({ fieldLabel: 'A', ...more });
const only = (more: object) => parseForm([field(more)])[0];

it('the rows of n8n’s own forms are read, and the same as JSON', () => {
	const rows = [
		{ fieldLabel: ' Name ', requiredField: true, placeholder: 'Ana', defaultValue: 'Bo' },
		{
			fieldLabel: 'Color',
			fieldType: 'dropdown',
			fieldOptions: values('Red', 2),
			defaultValue: '2',
		},
	];
	const fields = [
		{ kind: 'text', label: 'Name', isRequired: true, initial: ['Bo'], placeholder: 'Ana' },
		{
			kind: 'choice',
			label: 'Color',
			isRequired: false,
			initial: ['2'],
			choices: ['Red', '2'],
			least: 0,
			most: 1,
		},
	];
	expect(parseForm(rows)).toEqual(fields);
	expect(parseForm(JSON.stringify(rows))).toEqual(fields);
});

it.each([
	[{ fieldType: 'textarea' }, { kind: 'textarea' }],
	[{ fieldType: 'number' }, { kind: 'number' }],
	[
		{ fieldType: 'date', defaultValue: '2026-12-31' },
		{ kind: 'date', initial: ['2026-12-31'] },
	],
	[{ fieldType: 'email' }, { kind: 'email' }],
	[{ fieldType: 'radio' }, { kind: 'choice', most: 1 }],
	[
		{ fieldType: 'dropdown', multiselect: true },
		{ kind: 'choices', least: 0, most: 3 },
	],
	[
		{ fieldType: 'checkbox', defaultValue: 'c, a, x' },
		{ kind: 'choices', least: 0, most: 3, initial: ['c', 'a'] },
	],
	[
		{ fieldType: 'checkbox', limitSelection: 'exact', numberOfSelections: 2 },
		{ least: 2, most: 2 },
	],
	[
		{ fieldType: 'checkbox', limitSelection: 'range', minSelections: 1, maxSelections: 2 },
		{ least: 1, most: 2 },
	],
	[
		{ fieldType: 'checkbox', limitSelection: 'range' },
		{ least: 0, most: 1 },
	],
])('a field of the type %j is read', (given, expected) => {
	expect(only({ fieldOptions: values('a', 'b', 'c'), ...given })).toMatchObject(expected);
});

it.each<[string, unknown]>([
	['has no fields', []],
	['has no fields', undefined],
	['has no fields', '{'],
	['has no fields', '{"fieldLabel":"A"}'],
	['has 51 fields', Array.from({ length: 51 }, (_, index) => ({ fieldLabel: `${index}` }))],
	['Field 1 of the form has no name', [{}]],
	['Field 1 of the form has no name', [null]],
	['cannot be used: “__proto__”', [{ fieldLabel: '__proto__' }]],
	['cannot be used: “respondedAt”', [{ fieldLabel: 'respondedAt' }]],
	['cannot be used: “aaa', [{ fieldLabel: 'a'.repeat(1_001) }]],
	['Two fields of the form are called “A”', [field({}), field({ fieldType: 'date' })]],
	['type that the page cannot show: “file”', [field({ fieldType: 'file' })]],
	['Field 1 of the form is of a type that', [{ fieldType: 'html', elementName: 'x' }]],
	['type that the page cannot show: “constructor”', [field({ fieldType: 'constructor' })]],
	...[undefined, values(), values('a', 'a'), values('a', ''), values(...Array(201).keys())].map(
		(fieldOptions) =>
			['different options', [field({ fieldType: 'radio', fieldOptions })]] as [string, unknown],
	),
	...[
		{ limitSelection: 'exact', numberOfSelections: 3 },
		{ limitSelection: 'exact', numberOfSelections: 'x' },
		{ limitSelection: 'range', minSelections: 2, maxSelections: 1 },
		{ limitSelection: 'Exact' },
		{ limitSelection: {} },
	].map(
		(more) =>
			[
				'Nobody can choose as many',
				[field({ fieldType: 'checkbox', fieldOptions: values('a', 'b'), ...more })],
			] as [string, unknown],
	),
])('the error about a form says “%s”', (what, fields) => {
	expect(inputErrorOf(() => parseForm(fields)).what).toContain(what);
});

it('a field is required unless that is left out, empty or a word for no', () => {
	const isRequired = (requiredField: unknown) => only({ requiredField })?.isRequired;
	for (const value of [true, 'true', 'TRUE', 'Yes', 1, '1', 'required', NaN, {}]) {
		expect([value, isRequired(value)]).toEqual([value, true]);
	}
	for (const value of [undefined, null, '', ' ', false, 'false', 'No', 0, '0']) {
		expect([value, isRequired(value)]).toEqual([value, false]);
	}
});
