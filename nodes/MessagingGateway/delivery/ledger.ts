import { type Failure, isFailure, LOOK_FIRST, type Outcome } from '../gateway/outcome';
import type { Deadline } from '../shared/deadline';
import { getOrAdd } from '../shared/getOrAdd';
import type { Message, ReadyItem, Recipient } from './message';
import type { Skipped } from './skipped';

/** One request. Everybody who gets it has an entry that is in it. */
export interface Submission {
	readonly isBulk: boolean;
	/** It was sent in an earlier try of this execution. */
	readonly isEarlier: boolean;
	/** Undefined until the gateway has answered. */
	readonly outcome?: Outcome;
	/** An earlier try may have sent a part of it. If this try fails, it stays uncertain. */
	readonly mayRepeat?: boolean;
}

/** What becomes of an entry. */
export type State =
	| { readonly is: 'waiting' }
	/** An earlier item of this run has the same Send-Once Key. */
	| { readonly is: 'behind' }
	| { readonly is: 'inRequest'; readonly request: Submission }
	| { readonly is: 'leftOut'; readonly why: Skipped | Failure };

/** One recipient of one item, and what becomes of the message for it. */
export interface Entry {
	/** The index of the input item. */
	readonly item: number;
	/** Undefined if the item could not be read. */
	readonly recipient?: Recipient;
	/** What a list has instead of a recipient. */
	readonly asEntered?: string;
	/** The identity of a single message. */
	readonly identity?: string;
	/** '' if the item has none. */
	readonly sendOnceKey: string;
	readonly copy?: Copy;
	readonly sendBefore?: Deadline;
	/** An earlier try may have sent it. If this try fails, it stays uncertain. */
	readonly mayRepeat?: boolean;
	readonly state: State;
}

/** An entry of an item that could be read. */
export type RecipientEntry = Entry & { readonly recipient: Recipient; readonly copy: Copy };

/** One text through one device for one number: everybody who asks for it, and the one request that carries it. */
export interface Copy {
	/** In bulk, several items can ask for it. */
	readonly entries: readonly RecipientEntry[];
	readonly request?: Submission;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

const WAITING: State = { is: 'waiting' };
const BEHIND: State = { is: 'behind' };

/** What becomes of everybody whom the items of a run ask for. Only this class writes it. */
export class Ledger {
	private readonly all: Entry[] = [];
	/** Of bulk messages, by text and device, and by number. */
	private readonly copies = new Map<Message['identity'], Map<Recipient['to'], Copy>>();

	/** Everything that was added, in the order of the items, which are read one after another. */
	get entries(): readonly Entry[] {
		return this.all;
	}

	/** Adds a recipient, who waits for a decision. */
	add(
		{ index: item, sendOnceKey, sendBefore, message }: ReadyItem,
		recipient: Recipient,
		mayRepeat: boolean,
	): RecipientEntry {
		const isSingle = message.travels === 'single';
		const identity = isSingle ? message.identity : undefined;
		const copy = isSingle ? newCopy() : this.copyOf(message, recipient);
		const given = { item, recipient, identity, sendOnceKey, sendBefore };
		const entry = { ...given, copy, mayRepeat, state: WAITING };
		(copy.entries as RecipientEntry[]).push(entry);
		this.all.push(entry);
		return entry;
	}

	/** Adds the result of an item that could not be read, or of an entry of its list that is no recipient. */
	note(item: number, state: State, asEntered?: string): void {
		this.all.push({ item, asEntered, sendOnceKey: '', state });
	}

	/** Lets an entry wait for what becomes of the first item with its Send-Once Key. */
	putBehind(entry: Entry): void {
		this.set(entry, BEHIND);
	}

	/** Leaves an entry out. One that has a result keeps it. */
	leaveOut(entry: Entry, why: Skipped | Failure): void {
		if (resultOf(entry)) return;
		this.set(entry, { is: 'leftOut', why: isFailure(why) ? failureOf(entry, why) : why });
	}

	/**
	 * Takes an entry back out of a request that has not begun, and leaves it out.
	 *
	 * @returns whether nobody else needs its copy there, so that its number leaves the request, too
	 */
	withdraw(entry: RecipientEntry, why: Skipped | Failure): boolean {
		this.leaveOut(entry, why);
		if (entry.copy.entries.some(({ state }) => state.is === 'inRequest')) return false;
		(entry.copy as Writable<Copy>).request = undefined;
		return true;
	}

	/** Gives an entry the request of an earlier try. Nobody else sends this copy again. */
	replay(entry: RecipientEntry, request: Submission): void {
		(entry.copy as Writable<Copy>).request ??= request;
		this.set(entry, { is: 'inRequest', request });
	}

	/**
	 * Puts an entry that waits into a request, or into the one that carries its copy already.
	 *
	 * @returns whether it brings its number into the request
	 */
	assign(entry: RecipientEntry, request: Submission): boolean {
		const copy: Writable<Copy> = entry.copy;
		const isNew = !copy.request;
		copy.request ??= request;
		this.set(entry, { is: 'inRequest', request: copy.request });
		if (entry.mayRepeat && copy.request === request)
			(request as Writable<Submission>).mayRepeat = true;
		return isNew;
	}

	/** Gives everybody in a request its outcome. */
	settle(request: Submission, outcome: Outcome): void {
		(request as Writable<Submission>).outcome = isFailure(outcome)
			? failureOf(request, outcome)
			: outcome;
	}

	/** Returns the entries without a result. One whose copy was sent for another item has that result. */
	unsettled(): Entry[] {
		return this.all.filter((entry) => {
			if (resultOf(entry)) return false;
			const carrier = entry.copy?.request;
			if (!carrier?.outcome) return true;
			this.set(entry, { is: 'inRequest', request: carrier });
			return false;
		});
	}

	private copyOf({ identity }: Message, { to }: Recipient): Copy {
		return getOrAdd(
			getOrAdd(this.copies, identity, () => new Map<Recipient['to'], Copy>()),
			to,
			newCopy,
		);
	}

	private set(entry: Entry, state: State): void {
		(entry as Writable<Entry>).state = state;
	}
}

/** Returns what became of an entry; undefined if that is not decided. */
export function resultOf({ state }: Pick<Entry, 'state'>): Outcome | Skipped | undefined {
	if (state.is === 'inRequest') return state.request.outcome;
	return state.is === 'leftOut' ? state.why : undefined;
}

/** Returns why a message was not sent. If an earlier try may have sent it, nobody can tell whether it was. */
export function failureOf({ mayRepeat }: { mayRepeat?: boolean }, failure: Failure): Failure {
	if (!mayRepeat || failure.outcome !== 'notSent') return failure;
	const advice = `An earlier try of this execution may have queued it. ${LOOK_FIRST} ${failure.advice}`;
	// A fact is about this try alone.
	return { ...failure, outcome: 'uncertain', advice: advice.trim(), fact: undefined };
}

function newCopy(): Copy {
	return { entries: [] };
}
