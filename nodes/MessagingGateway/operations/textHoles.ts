import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';

import {
	chainOf,
	isSameForAll,
	mayBeEmpty,
	partsOf,
	pathOf,
	type ExpressionPart,
} from '../input/expressionParts';
import { holeIn, mayHoldWord, type Hole } from '../input/hole';
import { nearest } from '../input/nearest';
import { Breather } from '../shared/breather';

/** A run that sends looks at its first items only: nobody pays for it. */
const ITEMS_IN_A_REAL_RUN = 20;
/** n8n takes a fifth of a millisecond for each piece of code: of 50,000 items, it evaluates so many at most. */
const EVALUATIONS_PER_ITEM = 0.1;
const LEAST_EVALUATIONS = 200;

const MOST_ITEMS_NAMED = 3;
const MOST_FIELDS = 200;

/** What a person calls the text that is looked at. */
export type TextName = 'text' | 'caption' | 'file name' | 'Send-Once Key';

/** A piece of code that gave nothing, or an object, in some texts. */
export interface HoleReport {
	code: string;
	kind: Hole['kind'];
	/** The word that stands in the text instead. */
	word?: string;
	/** How many items were found, and the first of them. */
	count: number;
	items: number[];
	/** How many texts were looked at, and whether there are more. */
	of: number;
	isPart: boolean;
	name: TextName;
	/** There may be more: not all could be looked at. */
	isAtLeast: boolean;
	/** Whoever wrote the code has thought of it. */
	isOnPurpose: boolean;
	/** The field that is missing, if it is missing everywhere: in all items, or in what the code asks. */
	missing?: { field: string; nearest?: string; fields: string[]; isOfItems: boolean };
	/** The fields of the object. */
	fields: string[];
}

/** What is known of one piece of code so far. */
interface Watched extends ExpressionPart {
	isFirst: boolean;
	isLast: boolean;
	path?: string[];
	isOnPurpose: boolean;
	isSameForAll: boolean;
	/** The hole that it has for every item, once that is known. */
	forAll?: { hole?: Hole };
	found?: { hole: Hole; count: number; items: number[] };
	isAtLeast: boolean;
}

/** Looks for holes in the texts of one run: pieces of code in a parameter that give nothing, or an object. */
export class TextHoles {
	private readonly watched: Watched[];
	private readonly byItem = new Map<number, string>();
	private readonly most: number;
	private readonly items: number;
	private looked = 0;
	private evaluations: number;

