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
	[{ fieldType: 'number' }, { kind: 'number', initial: [] }],
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
		{ fieldType: 'checkbox', defaultValue: 'cd, a, x' },
		{ kind: 'choices', least: 0, most: 3, initial: ['cd', 'a'] },
	],
	[
		{ fieldType: 'checkbox', limitSelection: 'exact', numberOfSelections: 3 },
		{ least: 3, most: 3 },
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
	expect(only({ fieldOptions: values('a', 'b', 'cd'), ...given })).toMatchObject(expected);
});

const NONE =
	'Add one under \'Form Elements\'; in JSON, give a list of objects such as { "fieldLabel": "Name" }.';
const NAME =
	"Enter another one in 'Field Name'. It is shown above the field, and the output uses it as the name of the answer.";
const TYPE =
	"Choose another 'Element Type': a text, text area, number, date, email, drop-down, radio buttons or check boxes.";
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ fieldLabel: `${index}` }));
const notText = (name: string, Name: string, more: object): [string, string, unknown] => [
	`The ${name} is an object, not text`,
	`Check the expression in '${Name}': choose a single field.`,
	[field(more)],
];

it.each<[string, string, unknown]>([
	['The form has no fields', NONE, []],
	['The form has no fields', NONE, undefined],
	['The form has no fields', NONE, '{'],
	['The form has no fields', NONE, '{"fieldLabel":"A"}'],
	[
		'The form has 51 fields, and a page shows at most 50',
		'Remove some, or ask in two questions.',
		rows(51),
	],
	['Field 1 of the form has no name', NAME, [{}]],
	['Field 2 of the form has no name', NAME, [field({}), null]],
	[
		'Field 1 of the form has a name that cannot be used: “__proto__”',
		NAME,
		[{ fieldLabel: '__proto__' }],
	],
	[
		'Field 1 of the form has a name that cannot be used: “respondedAt”',
		NAME,
		[{ fieldLabel: 'respondedAt' }],
	],
	[
		`Field 1 of the form has a name that cannot be used: “${'a'.repeat(300)} …”`,
		NAME,
		[{ fieldLabel: 'a'.repeat(1_001) }],
	],
	[
		'Two fields of the form are called “A”',
		'Give each a different name: the output uses it as the name of the answer.',
		[field({}), field({ fieldType: 'date' })],
	],
	[
		'Field 1 of the form, “A”, is of a type that the page cannot show: “file”',
		TYPE,
		[field({ fieldType: 'file' })],
	],
	[
		'Field 1 of the form is of a type that the page cannot show: “html”',
		TYPE,
		[{ fieldType: 'html', elementName: 'x' }],
	],
	[
		'Field 1 of the form, “A”, is of a type that the page cannot show: “constructor”',
		TYPE,
		[field({ fieldType: 'constructor' })],
	],
	notText('field name', 'Field Name', { fieldLabel: {} }),
	notText('element type', 'Element Type', { fieldType: {} }),
	notText('placeholder', 'Placeholder', { placeholder: {} }),
	notText('default value', 'Default Value', { defaultValue: {} }),
	notText('option', 'Option', { fieldType: 'radio', fieldOptions: values({}) }),
	...[
		undefined,
		{ values: 'a' },
		{ values: [null] },
		values(),
		values('a', 'a'),
		values('a', ''),
		values(...Array(201).keys(), {}),
	].map((fieldOptions): [string, string, unknown] => [
		"The form's field “A” needs 1 to 200 different options, none of them empty",
		"Check them under 'Field Options'.",
		[field({ fieldType: 'radio', fieldOptions })],
	]),
	...[
		{ limitSelection: 'exact', numberOfSelections: 3 },
		{ limitSelection: 'exact', numberOfSelections: 0 },
		{ limitSelection: 'exact', numberOfSelections: 'x' },
		{ limitSelection: 'range', minSelections: 2, maxSelections: 1 },
		{ limitSelection: 'range', minSelections: -1, maxSelections: 1 },
		{ limitSelection: 'Exact' },
		{ limitSelection: {} },
	].map((more): [string, string, unknown] => [
		"The 'Limit Selection' of the form's field “A” does not fit its number of options",
		'Correct the numbers, or choose Unlimited. In JSON, use exact, range or unlimited.',
		[field({ fieldType: 'checkbox', fieldOptions: values('a', 'b'), ...more })],
	]),
])('the error about a form says “%s”, and what to do', (what, advice, fields) => {
	expect(inputErrorOf(() => parseForm(fields))).toMatchObject({ what, advice });
});

it('a form may be as long as 50 fields, a name as 1,000 characters, and a choice as 200 options', () => {
	const fieldLabel = 'a'.repeat(1_000);
	expect(parseForm(rows(50))).toHaveLength(50);
	expect(
		only({ fieldLabel, fieldType: 'radio', fieldOptions: values(...Array(200).keys()) }),
	).toEqual(
		expect.objectContaining({ label: fieldLabel, choices: [...Array(200).keys()].map(String) }),
	);
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
