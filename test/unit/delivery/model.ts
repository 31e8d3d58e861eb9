import type { IContextObject } from 'n8n-workflow';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import {
	deliver,
	FakeHistory,
	stored,
	type Answer,
	type Asked,
	type Mode,
	type Wish,
} from './deliver';

/** One item of the workflow's list, as a person may have written it. */
export interface Entry {
	/** The people who get it: one in the modes `singles` and `items`. */
	people: number[];
	text: number;
	/** It goes through a device of its own, in place of the credential's. */
	ownDevice: boolean;
}

/** What a person, or fate, does with one execution. */
export interface Course {
	/** What the gateway does with its requests, one after another; then it accepts. */
	answers: Answer[];
	/** After so many events (reads, history calls, requests): the Stop button, or the end of n8n. */
	end?: { how: 'stop' | 'kill'; after: number };
	continueOnFail: boolean;
	resendUncertain: boolean;
	maxConcurrency: number;
	/** Items whose expressions cannot be read in this execution. */
	wrong: readonly number[];
	/** n8n cannot read or write its history of keys. */
	historyIsBroken: boolean;
}

export type Step =
	| { do: 'send'; course: Course }
	/** Starts an execution that another node makes fail before this one runs. */
	| { do: 'failBefore' }
	/** Retries executions at once, counted back from the newest one that can be retried. */
	| { do: 'retry'; back: number[]; courses: Course[] }
	| { do: 'edit'; item: number }
	| { do: 'changeDevice' }
	| { do: 'setCountryCode' };

export interface Story {
	mode: Mode;
	keyed: boolean;
	/** Each execution gives every text another word, such as the time. */
	isTimed: boolean;
	numbersPerRequest: number;
	items: Entry[];
	steps: Step[];
}

/** One message of one item for one person. */
interface Copy {
	/** Equal for all copies of which only one may be delivered. */
	name: string;
	item: number;
	number: string;
	text: string;
	device: string;
	/** Its item cannot be read in this execution. */
	isWrong: boolean;
}

/** A request that the gateway took, or may have taken. */
interface Delivered {
	/** As n8n's record of the execution has it. */
	answer: Answer;
	resendUncertain: boolean;
	/** The executions that are retries of one another, from the first on. */
	root: number;
	/** Several items asked for it, and the record names only those that were looked at. */
	isShared: boolean;
}

/** A process of n8n, with the executions that overlap in it. */
interface Process {
	name: string;
	isDead: boolean;
}

interface Stored {
	root: number;
	context: IContextObject;
}

const HOW_MANY_PEOPLE = 4;

let lives = 0;

/** Lives through a story, and returns what should not have happened in it. */
export async function live(story: Story): Promise<string[]> {
	const life = new Life(story);
	for (const step of story.steps) await life.take(step);
	return life.complaints;
}

class Life {
	readonly complaints: string[] = [];
	private readonly history = new FakeHistory();
	private readonly delivered = new Map<string, Delivered[]>();
	/** Executions that n8n offers to retry, the newest last. */
	private readonly retriable: Stored[] = [];
	private readonly versions: number[];
	private readonly name = `life ${++lives}`;
	private device = 1;
	private countryCode = '';
	private roots = 0;
	private batches = 0;
	private executions = 0;

	constructor(private readonly story: Story) {
		this.versions = story.items.map(() => 0);
	}

