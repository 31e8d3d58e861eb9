import type { ChoiceField, CustomForm, FormField, TypedField } from '../shared/question';
import { nameOf, type FieldReply } from './formReply';
import { escapeHtml, OWN_WORDS } from './pageFrame';
import type { Reader } from './reader';
import { LONGEST_REPLY } from './typed';

/** Few enough to see at a glance, and to tap with a thumb. */
const MOST_BUTTONS = 6;

/** @param replies what was just sent and did not count; a new form if left out */
export function formFields({ fields }: CustomForm, reader: Reader, replies?: FieldReply[]): string {
	const firstWrong = replies?.findIndex(({ wrong }) => wrong);
	return fields
		.map((field, index) => {
			const reply = replies?.[index] ?? { values: field.initial };
			return new FieldHtml(field, index, reply, reader, index === firstWrong).toString();
		})
		.join('\n');
}

/** Returns how many choices, or characters, a field takes, as “2” or “1–3”. */
function countOf(field: FormField, { locale }: Reader): string {
	const most = 'choices' in field ? Math.min(field.most, field.choices.length) : LONGEST_REPLY;
	const least = 'choices' in field ? field.least : most;
	const [low, high] = [least, most].map((count) => count.toLocaleString(locale));
	return low === high ? `${high}` : `${low}–${high}`;
}

/** One field of a form, with what is wrong about it. */
class FieldHtml {
	private readonly name: string;

	constructor(
		private readonly field: FormField,
		index: number,
		private readonly reply: FieldReply,
		private readonly reader: Reader,
		private readonly isFirstWrong: boolean,
	) {
		this.name = nameOf(index);
	}

	toString(): string {
		const { field } = this;
		if (!('choices' in field)) return this.typed(field);
		const isList = field.kind === 'choice' && field.choices.length > MOST_BUTTONS;
		return isList ? this.list(field) : this.buttons(field);
	}

	private typed({ kind, placeholder }: TypedField): string {
		const [value = ''] = this.reply.values;
		const example = placeholder && ` placeholder="${escapeHtml(placeholder)}"`;
		const common = `${this.attributes()}${this.required}${example}`;
		if (kind === 'textarea') {
			// A browser drops the first line break of a text field.
			return `${this.label}${this.message}
<textarea${common} rows="4" maxlength="${LONGEST_REPLY}" dir="auto">
${escapeHtml(value)}</textarea>`;
		}
		return `${this.label}${this.message}
<input${common} ${this.typeOf(kind)} value="${escapeHtml(value)}">`;
	}

	/** A browser keeps nothing in a field for numbers or dates that is none, and what was typed would be lost. */
	private typeOf(kind: TypedField['kind']): string {
		const isOdd = this.reply.wrong !== undefined && this.reply.values.length > 0;
		const isText = kind === 'text' || (isOdd && kind !== 'email');
		if (isText) return `type="text" maxlength="${LONGEST_REPLY}" dir="auto"`;
		return kind === 'number' ? 'type="number" step="any" inputmode="decimal"' : `type="${kind}"`;
	}

	private list({ choices }: ChoiceField): string {
		const options = choices.map((choice, place) => {
			const selected = this.has(choice) ? ' selected' : '';
			return `<option value="${place}" ${OWN_WORDS}${selected}>${escapeHtml(choice)}</option>`;
		});
		return `${this.label}${this.message}
<select${this.attributes()}${this.required}>
<option value="">${this.reader.texts.pick}</option>
${options.join('\n')}
</select>`;
	}

	private buttons({ kind, choices, isRequired }: ChoiceField): string {
		const type = kind === 'choice' ? 'radio' : 'checkbox';
		const required = isRequired && kind === 'choice' ? ' required' : '';
		const options = choices.map((choice, place) => {
			const checked = this.has(choice) ? ' checked' : '';
			const focused = place === 0 && this.isFirstWrong ? ' autofocus' : '';
			const input = `<input type="${type}" name="${this.name}" value="${place}"${required}${checked}${focused}>`;
			return `<label class="choice">${input}<span ${OWN_WORDS}>${escapeHtml(choice)}</span></label>`;
		});
		const described = this.reply.wrong ? ` aria-describedby="${this.name}-wrong"` : '';
		return `<fieldset${described}>
<legend>${this.title}</legend>${this.message}
${options.join('\n')}
</fieldset>`;
	}

	private has(choice: string): boolean {
		return this.reply.values.includes(choice);
	}

	private get required(): string {
		return this.field.isRequired ? ' required' : '';
	}

	private get label(): string {
		return `<label for="${this.name}">${this.title}</label>`;
	}

	private get title(): string {
		const { isRequired, label } = this.field;
		const words = `<span ${OWN_WORDS}>${escapeHtml(label)}</span>`;
		return isRequired
			? words
			: `${words} <span class="optional">(${this.reader.texts.optional})</span>`;
	}

	private get message(): string {
		const { wrong } = this.reply;
		if (!wrong) return '';
		const words = this.reader.texts[wrong].replace('{count}', countOf(this.field, this.reader));
		return `\n<p class="wrong" id="${this.name}-wrong">${escapeHtml(words)}</p>`;
	}

	private attributes(): string {
		const wrong = ` aria-invalid="true" aria-describedby="${this.name}-wrong"`;
		const focus = this.isFirstWrong ? ' autofocus' : '';
		return ` id="${this.name}" name="${this.name}"${this.reply.wrong ? wrong + focus : ''}`;
	}
}
