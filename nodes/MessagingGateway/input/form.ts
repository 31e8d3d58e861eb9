import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import type { FormField, TypedField } from '../shared/question';
import { quote } from '../shared/text';
import { parseSwitch } from './optionValue';
import { isBlank, toIdentifier, toText } from './text';

/** More than a person fills in on a phone, and few enough for a page. */
const MOST_FIELDS = 50;
const MOST_CHOICES = 200;
const LONGEST_LABEL = 1_000;

const TYPED = ['text', 'textarea', 'number', 'date', 'email'];
const CHOICES = ['dropdown', 'radio', 'checkbox'];

const LIMITS = ['exact', 'range', 'unlimited'];

/** Names that the output reserves, or that an object cannot hold. */
const RESERVED = ['respondedAt', '__proto__'];

/**
 * Returns the fields of a form, in the format of n8n's own nodes.
 *
 * @param fields the rows of the parameter, or JSON with the same keys
 * @throws InputError for a field that the page cannot show, or whose reply could not be told from another's
 */
export function parseForm(fields: unknown): FormField[] {
	const rows = typeof fields === 'string' ? parsedJson(fields) : fields;
	if (!Array.isArray(rows) || rows.length === 0) {
		throw new InputError(
			'The form has no fields',
			'Add one under \'Form Elements\'; in JSON, give a list of objects such as { "fieldLabel": "Name" }.',
		);
	}
	if (rows.length > MOST_FIELDS) {
		throw new InputError(
			`The form has ${rows.length} fields, and a page shows at most ${MOST_FIELDS}`,
			'Remove some, or ask in two questions.',
		);
	}
	const parsed = rows.map((row: unknown, index) => parseField(row, index));
	const labels = new Set<string>();
	for (const { label } of parsed) {
		if (labels.has(label)) {
			throw new InputError(
				`Two fields of the form are called ${quote(label)}`,
				'Give each a different name: the output uses it as the name of the answer.',
			);
		}
		labels.add(label);
	}
	return parsed;
}

/** Returns undefined if it is not JSON. */
function parsedJson(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

function parseField(row: unknown, index: number): FormField {
	const field = (typeof row === 'object' && row !== null ? row : {}) as IDataObject;
	const label = toIdentifier(field.fieldLabel, 'field name');
	const which = `Field ${index + 1} of the form`;
	const type = isBlank(field.fieldType) ? 'text' : toText(field.fieldType, 'element type');
	if (![...TYPED, ...CHOICES].includes(type)) {
		throw new InputError(
			`${which}${label && `, ${quote(label)},`} is of a type that the page cannot show: ${quote(type)}`,
			"Choose another 'Element Type': a text, text area, number, date, email, drop-down, radio buttons or check boxes.",
		);
	}
	if (label === '' || label.length > LONGEST_LABEL || RESERVED.includes(label)) {
		throw new InputError(
			label === ''
				? `${which} has no name`
				: `${which} has a name that cannot be used: ${quote(label)}`,
			"Enter another one in 'Field Name'. It is shown above the field, and the output uses it as the name of the answer.",
		);
	}
	const isRequired = !isBlank(field.requiredField) && parseSwitch(field.requiredField) !== false;
	const initial = initialOf(field.defaultValue);
	if (TYPED.includes(type)) {
		const placeholder = toText(field.placeholder, 'placeholder');
		return { kind: type as TypedField['kind'], label, isRequired, initial, placeholder };
	}
	const takesMany = type === 'checkbox' || String(field.multiselect) === 'true';
	const choices = choicesOf(field.fieldOptions, label);
	const [least, most] = takesMany ? limitsOf(field, label, choices.length) : [0, 1];
	const kind = takesMany ? 'choices' : 'choice';
	const chosen = takesMany ? initial.flatMap((text) => text.split(',')) : initial;
	const known = chosen.map((text) => text.trim()).filter((text) => choices.includes(text));
	return { kind, label, isRequired, initial: known, choices, least, most };
}

function initialOf(value: unknown): string[] {
	if (isBlank(value)) return [];
	return [value instanceof Date ? value.toISOString() : toText(value, 'default value')];
}

function choicesOf(options: unknown, label: string): string[] {
	const { values } = (options ?? {}) as { values?: unknown };
	const choices = (Array.isArray(values) ? values : [])
		.slice(0, MOST_CHOICES + 1)
		.map((each: unknown) => toIdentifier((each as IDataObject | null)?.option, 'option'));
	const isUsable = choices.length > 0 && choices.length <= MOST_CHOICES;
	if (isUsable && !choices.includes('') && new Set(choices).size === choices.length) return choices;
	throw new InputError(
		`The form's field ${quote(label)} needs 1 to ${MOST_CHOICES} different options, none of them empty`,
		"Check them under 'Field Options'.",
	);
}

/** Returns how many check boxes have to be ticked, and how many may be. */
function limitsOf(field: IDataObject, label: string, count: number): [number, number] {
	const number = (value: unknown, fallback: number) => (isBlank(value) ? fallback : Number(value));
	const { limitSelection } = field;
	const exact = number(field.numberOfSelections, 1);
	const [least, most] =
		limitSelection === 'exact'
			? [exact, exact]
			: limitSelection === 'range'
				? [number(field.minSelections, 0), number(field.maxSelections, 1)]
				: [0, count];
	const isKnown = isBlank(limitSelection) || LIMITS.includes(String(limitSelection));
	if (isKnown && least >= 0 && most >= 1 && least <= most && least <= count) return [least, most];
	throw new InputError(
		`The 'Limit Selection' of the form's field ${quote(label)} does not fit its number of options`,
		'Correct the numbers, or choose Unlimited. In JSON, use exact, range or unlimited.',
	);
}
