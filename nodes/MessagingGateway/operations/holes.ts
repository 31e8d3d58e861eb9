/**
 * Holes in the texts of a dry run: a plain path, such as `$json.customer.name`, that is empty or an object, and the words
 * that n8n writes for a missing value.
 */

import { distance } from 'fastest-levenshtein';
import type { IExecuteFunctions } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';

import { splitExpression } from '../input/expression';
import { getOrAdd } from '../shared/getOrAdd';
import { isVisible, quote } from '../shared/text';
import { Breather } from '../shared/time';

const WORD = /\b(?:undefined|NaN)\b|\[object Object\]/;

/** The next name of a path: `.name`, `["name"]`, `[0]`. */
const STEP = String.raw`\??\.[A-Za-z_$][\w$]*|(?:\?\.)?\[(?:'[^']*'|"[^"]*"|\d+)\]`;
/** A field of the item: `$json.customer["name"]`. */
const FIELD = new RegExp(String.raw`^\$json(?:${STEP})+$`);
/** Nothing but names: a field, or `$('List').first().json.name`. */
const PATH = new RegExp(String.raw`^\$[\w$]*(?:\((?:'[^']*'|"[^"]*")\))?(?:${STEP}|\(\d*\))*$`);

const MOST_FIELDS = 200;
/** Characters. Nobody mistypes a longer name of a field. */
const LONGEST_NAME = 60;

/** The text with the hole, in a person's words. */
export type TextName = 'text' | 'caption' | 'file name';

/** One hole, in all texts of the run. */
export interface HoleReport {
	name: TextName;
	/** A clause: `“{{ $json.nme }}” is empty`. */
	what: string;
	isEmpty?: boolean;
	/** The items that have it. */
	items: number[];
	/** How many texts there are. */
	of: number;
	/** The field, if no item has it, and the fields that the items have instead. */
	missing?: { field: string; nearest?: string; fields: string[] };
	/** The fields of an object. */
	fields?: string[];
}

interface Hole extends Pick<HoleReport, 'what' | 'isEmpty' | 'fields'> {
	/** Of an empty field: the names in `$json`. */
	path?: string[];
}

/** Looks at the texts of one dry run. */
export class Holes {
	private readonly codes: string[];
	private readonly found = new Map<string, Hole & { items: number[] }>();
	/** By item whose text was looked at: its first hole. */
	private readonly firstOfItem = new Map<number, string | undefined>();

	/** @param parameter the text with its expressions, as the person entered it */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly name: TextName,
		private readonly parameter: unknown,
	) {
		const isExpression = typeof parameter === 'string' && parameter.startsWith('=');
		this.codes = isExpression ? splitExpression(parameter).codes : [];
	}

	/** Looks at the text of one item, as n8n has put it together. A test reads an item again, which counts once. */
	look(item: number, text: unknown): void {
		if (this.firstOfItem.has(item)) return;
		const holes = this.codes.flatMap((code) => this.holeIn(code, item) ?? []);
		const word = typeof text === 'string' ? WORD.exec(text)?.[0] : undefined;
		const isKnown = holes.some(({ fields }) => fields);
		if (word && !isKnown && !String(this.parameter).includes(word)) {
			holes.push({ what: `${quote(word)} appears instead of a value` });
		}
		for (const hole of holes) {
			getOrAdd(this.found, hole.what, () => ({ ...hole, items: [] })).items.push(item);
		}
		this.firstOfItem.set(item, holes[0]?.what);
	}

	/** Returns the first hole in the text of an item, as a clause. */
	ofItem(item: number): string | undefined {
		return this.firstOfItem.get(item);
	}

	async report(): Promise<HoleReport[]> {
		const reports: HoleReport[] = [];
		for (const { path, ...hole } of this.found.values()) {
			const missing = path && (await this.missingIn(path));
			reports.push({ ...hole, name: this.name, of: this.firstOfItem.size, missing });
		}
		return reports;
	}

	private holeIn(code: string, item: number): Hole | undefined {
		if (!PATH.test(code)) return undefined;
		const path = FIELD.test(code) ? namesIn(code) : undefined;
		const value = path
			? (get(this.context.getInputData()[item]?.json, path) as unknown)
			: this.valueOf(code, item);
		const shown = quote(`{{ ${code} }}`);
		if (isEmpty(value)) return { what: `${shown} is empty`, isEmpty: true, path };
		if (typeof value !== 'object' || !textOf(value).includes('[object ')) return undefined;
		const fields = Array.isArray(value) ? [] : Object.keys(value as object);
		return { what: `${shown} is an object, not text`, fields };
	}

	/** Returns undefined for a path that fails. n8n leaves it out of the text, too. */
	private valueOf(code: string, item: number): unknown {
		try {
			return this.context.evaluateExpression(`{{ ${code} }}`, item);
		} catch {
			return undefined;
		}
	}

	/** Resolves to the first field of a path that no item has; undefined if an item has the whole path. */
	private async missingIn(path: string[]): Promise<HoleReport['missing']> {
		const breather = new Breather();
		let depth = 0;
		let fields = new Set<string>();
		for (const { json } of this.context.getInputData()) {
			if (breather.isDue()) await breather.breathe();
			if (has(json, path)) return undefined;
			while (has(json, path.slice(0, depth + 1))) {
				depth++;
				fields = new Set();
			}
			const parent: unknown = depth === 0 ? json : get(json, path.slice(0, depth));
			if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) continue;
			for (const field of Object.keys(parent)) {
				if (fields.size < MOST_FIELDS) fields.add(field);
			}
		}
		const known = [...fields];
		return {
			field: path.slice(0, depth + 1).join('.'),
			nearest: nearest(path[depth] as string, known),
			fields: known,
		};
	}
}

/** Returns the names in the path of a field, without the first, `$json`. */
function namesIn(field: string): string[] {
	const names = [...field.matchAll(/'([^']*)'|"([^"]*)"|[\w$]+/g)];
	return names.slice(1).map(([name, single, double]) => single ?? double ?? name);
}

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || Number.isNaN(value)) return true;
	if (Array.isArray(value)) return value.length === 0;
	// A line break alone is there on purpose.
	return typeof value === 'string' && !isVisible(value) && !value.includes('\n');
}

/** Dates, and lists of texts, are objects that can be read. */
function textOf(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}

/** Returns the name that was most likely meant. Upper and lower case and signs do not count: `orderID` is `order_id`. */
function nearest(name: string, known: readonly string[]): string | undefined {
	const meant = lettersOf(name);
	const near = known
		.filter((candidate) => Math.max(candidate.length, name.length) <= LONGEST_NAME)
		.map((candidate) => ({ candidate, changes: distance(meant, lettersOf(candidate)) }))
		.filter(({ changes }) => changes <= Math.max(1, Math.floor(meant.length / 3)))
		.sort((a, b) => a.changes - b.changes);
	return near[0]?.candidate;
}

function lettersOf(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name;
}
