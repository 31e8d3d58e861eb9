import type { NodeExecutionHint } from 'n8n-workflow';

const TEXTS = {
	duplicates: (n: number) =>
		`${count(n, 'duplicate phone number')} removed: one number gets one text once in a run.`,
	countryCodeAdded: (n: number) =>
		`${count(n, 'phone number')} with a leading 0 got the Default Country Code in its place.`,
	mayLackZero: (n: number) =>
		`${count(n, 'phone number')} ${n === 1 ? 'begins' : 'begin'} with neither 0 nor the Default Country Code. A spreadsheet may have dropped the 0: look at the numbers, and format their column as text.`,
	oddZero: (n: number) =>
		`${count(n, 'phone number')} went out with a zero that is not dialled, as in +62 (0)812 or 6281234567890.0. Correct ${n === 1 ? 'it' : 'them'} where ${n === 1 ? 'it comes' : 'they come'} from.`,
	skipped: (n: number) =>
		`${count(n, 'item')} not sent, because an earlier item or execution had the same Send-Once Key.`,
	uncertain: (n: number) =>
		`${count(n, 'request')} may or may not have reached the queue of the gateway. Look into its outbox before you send again.`,
	replayed: (n: number) =>
		`${count(n, 'request')} not sent again: the gateway had taken ${n === 1 ? 'it' : 'them'} in an earlier try of this execution.`,
};

type Notice = keyof typeof TEXTS;

/** What deserves a person's notice without being an error, counted over one run of the node. */
export class Notices {
	private readonly counts = new Map<Notice, number>();
	private readonly texts: string[] = [];

	count(notice: Notice): void {
		this.counts.set(notice, (this.counts.get(notice) ?? 0) + 1);
	}

	say(text: string): void {
		this.texts.push(text);
	}

	toHints(): NodeExecutionHint[] {
		const counted = [...this.counts].map(([notice, n]) => TEXTS[notice](n));
		return [...counted, ...this.texts].map((message) => ({ message, location: 'outputPane' }));
	}
}

function count(n: number, what: string): string {
	return `${n} ${what}${n === 1 ? '' : 's'}`;
}