	async take(step: Step): Promise<void> {
		if (step.do === 'edit') {
			const item = step.item % this.versions.length;
			this.versions[item] = (this.versions[item] as number) + 1;
		} else if (step.do === 'changeDevice') {
			this.device++;
		} else if (step.do === 'setCountryCode') {
			this.countryCode = '62';
		} else if (step.do === 'send' || step.do === 'failBefore') {
			// Only a key protects a message from a new execution.
			if (this.roots > 0 && !this.story.keyed) return;
			if (step.do === 'failBefore') {
				this.retriable.push({ root: ++this.roots, context: {} });
				return;
			}
			await this.execute({ root: 0, context: {} }, step.course, {
				name: `${this.name}, ${++this.batches}`,
				isDead: false,
			});
		} else if (this.retriable.length > 0) {
			const all = step.back.map((back) => {
				const at = this.retriable.length - 1 - (back % this.retriable.length);
				return this.retriable[at] as Stored;
			});
			const n8n = { name: `${this.name}, ${++this.batches}`, isDead: false };
			await Promise.all(
				all.map(async (each, at) => await this.execute(each, step.courses[at] as Course, n8n)),
			);
		}
	}

	/** Runs an execution from what n8n has stored of an earlier one. */
	private async execute(from: Stored, course: Course, n8n: Process): Promise<void> {
		const { mode, numbersPerRequest, keyed } = this.story;
		const isFirst = from.root === 0;
		const root = isFirst ? ++this.roots : from.root;
		const { resendUncertain } = course;
		const context = stored(from.context);
		const wishes = this.wishes(course);
		const copies = this.copies(wishes, root);
		const stop = new AbortController();
		// To send it again, n8n frees the key, whatever becomes of that.
		if (keyed && resendUncertain) {
			for (const each of [...this.delivered.values()].flat()) each.resendUncertain = true;
		}
		let events = 0;
		let requests = 0;
		const own: Delivered[] = [];
		let atStop: IContextObject | undefined;
		const happen = () => {
			if (!course.end || ++events !== course.end.after) return;
			if (course.end.how === 'kill') return void (n8n.isDead = true);
			stop.abort();
			// n8n stores a canceled execution at once, so it does not hear how these end.
			atStop = stored(context);
			for (const each of own.slice(-course.maxConcurrency)) each.answer = 'uncertain';
		};
		const answer = ({ text, numbers, device, item }: Asked): Answer => {
			happen();
			// What a dead process does no longer happens.
			if (n8n.isDead) return 'notSent';
			const is = course.answers[requests++] ?? 'accepted';
			if (is !== 'accepted' && is !== 'uncertain') return is;
			const taken = copies.filter(
				(copy) =>
					!copy.isWrong &&
					copy.text === text &&
					numbers.includes(copy.number) &&
					(mode === 'singles' ? copy.item === item : copy.device === device),
			);
			if (taken.length === 0) this.complaints.push(`a request for nobody: ${text} to ${numbers}`);
			for (const number of numbers) {
				// Of items that want the same, the one that asks comes first.
				const names = taken
					.filter((copy) => copy.number === number)
					.sort((a, b) => Number(b.item === item) - Number(a.item === item))
					.map(({ name }) => name);
				const isShared = new Set(names).size > 1;
				const known = stop.signal.aborted ? 'uncertain' : is;
				const delivered = { answer: known, resendUncertain, root, isShared };
				own.push(delivered);
				this.deliver([...new Set(names)], delivered);
			}
			return is;
		};
		const history = this.historyOf(course, happen, n8n);
		const settings = {
			continueOnFail: course.continueOnFail,
			resendUncertain,
			maxConcurrency: course.maxConcurrency,
			numbersPerRequest,
			maxRetries: 1,
		};
		const { results, rows } = await deliver(mode, wishes, {
			context,
			token: `${this.name}, root ${root}`,
			isRetry: !isFirst,
			history,
			answer,
			settings,
			onRead: happen,
			canceled: stop.signal,
			node: n8n.name,
		});
		if (n8n.isDead) {
			// n8n keeps what it stored when the execution began. Of a first one that is nothing.
			if (!isFirst || keyed) this.retriable.push(from);
			return;
		}
		this.checkReport(rows, copies, root);
		const isFailed = results.some(({ outcome }) => /notSent|uncertain/.test(outcome.outcome));
		const isStored = atStop !== undefined || (!course.continueOnFail && isFailed);
		if (isStored) this.retriable.push({ root, context: atStop ?? stored(context) });
	}

