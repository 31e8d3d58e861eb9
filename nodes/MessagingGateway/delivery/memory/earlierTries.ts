import { LOOK_FIRST, uncertain, type Failure, type Outcome } from '../../gateway/outcome';
import type { Message, Recipient } from '../message';
import type { RecipientRow, Row } from '../row';
import type { Shipment } from '../shipment';
import { CHANGED, REPLY_ELSEWHERE, UNKNOWN_END } from './heldBack';
import type { Journal } from './journal';
import type { JournalEntry } from './journalEntry';

/** Who may have got a message that goes out again. */
interface OpenTries {
	/** The message has only one recipient. */
	isSingle: boolean;
	numbers: Set<string>;
	asEntered: Set<string>;
}

/** What became of an item in earlier tries. */
interface ItemSoFar {
	item: number;
	fingerprint: string;
	/** It has a request at all. */
	isKnown: boolean;
	/** One that is not repeated. */
	isDone: boolean;
	/** One that goes out again. */
	isOpen: boolean;
	/** One with the same words. */
	isOwn: boolean;
}

const NOBODY: OpenTries = { isSingle: false, numbers: new Set(), asEntered: new Set() };

/** What earlier tries of this execution have sent, which this one does not send again. */
export class EarlierTries {
	private readonly shipments = new Map<JournalEntry, Shipment>();
	/** By message: what may have been sent, and goes out again. */
	private readonly open = new Map<string, OpenTries>();
	/** Numbers with a message, in bulk. */
	private numbers?: Set<string>;
	/** What was looked up last: the rows of one item follow one another. */
	private last?: ItemSoFar;

	/** @param resendUncertain whether what is uncertain goes out again */
	constructor(
		private readonly journal: Journal,
		private readonly resendUncertain: boolean,
	) {}

	/**
	 * Returns the shipments of a message that are not sent again, accepted ones first.
	 *
	 * @param usesDevice whether this run sends the text through the device with this hash
	 */
	shipmentsOf(
		fingerprint: string,
		message: Message,
		usesDevice: (device: string) => boolean,
	): Shipment[] {
		const device = this.journal.deviceOf(message);
		const done = this.journal.triesOf(fingerprint).filter((entry) => {
			// A device that this run does not use has been replaced.
			const isOwn = !entry.device || entry.device === device || !usesDevice(entry.device);
			return isOwn && this.isDone(entry);
		});
		const inOrder = [...done].sort((a, b) => Number(!a.envelope) - Number(!b.envelope));
		return inOrder.map((entry) => this.toShipment(entry, message.recipients));
	}

	/** Returns whether an earlier try may have sent the message to somebody who gets it now. */
	isResend(fingerprint: string, { recipient, item }: RecipientRow): boolean {
		const { guard, textChanges } = this.journal;
		if (guard.gap || (textChanges && this.soFar(item, fingerprint).isOpen)) return true;
		const open = this.open.get(fingerprint) ?? this.openOf(fingerprint);
		return (
			open.isSingle || open.numbers.has(recipient.to) || open.asEntered.has(recipient.asEntered)
		);
	}

	/** Returns why a message that is recorded nowhere does not go out all the same. */
	whyHeldBack(row: RecipientRow, fingerprint: string): Failure | undefined {
		// The gateway may even have taken it: the record of another operation or text does not say so of this message.
		if (this.journal.isChanged(row.item)) return CHANGED;
		const isOther = this.journal.textChanges && this.wasOther(row, fingerprint);
		return this.journal.guard.whyHeldBack() ?? (isOther ? this.whyOther(row.item) : undefined);
	}

	/** Whether an earlier try had other words for an item, with another time or the like in them. */
	private wasOther({ item, recipient }: RecipientRow, fingerprint: string): boolean {
		const { isKnown, isDone, isOwn } = this.soFar(item, fingerprint);
		// An item whose number another one has, too, may stand in no request of its own.
		return isKnown ? isDone && !isOwn : this.hasMessage(recipient);
	}

