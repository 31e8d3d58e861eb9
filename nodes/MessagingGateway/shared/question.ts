/** What a person is asked on a page of its own. */
export type Question = Approval | FreeText;

interface Approval {
	kind: 'approval';
	text: string;
	approveLabel: string;
	/** Without it, the person can only approve. */
	declineLabel?: string;
}

interface FreeText {
	kind: 'freeText';
	text: string;
}

/** How long to wait for an answer: a time from when the question went out, or until a date. */
export type WaitLimit = { milliseconds: number } | { until: Date };
