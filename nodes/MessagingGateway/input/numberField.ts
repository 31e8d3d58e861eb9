import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';
import toPath from 'lodash/toPath';

import { InputError } from '../shared/inputError';
import { excerpt, hiddenIn, quote } from '../shared/text';
import { isBlank } from './text';

const MOST_FIELDS_SHOWN = 20;

/**
 * Returns the item's own value at a data path; undefined for inherited ones, such as `constructor`. A field whose name
 * differs only by what nobody sees is that field.
 *
 * @throws InputError if several fields look like it
 */
export function fieldAt(json: IDataObject, path: string): unknown {
	return findField(json, path)?.value;
}

function findField(json: IDataObject, path: string): { value: unknown } | undefined {
	if (has(json, path)) return { value: get(json, path) };
	if (isBlank(path)) return undefined;
	const whole = nameIn(json, path);
	if (whole !== undefined) return { value: json[whole] };
	let value: unknown = json;
	for (const name of toPath(path)) {
		const own = nameIn(value, name);
		if (own === undefined) return undefined;
		value = (value as IDataObject)[own];
	}
	return { value };
}

/** Returns the name of the field of an object that is called so, or looks so. */
function nameIn(parent: unknown, name: string): string | undefined {
	if (typeof parent !== 'object' || parent === null) return undefined;
	if (Object.hasOwn(parent, name)) return name;
	const seen = asSeen(name);
	const alike = Object.keys(parent).filter((each) => seen !== '' && asSeen(each) === seen);
	if (alike.length <= 1) return alike[0];
	throw new InputError(
		`This item has ${alike.length} fields that look like ${quote(name)}: ${fieldList(alike)}`,
		'Remove or rename all but one of them, e.g. with an Edit Fields node before this one.',
	);
}

/** Returns a name as a table shows it: without invisible characters and outer blanks. */
function asSeen(name: string): string {
	return name
		.normalize()
		.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/\p{Cc}/gu, '')
		.trim();
}

/** Returns the names of fields, with the characters that nobody sees: `name, phone (with U+FEFF in front)`. */
export function fieldList(names: readonly string[]): string {
	const shown = names.slice(0, MOST_FIELDS_SHOWN).map((name) => {
		const hidden = hiddenIn(name);
		return hidden === '' ? name : `${asSeen(name)} (with ${hidden})`;
	});
	return `${excerpt(shown.join(', '))}${names.length > MOST_FIELDS_SHOWN ? ' and more' : ''}`;
}

/** Returns the error of an item without a number in its field: the field is empty or missing. */
export function noNumberIn(name: string, json: IDataObject): InputError {
	const fields = Object.keys(json);
	const advice =
		fields.length === 0
			? 'The item has no fields at all. Check the previous node.'
			: `Its fields are: ${fieldList(fields)}. Enter one of them in 'Phone Number Field'.`;
	if (isBlank(name)) return new InputError("'Phone Number Field' is empty", advice);
	if (findField(json, name)) {
		return new InputError(
			`The field ${quote(name)} of this item is empty`,
			'Enter a phone number there, or remove the item before this node.',
		);
	}
	// Many programs that read a spreadsheet leave out the fields of empty cells.
	const ifOthersHaveIt = `If other items have ${quote(name)}, its cell may be empty here: enter a number there, or remove the item before this node.`;
	return new InputError(
		`The item has no field ${quote(name)}`,
		fields.length === 0 ? advice : `${advice} ${ifOthersHaveIt}`,
	);
}
