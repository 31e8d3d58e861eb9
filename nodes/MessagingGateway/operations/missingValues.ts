/** Finds values that are missing in texts: expressions that give nothing or an object, and words in place of a value. */

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';

import { codeIn, splitExpression } from '../input/expression';
import { fieldList } from '../input/numberField';
import { placeholderIn } from '../input/placeholders';
import { formatCallFor } from '../input/text';
import { getOrAdd } from '../shared/getOrAdd';
import { isVisible, quote } from '../shared/text';
import { Breather } from '../shared/time';

/** The next name of a path: `.name`, `["name"]`, `[0]`. */
const STEP = String.raw`\??\.[A-Za-z_$][\w$]*|(?:\?\.)?\[(?:'[^']*'|"[^"]*"|\d+)\]`;
/** A field of the item: `$json.customer["name"]`. */
const FIELD = new RegExp(String.raw`^\$json(?:${STEP})+$`);
/** Nothing but names: a field, or `$('List').first().json.name`. */
const PATH = new RegExp(String.raw`^\$[\w$]*(?:\((?:'[^']*'|"[^"]*")\))?(?:${STEP}|\(\d*\))*$`);

const MOST_FIELDS = 200;

/** Values in a row after which a run that sends trusts an expression, because each look takes as long as n8n's own. */
const TRUSTED_AFTER = 100;

type Evaluating = Pick<IExecuteFunctions, 'evaluateExpression'>;

/** The text with the fault, in a person's words. */
export type TextName = 'text' | 'caption' | 'file name';

/** One fault, in all texts of the run. */
export interface FaultReport {
	name: TextName;
	/** A clause: `“{{ $json.nme }}” is empty`. */
	what: string;
	isEmpty?: boolean;
	/** One or two sentences. */
	advice?: string;
	/** The items that have it. */
	items: number[];
	/** How many texts there are. */
	of: number;
}

interface Fault extends Pick<FaultReport, 'what' | 'isEmpty' | 'advice'> {
	/** Of an empty field: the names in `$json`. */
	path?: string[];
}

/** Looks at one text of each item. */
export class MissingValues {
	private readonly codes: readonly string[] = [];
	/** The text around the expressions. Its words are meant as they are. */
	private readonly typed: string;
	private readonly found = new Map<string, Fault & { items: number[] }>();
	/** How many values an expression has given. */
	private readonly given = new Map<string, number>();
	/** By item whose text was looked at: its first fault. */
	private readonly firstOfItem = new Map<number, string | undefined>();

	/**
	 * @param parameter the text with its expressions, as the person entered it
	 * @param isDryRun also look for code and line breaks that go out as they are
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly name: TextName,
		parameter: unknown,
		private readonly isDryRun: boolean,
	) {
		this.typed = String(parameter);
		if (!this.typed.startsWith('=')) return;
		({ codes: this.codes, text: this.typed } = splitExpression(this.typed));
	}

	/** Looks at the text of one item, as n8n has put it together. A test reads an item again, which counts once. */
	look(item: number, text: string): void {
		if (this.firstOfItem.has(item)) return;
		const faults = this.codes.flatMap((code) => this.faultOf(code, item) ?? []);
		faults.push(...this.faultsIn(text, faults));
		for (const fault of faults) {
			getOrAdd(this.found, fault.what, () => ({ ...fault, items: [] })).items.push(item);
		}
		this.firstOfItem.set(item, faults[0]?.what);
	}

	/** Returns the first fault in the text of an item, as a clause. */
	ofItem(item: number): string | undefined {
		return this.firstOfItem.get(item);
	}

	async report(): Promise<FaultReport[]> {
		const reports: FaultReport[] = [];
		for (const { path, ...fault } of this.found.values()) {
			const all = { ...fault, name: this.name, of: this.firstOfItem.size };
			const isSome = fault.isEmpty && fault.items.length < all.of;
			const advice =
				fault.advice ??
				(path && (await this.missingIn(path))) ??
				(isSome ? 'Use a Filter node before this one to leave such items out.' : undefined);
			reports.push({ ...all, advice });
		}
		return reports;
	}