	/** @param parameter what the person has entered, with its expressions */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly name: TextName,
		parameter: unknown,
		isDryRun: boolean,
	) {
		this.items = context.getInputData().length;
		this.most = isDryRun ? Infinity : ITEMS_IN_A_REAL_RUN;
		this.evaluations = LEAST_EVALUATIONS + this.items * EVALUATIONS_PER_ITEM;
		const parts = partsOf(parameter);
		this.watched = parts.map((part, at) => ({
			...part,
			isFirst: at === 0,
			isLast: at === parts.length - 1,
			path: pathOf(part.code),
			isOnPurpose: mayBeEmpty(part.code),
			isSameForAll: isSameForAll(part.code),
			isAtLeast: false,
		}));
	}

	/** Looks at the text of an item, as n8n has put it together. */
	look(item: number, text: unknown): void {
		if (this.watched.length === 0 || this.looked >= this.most) return;
		this.looked++;
		const words = typeof text === 'string' ? text : '';
		const holdsWord = mayHoldWord(words);
		for (const part of this.watched) {
			const hole = this.holeOf(part, item, words, holdsWord);
			if (hole) this.note(part, item, hole);
		}
	}

	/** Returns the first piece of code that has left a hole in the text of an item, and did not mean to. */
	ofItem(item: number): string | undefined {
		return this.byItem.get(item);
	}

	/** Resolves to all holes of the run. */
	async report(): Promise<HoleReport[]> {
		const reports: HoleReport[] = [];
		for (const part of this.watched) {
			const { code, found, isAtLeast, isOnPurpose } = part;
			if (!found) continue;
			const { hole, count, items } = found;
			reports.push({
				code,
				kind: hole.kind,
				word: hole.kind === 'word' ? hole.word : undefined,
				count,
				items,
				of: this.looked,
				isPart: this.looked >= this.most && this.items > this.looked,
				name: this.name,
				isAtLeast,
				isOnPurpose,
				missing: hole.kind === 'empty' ? await this.missingIn(part) : undefined,
				fields: hole.kind === 'object' ? hole.fields : [],
			});
		}
		return reports;
	}

	private holeOf(part: Watched, item: number, text: string, holdsWord: boolean): Hole | undefined {
		const { path, code } = part;
		if (part.isSameForAll) return (part.forAll ??= { hole: this.evaluated(code, item) }).hole;
		if (path) return holeIn(get(this.jsonOf(item), path));
		if (text !== '' && !holdsWord && !this.mayBeMissing(part, text)) return undefined;
		if (this.evaluations <= 0) {
			part.isAtLeast = true;
			return undefined;
		}
		this.evaluations--;
		return this.evaluated(code, item);
	}

	/** Whether the text reads as if the code had given nothing, so that it is worth asking n8n. */
	private mayBeMissing({ before, after, isFirst, isLast }: Watched, text: string): boolean {
		const around = before + after;
		if (isFirst && isLast) return text === around;
		if (isFirst) return text.startsWith(around);
		return isLast ? text.endsWith(around) : text.includes(around);
	}

	private note(part: Watched, item: number, hole: Hole): void {
		part.found ??= { hole, count: 0, items: [] };
		part.found.count++;
		if (part.found.items.length < MOST_ITEMS_NAMED) part.found.items.push(item);
		if (!part.isOnPurpose && !this.byItem.has(item)) this.byItem.set(item, part.code);
	}

	/** Returns the field that a code asks for and that is not there: in no item, or in the one object that it asks. */
	private async missingIn(part: Watched): Promise<HoleReport['missing']> {
		const { path, code, found } = part;
		if (path) return await this.missingField(path);
		const { root = '', names = [], codes = [] } = chainOf(code) ?? {};
		// Somebody else has the field.
		if (found?.count !== this.looked) return undefined;
		let isData = root === '$json';
		for (const [at, name] of names.entries()) {
			const base = isData && this.valueOf(codes[at] as string, found.items[0] as number);
			if (name !== undefined && isPlainObject(base) && !(name in base)) {
				return missing(name, name, Object.keys(base).slice(0, MOST_FIELDS), false);
			}
			// What comes before is n8n's own: nodes, and ways to their items.
			isData ||= name === 'json';
		}
		return undefined;
	}

	private async missingField(path: string[]): Promise<HoleReport['missing']> {
		const breather = new Breather();
		const fields = new Set<string>();
		let length = 0;
		for (const { json } of this.context.getInputData()) {
			if (breather.isDue()) await breather.breathe();
			if (has(json, path)) return undefined;
			while (length < path.length && has(json, path.slice(0, length + 1))) length++;
		}
		for (const { json } of this.context.getInputData()) {
			if (breather.isDue()) await breather.breathe();
			const parent: unknown = length === 0 ? json : get(json, path.slice(0, length));
			if (!isPlainObject(parent)) continue;
			for (const field of Object.keys(parent)) {
				if (fields.size < MOST_FIELDS) fields.add(field);
			}
		}
		const name = path[length] as string;
		return missing(path.slice(0, length + 1).join('.'), name, [...fields], true);
	}

	private evaluated(code: string, item: number): Hole | undefined {
		return holeIn(this.valueOf(code, item), code);
	}

	/** Returns undefined for a code that fails: n8n then leaves it out of the text, too. */
	private valueOf(code: string, item: number): unknown {
		try {
			return this.context.evaluateExpression(`{{ ${code} }}`, item);
		} catch {
			return undefined;
		}
	}

	private jsonOf(item: number): IDataObject {
		return this.context.getInputData()[item]?.json ?? {};
	}
}

function missing(
	field: string,
	name: string,
	fields: string[],
	isOfItems: boolean,
): HoleReport['missing'] {
	return { field, nearest: nearest(name, fields), fields, isOfItems };
}

function isPlainObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