	/** n8n's history, as a process sees it that may have died. */
	private historyOf({ historyIsBroken }: Course, happen: () => void, n8n: Process): FakeHistory {
		const { history } = this;
		const seen = new FakeHistory();
		return Object.assign(seen, {
			// The lock of a dead process is released, as others would take it over.
			clearAllProcessedItems: history.clearAllProcessedItems,
			getProcessedDataCount: history.getProcessedDataCount,
			checkProcessedAndRecord: (async (...given) => {
				if (given[1] === 'workflow') return await history.checkProcessedAndRecord(...given);
				happen();
				if (historyIsBroken) throw new Error('The database is away');
				const [items] = given;
				if (n8n.isDead) return { new: items, processed: [] };
				return await history.checkProcessedAndRecord(...given);
			}) as FakeHistory['checkProcessedAndRecord'],
			removeProcessed: (async (...given) => {
				happen();
				if (historyIsBroken) throw new Error('The database is away');
				if (!n8n.isDead) await history.removeProcessed(...given);
			}) as FakeHistory['removeProcessed'],
		});
	}

	private wishes({ wrong }: Course): Wish[] {
		const { mode, keyed, items, isTimed } = this.story;
		const time = isTimed ? `, at ${++this.executions}` : '';
		return items.map(({ people, text, ownDevice }, index): Wish => {
			const written = (mode === 'list' ? people : people.slice(0, 1)).map(
				(person) => `0${person % HOW_MANY_PEOPLE}`,
			);
			const version = this.versions[index] as number;
			return {
				written,
				numbers: written.map((each) => (this.countryCode ? each.replace(/^0/, '62') : each)),
				text: `text ${text}${version > 0 ? `, version ${version}` : ''}${time}`,
				device: ownDevice ? 'own' : `device ${this.device}`,
				...(keyed ? { key: `key ${index}` } : {}),
				wrong: wrong.some((each) => each % items.length === index),
			};
		});
	}

	private copies(wishes: Wish[], root: number): Copy[] {
		const { keyed } = this.story;
		return wishes.flatMap(
			({ written = [], numbers, text, device = '', key, wrong = false }, item) =>
				numbers.map((number, at) => {
					const to = written[at] as string;
					// With a key, all executions together deliver it once, and what the text is by then does not matter.
					const name = keyed ? `${key} to ${to}` : `${root}: item ${item} to ${to}`;
					return { name, item, number, text, device, isWrong: wrong };
				}),
		);
	}

	/** @param names what one number got with one request */
	private deliver(names: string[], now: Delivered): void {
		const again = names.filter((name) =>
			this.delivered
				.get(name)
				?.some(
					({ answer, resendUncertain }) =>
						answer === 'accepted' || !(resendUncertain || now.resendUncertain),
				),
		);
		// Items with other keys may want the same text for the same number: each key is good for one.
		const fresh = this.story.keyed ? names.find((name) => !again.includes(name)) : undefined;
		const covered = fresh === undefined ? names : [fresh];
		if (fresh === undefined) this.complaints.push(...again.map((name) => `twice: ${name}`));
		for (const name of covered) {
			this.delivered.set(name, [...(this.delivered.get(name) ?? []), now]);
		}
	}

	/** What is reported as not sent must not have been taken. */
	private checkReport(rows: Result[], copies: Copy[], root: number): void {
		for (const { items, to, outcome } of rows) {
			if (outcome.outcome !== 'notSent') continue;
			const about = copies.filter(
				({ item, number }) => items.includes(item) && (to === undefined || to === number),
			);
			for (const { name, item } of about) {
				const taken = this.delivered
					.get(name)
					?.filter((each) => each.root === root)
					.some((each) => !(to === undefined && each.isShared));
				if (taken) {
					this.complaints.push(`not sent, says item ${item} (${outcome.what}): ${name}`);
				}
			}
		}
	}
}