	private faultOf(code: string, item: number): Fault | undefined {
		const path = FIELD.test(code) ? namesIn(code) : undefined;
		const given = this.given.get(code) ?? 0;
		if (!path && !this.isDryRun && given >= TRUSTED_AFTER) return undefined;
		const value = path
			? (get(this.context.getInputData()[item]?.json, path) as unknown)
			: valueOf(this.context, code, item);
		const problem = problemOf(value);
		this.given.set(code, problem ? -Infinity : given + 1);
		// Code may give a text without a letter on purpose; a name does not.
		if (!problem || (problem.kind === 'blank' && !PATH.test(code))) return undefined;
		const what = `${quote(`{{ ${code} }}`)} ${problem.clause}`;
		if (problem.kind !== 'object') return { what, isEmpty: problem.kind !== 'date', path };
		const fields = Array.isArray(value) ? [] : Object.keys(value as IDataObject);
		const advice = fields.length > 0 ? `Choose one of its fields: ${fieldList(fields)}.` : '';
		return { what, advice };
	}

	/** @param known the faults of its expressions, one of which may have written the word */
	private *faultsIn(text: string, known: readonly Fault[]): Generator<Fault> {
		const word = placeholderIn(text, this.typed);
		if (word !== undefined && !known.some(({ isEmpty }) => !isEmpty)) {
			yield { what: `${quote(word)} appears instead of a value` };
		}
		if (!this.isDryRun) return;
		const code = this.codes.length > 0 ? codeIn(text) : undefined;
		if (code !== undefined) {
			yield {
				what: `${quote(code)} goes out as it is`,
				advice: 'n8n fills in expressions of this field only, not those in its data.',
			};
		}
		if (text.includes('\\n')) {
			yield {
				what: '“\\n” goes out as two characters',
				advice: 'For a new line, press Enter in the field.',
			};
		}
	}

	/** Resolves to a sentence about the first field of a path that no item has; undefined if an item has the whole path. */
	private async missingIn(path: string[]): Promise<string | undefined> {
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
		const no = `No item has a field ${quote(path.slice(0, depth + 1).join('.'))}.`;
		return fields.size === 0 ? no : `${no} The fields are: ${fieldList([...fields])}.`;
	}
}

/** Returns the names in the path of a field, without the first, `$json`. */
function namesIn(field: string): string[] {
	const names = [...field.matchAll(/'([^']*)'|"([^"]*)"|[\w$]+/g)];
	return names.slice(1).map(([name, single, double]) => single ?? double ?? name);
}

/** Returns undefined for code that fails. n8n leaves it out of the text, too. */
export function valueOf(context: Evaluating, code: string, item: number): unknown {
	try {
		return context.evaluateExpression(`{{ ${code} }}`, item);
	} catch {
		return undefined;
	}
}

/** What is wrong with a value as a part of a text. */
export interface Problem {
	kind: 'nothing' | 'blank' | 'object' | 'date';
	/** The end of a sentence: `is empty`. */
	clause: string;
}

/** Returns what is wrong with the value of an expression in a text. */
export function problemOf(value: unknown): Problem | undefined {
	const isEmptyList = Array.isArray(value) && value.length === 0;
	if (value === undefined || value === null || Number.isNaN(value) || isEmptyList) {
		return { kind: 'nothing', clause: 'is empty' };
	}
	if (typeof value === 'string') {
		// A line break alone is there on purpose.
		const isBlank = !isVisible(value) && !value.includes('\n');
		return isBlank ? { kind: 'blank', clause: 'is empty' } : undefined;
	}
	const call = formatCallFor(value);
	if (call !== undefined) return { kind: 'date', clause: `is a date: add ${call} to it` };
	if (typeof value !== 'object' || !textOf(value).includes('[object ')) return undefined;
	return { kind: 'object', clause: 'is an object, not text' };
}

/** Lists of texts are objects that can be read. */
function textOf(value: object): string {
	try {
		return String(value as unknown);
	} catch {
		return '[object Object]';
	}
}
