import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';

import { InputError } from '../shared/inputError';
import { excerpt, quote } from '../shared/text';
import { isBlank } from './text';

/** Returns the item's own value at a data path; undefined for inherited ones, such as `constructor`. */
export function fieldAt(json: IDataObject, path: string): unknown {
	return has(json, path) ? get(json, path) : undefined;
}

/** Returns the error of an item without a number in its field: the field is empty or missing. */
export function noNumberIn(name: string, json: IDataObject): InputError {
	const fields = Object.keys(json);
	const advice =
		fields.length === 0
			? 'The item has no fields at all. Check the previous node.'
			: `Its fields are: ${excerpt(fields.join(', '))}. Enter one of them in 'Phone Number Field'.`;
	if (isBlank(name)) return new InputError("'Phone Number Field' is empty", advice);
	if (has(json, name)) {
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
