import type { NodeExecutionHint } from 'n8n-workflow';

import type { HoleReport } from '../operations/textHoles';
import { excerpt, quote } from '../shared/quote';
import { sentences } from '../shared/sentences';
import { figure, firstOf, info, warning } from './figures';

const MOST_FIELDS_SHOWN = 6;

/** Returns what a person should know of the texts: pieces of code that gave nothing, or an object. */
export function holeHints(holes: readonly HoleReport[]): Array<NodeExecutionHint | undefined> {
	return holes.map((hole) => {
		const code = quote(`{{ ${hole.code} }}`);
		const first = `${placeOf(hole)} ${code} ${faultOf(hole)}${itemsOf(hole)}.`;
		if (hole.isOnPurpose && hole.kind === 'empty') return info(first);
		return warning(sentences(first, fieldOf(hole), fieldsOf(hole), leaveOut(hole)));
	});
}

function placeOf({ count, of, isAtLeast, isPart, name }: HoleReport): string {
	if (of === 1) return isPart ? `In the first ${name}` : `In the ${name}`;
	const all = `${isPart ? 'the first ' : ''}${figure(of)} ${name}s`;
	if (count === of) return `In all ${all}`;
	return `In ${isAtLeast ? 'at least ' : ''}${figure(count)} of ${all}`;
}

function faultOf({ kind, word, isOnPurpose }: HoleReport): string {
	if (kind === 'word') return `gives ${quote(word ?? '')}`;
	if (kind === 'object') return 'is an object, not text';
	return isOnPurpose ? 'is empty, as its code allows' : 'is empty';
}

/** People count from 1. */
function itemsOf({ items, count, of }: HoleReport): string {
	if (count === of) return '';
	const shown = firstOf(
		items.map((item) => figure(item + 1)),
		count,
	);
	return `: ${count === 1 ? 'item' : 'items'} ${shown}, counted from 1`;
}

function fieldOf({ missing }: HoleReport): string {
	if (!missing) return '';
	const { field, fields, nearest, isOfItems } = missing;
	const no = `${isOfItems ? 'No item has a field' : 'There is no field'} ${quote(field)}`;
	if (nearest !== undefined) return `${no}: did you mean ${quote(nearest)}?`;
	return fields.length === 0 ? `${no}.` : `${no}. The fields are: ${listOf(fields)}.`;
}

function fieldsOf({ fields }: HoleReport): string {
	return fields.length > 0 ? `Choose one of its fields: ${listOf(fields)}.` : '';
}

function leaveOut({ kind, count, of, missing, name }: HoleReport): string {
	if (kind !== 'empty' || count >= of || missing) return '';
	return name === 'Send-Once Key'
		? 'Fill the field in: items with the same key count as one message.'
		: 'A Filter node before this one can leave such items out.';
}

function listOf(fields: readonly string[]): string {
	const more = fields.length > MOST_FIELDS_SHOWN ? ' and more' : '';
	return `${excerpt(fields.slice(0, MOST_FIELDS_SHOWN).join(', '))}${more}`;
}
