/** A question to a person, and how long to wait for the reply. `input/` reads it, `ask/` asks it. */

/** A question, as its page asks it. */
export type Question = Approval | FreeText | CustomForm;

interface Approval {
	kind: 'approval';
	text: string;
	approveLabel: string;
	/** Absent if the person can only approve. */
	declineLabel?: string;
}

/** The words of a page with fields, in place of those in the language of the reader. */
interface FormWords {
	title?: string;
	buttonLabel?: string;
}

interface FreeText extends FormWords {
	kind: 'freeText';
	text: string;
}

export interface CustomForm extends FormWords {
	kind: 'customForm';
	text: string;
	fields: FormField[];
}

export type FormField = TypedField | ChoiceField;

interface AnyField {
	/** Shown above the field, and the name of its value in the output. */
	label: string;
	isRequired: boolean;
	/** The value when the page opens: a text, or the labels of choices. */
	initial: string[];
}

export interface TypedField extends AnyField {
	kind: 'text' | 'textarea' | 'number' | 'date' | 'email';
	placeholder: string;
}

export interface ChoiceField extends AnyField {
	kind: 'choice' | 'choices';
	choices: string[];
	/** The smallest and largest number of choices a person may select. */
	least: number;
	most: number;
}

/** How long to wait for a reply: for some time after the question went out, or until a date. */
export type WaitLimit = { milliseconds: number } | { until: Date };