	/** Returns what became of an item in earlier tries, with whatever words. */
	private soFar(item: number, fingerprint: string): ItemSoFar {
		if (this.last?.item === item && this.last.fingerprint === fingerprint) return this.last;
		const tries = this.journal.triesOfItem(item);
		const own = new Set(this.journal.triesOf(fingerprint));
		return (this.last = {
			item,
			fingerprint,
			isKnown: tries.length > 0,
			isDone: tries.some((each) => this.isDone(each)),
			isOpen: tries.some((each) => !this.isDone(each)),
			isOwn: tries.some((each) => own.has(each)),
		});
	}

	private whyOther(item: number): Failure {
		const isAsked = this.journal
			.triesOfItem(item)
			.some((each) => this.journal.isReplyElsewhere(each));
		return isAsked ? REPLY_ELSEWHERE : CHANGED;
	}

	/** Whether a bulk request of an earlier try has the number. */
	private hasMessage({ to, asEntered }: Recipient): boolean {
		this.numbers ??= new Set(
			this.journal
				.allTries()
				.filter((each) => this.isDone(each))
				.flatMap(({ numbers = [], written = [] }) => [...numbers, ...written]),
		);
		return this.numbers.has(to) || this.numbers.has(asEntered);
	}

	/** Returns the result of an item that this try did not send, but an earlier one may have sent. */
	rowUnlessSent(item: number, failure: Failure): Row {
		const entries = this.journal.triesOfItem(item);
		const isChanged = this.journal.isChanged(item);
		const accepted = entries.find(({ envelope, numbers }) => envelope && !numbers);
		if (accepted && !isChanged) {
			return { item, sendOnceKey: '', shipment: this.toShipment(accepted, []) };
		}
		const heldBack = isChanged ? CHANGED : this.journal.guard.whyHeldBack();
		if (heldBack || entries.length === 0) {
			return { item, sendOnceKey: '', reason: heldBack ?? failure };
		}
		const what = `${failure.what}; an earlier try of this execution may have queued the message`;
		return {
			item,
			sendOnceKey: '',
			reason: uncertain({ origin: failure.origin, what, advice: LOOK_FIRST }),
		};
	}

	/** Returns whether a request is not repeated: the gateway took it, or it is uncertain and stays so. */
	private isDone(entry: JournalEntry): boolean {
		const isCertain = entry.envelope !== undefined && !this.journal.isReplyElsewhere(entry);
		return isCertain || !this.resendUncertain || this.journal.guard.whyHeldBack() !== undefined;
	}

	private openOf(fingerprint: string): OpenTries {
		const tries = this.journal.triesOf(fingerprint);
		if (tries.length === 0) return NOBODY;
		const open = { isSingle: false, numbers: new Set<string>(), asEntered: new Set<string>() };
		for (const entry of tries) {
			if (this.isDone(entry)) continue;
			const { numbers, written = numbers } = entry;
			if (!numbers) open.isSingle = true;
			numbers?.forEach((number) => open.numbers.add(number));
			written?.forEach((number) => open.asEntered.add(number));
		}
		this.open.set(fingerprint, open);
		return open;
	}

	private outcomeOf(entry: JournalEntry): Outcome {
		const { envelope } = entry;
		if (!envelope) return UNKNOWN_END;
		if (!this.journal.isReplyElsewhere(entry)) return { outcome: 'accepted', envelope };
		return this.journal.guard.whyHeldBack() ?? REPLY_ELSEWHERE;
	}

	/** @param single the recipients of a single message, as its entry does not name them */
	private toShipment(entry: JournalEntry, single: Recipient[]): Shipment {
		const known = this.shipments.get(entry);
		if (known) return known;
		const { numbers, written } = entry;
		const shipment: Shipment = {
			recipients: numbers?.map((to, at) => ({ to, asEntered: written?.[at] ?? to })) ?? single,
			isBulk: numbers !== undefined,
			isEarlier: true,
			outcome: this.outcomeOf(entry),
		};
		this.shipments.set(entry, shipment);
		return shipment;
	}
}
