/** What a person is asked on a page of its own. */
export type Question = Approval | FreeText | CustomForm;

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

export interface CustomForm {
	kind: 'customForm';
	text: string;
	fields: FormField[];
}

export type FormField = TypedField | ChoiceField;

interface AnyField {
	/** Shown above the field, and the name of its value in the output. */
	label: string;
	isRequired: boolean;
	/** What the field holds when the page opens: a text, or the labels of choices. */
	initial: string[];
}

export interface TypedField extends AnyField {
	kind: 'text' | 'textarea' | 'number' | 'date' | 'email';
	placeholder: string;
}

export interface ChoiceField extends AnyField {
	kind: 'choice' | 'choices';
	choices: string[];
	/** How many of the choices a person may take, if there is a limit. */
	least: number;
	most: number;
}

/** How long to wait for a reply: a time from when the question went out, or until a date. */
export type WaitLimit = { milliseconds: number } | { until: Date };
