import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';

import type { Recipient } from '../delivery/message';
import { Breather } from '../shared/time';
import { InputError } from '../shared/inputError';
import type { Deadline } from '../shared/deadline';
import type { Opening, Upload } from '../shared/file';
import type { Question, WaitLimit } from '../shared/question';
import { excerpt, quote, trimmed } from '../shared/text';
import { findBinary, openBinary } from '../files/binaryField';
import type { FileKind } from '../files/nameAndType';
import { openUrl } from '../files/download';
import { parseForm } from '../input/form';
import { toGroupId } from '../input/groupId';
import { toWholeNumber } from '../input/optionValue';
import { fieldAt, noNumberIn } from '../input/numberField';
import { isBlank, toIdentifier, toReadable, toReadableText, toRequiredText } from '../input/text';
import { parseSendBefore } from '../input/sendBefore';
import { parseWaitLimit } from '../input/waitLimit';
import { parseCountryCode } from '../numbers/countryCode';
import { type ListRules, parseRecipients } from '../numbers/numberList';
import { type Doubtful, isLocal, parsePhoneNumber, type PhoneNumber } from '../numbers/phoneNumber';
import type { GivenOptions } from './givenOptions';
import type { MissingValues } from './missingValues';
import { type ListedRecipients, type NumberLists, type SameList, whySkipped } from './numberLists';
import { checkSendOnceKey } from './sendOnceKey';

/** Milliseconds. */
const DEFAULT_TIMEOUT = 300_000;

/** An expression that is nothing but a field of the item. */
const FIELD_ALONE = /^=\{\{\s*\$json\.([\w.[\]]+)\s*\}\}\s*$/;

/** Where an operation finds its recipients; `phoneNumbers` may be in the field of each item instead. */
export type RecipientParameter = 'phoneNumber' | 'phoneNumbers' | 'groupId';

export interface ItemFile {
	/** Its field in the request. */
	field: FileKind;
	open: (opening: Opening) => Promise<Upload>;
}

/** What all items of one run share. */
export interface RunParameters {
	credentialDeviceId: string;
	/** A calling code or a country, '' if the credential has none; the option Default Country Code overrides it. */
	credentialCountryCode: string;
	/** The name of a field. Read once a run. */
	phoneNumberField: string;
	/** Where the numbers of a bulk send come from. Read once a run. */
	recipientSource: 'list' | 'items';
	/** The options that the node has, and whether they are expressions. */
	given: GivenOptions;
	/** The numbers to skip, and the only numbers to send to. Read once a run. */
	optOuts?: NumberLists['optOuts'];
	allowed?: NumberLists['allowed'];
	/** Reads the lists of numbers. */
	lists: SameList;
	/** Code that n8n does not fill in, because the field of the text is set to Fixed. */
	unfilled?: string;
	/** Look at each text and file name. */
	missing?: Record<'text' | 'fileName', MissingValues>;
	/** Keeps a question for its page, and returns the link to it. */
	openPage(question: Question, limit: WaitLimit | undefined): string;
}

/**
 * Reads one item's parameters. Every method throws an InputError for a value that cannot be sent. Options are read one
 * by one, because n8n would otherwise evaluate the expressions of all of them for every item.
 */
export class Item {
	constructor(
		private readonly context: IExecuteFunctions,
		readonly index: number,
		private readonly run: RunParameters,
	) {}

	/** Whether its number is in a field of its own. n8n has that choice only where a list of numbers can be entered. */
	get takesNumberFromField(): boolean {
		return this.run.recipientSource === 'items';
	}

	readMessage(): string {
		return toRequiredText(this.readText('message'), 'message');
	}

	/** Returns '' if there is no caption. */
	readCaption(): string {
		return this.readText('caption');
	}

	/** @param name the operation's name for the ID, because the API has two kinds of groups */
	readGroup(name: 'chat group ID' | 'contact group ID'): Recipient {
		const { id, looksLikeName } = toGroupId(this.parameter('groupId'), name);
		return { to: id, asEntered: id, ...(looksLikeName && { doubt: 'looksLikeName' }) };
	}

	/**
	 * Returns the question as its page shows it, including the labels of its buttons and fields.
	 *
	 * @param text the message with the question
	 */
	readQuestion(text: string): Question {
		const responseType = this.parameter('responseType');
		if (responseType === 'freeText') return { kind: 'freeText', ...this.readFormWords(text) };
		if (responseType === 'customForm') {
			const name = this.parameter('defineForm') === 'json' ? 'jsonOutput' : 'formFields.values';
			const fields = parseForm(this.parameter(name));
			return { kind: 'customForm', ...this.readFormWords(text), fields };
		}
		const { values } = (this.parameter('approvalOptions') || {}) as { values?: IDataObject };
		const label = (parameter: string, name: string, fallback: string) =>
			toIdentifier(values?.[parameter], name) || fallback;
		const approveLabel = label('approveLabel', 'approve button label', 'Approve');
		if (!values || values.approvalType === 'single')
			return { kind: 'approval', text, approveLabel };
		const declineLabel = label('disapproveLabel', 'decline button label', 'Decline');
		return { kind: 'approval', text, approveLabel, declineLabel };
	}

	/** As in n8n's own nodes, a description takes the place of the message. */
	private readFormWords(message: string): { text: string; title?: string; buttonLabel?: string } {
		const words = (option: string, name: string) =>
			trimmed(toReadableText(this.option(option), name)) || undefined;
		return {
			text: words('responseFormDescription', 'response form description') ?? message,
			title: words('responseFormTitle', 'response form title'),
			buttonLabel: words('responseFormButtonLabel', 'response form button label'),
		};
	}

	/** Keeps a question for the page where a person replies, and returns the link to it. */
	openPage(question: Question): string {
		const timezone = this.context.getTimezone();
		return this.run.openPage(question, parseWaitLimit(this.option('limitWaitTime'), timezone));
	}

	readPhoneNumber(): Recipient {
		const value = this.parameter('phoneNumber');
		if (typeof value !== 'object') return this.numberIn(value);
		const { phoneNumber } = this.context.getNode().parameters;
		return this.numberIn(value, FIELD_ALONE.exec(String(phoneNumber))?.[1]);
	}

	/** @throws InputError also if the number is not in the option 'Allowed Numbers' */
	readAllowedPhoneNumber(): Recipient {
		const number = this.readPhoneNumber();
		if (number.skip !== 'notAllowed') return number;
		throw new InputError(
			`${quote(number.to)} is not in 'Allowed Numbers'`,
			'Only the numbers in that option may get anything. Use one of them, or add the number.',
		);
	}

	/** Resolves to the numbers of a list, without the wrong ones if the item skips these. */
	async readPhoneNumbers(): Promise<ListedRecipients> {
		const countryCode = this.readCountryCode();
		const options: ListRules = {
			invalid: this.choice('invalidNumbers', 'Invalid Numbers', ['refuse', 'skip']),
			doubtful: this.readDoubtful(),
		};
		const value = this.parameter('phoneNumbers');
		const rules = JSON.stringify([countryCode, options]);
		const read = async () => await this.readList(value, countryCode, options);
		return await this.run.lists.recipientsOf(value, rules, read);
	}

	/** Returns the number in this item's own data. */
	readPhoneNumberInField(): Recipient {
		const { phoneNumberField } = this.run;
		const value = fieldAt(this.json, phoneNumberField);
		if (isBlank(value)) throw noNumberIn(phoneNumberField, this.json);
		return this.numberIn(value, phoneNumberField);
	}

	/**
	 * Returns the recipient of an item that cannot be sent: the number as it would be sent, or else the item's value; ''
	 * if it has none.
	 */
	showRecipient(parameter: RecipientParameter): string {
		try {
			if (parameter === 'phoneNumber') return this.readPhoneNumber().to;
			if (this.takesNumberFromField) return this.readPhoneNumberInField().to;
		} catch {
			// Not a number: it is shown as it is.
		}
		try {
			const value = this.takesNumberFromField
				? fieldAt(this.json, this.run.phoneNumberField)
				: this.parameter(parameter);
			return isBlank(value) ? '' : excerpt(toReadable(value));
		} catch {
			return '';
		}
	}

	/** Returns the device that sends: that of the option, or of the credential if the option is empty. */
	readDeviceId(): string {
		const option = this.option('deviceId');
		if (isBlank(option) && this.run.given.isExpression('deviceId')) {
			throw new InputError(
				"The expression in the option 'Device ID' returns nothing",
				'Correct it, or remove the option to use the device in the credential.',
			);
		}
		const deviceId = toIdentifier(option, 'device ID') || this.run.credentialDeviceId;
		if (deviceId !== '') return deviceId;
		throw new InputError(
			'The Device ID is missing',
			"Enter it in the credential, or set the option 'Device ID'.",
		);
	}

	readBodyFormat(): 'form' | 'json' {
		return this.option('bodyFormat') === 'form' ? 'form' : 'json';
	}

	/** Returns the milliseconds that one request may take; 0 is no limit. */
	readTimeout(): number {
		const timeout = toWholeNumber(this.option('timeout'), DEFAULT_TIMEOUT);
		return timeout >= 0 ? timeout : DEFAULT_TIMEOUT;
	}

	/** Returns until when the message is worth sending; undefined if the node has no such option. */
	readSendBefore(): Deadline | undefined {
		if (!this.run.given.has('sendBefore')) return undefined;
		return parseSendBefore(this.option('sendBefore'), this.context.getTimezone());
	}

	/** Returns '' if the node has no key. An expression that returns nothing, or only a part of a key, is refused. */
	readSendOnceKey(): string {
		const value = this.option('sendOnceKey');
		const key = Number.isNaN(value) ? '' : toIdentifier(value, 'Send-Once Key');
		const expression = this.run.given.expressionOf('sendOnceKey');
		if (expression !== undefined) checkSendOnceKey(this.context, this.index, expression, key);
		return key;
	}

	readFile(kind: FileKind): ItemFile {
		const { helpers } = this.context;
		const fileName = toIdentifier(this.option('fileName'), 'file name');
		this.run.missing?.fileName.look(this.index, fileName);
		if (this.parameter('fileSource') === 'url') {
			const url = toRequiredText(toIdentifier(this.parameter('fileUrl'), 'file URL'), 'file URL');
			const timeout = this.readTimeout();
			return {
				field: kind,
				open: async (opening) =>
					await openUrl(helpers, kind, url, { fileName, timeout, ...opening }),
			};
		}
		const property = this.parameter('binaryPropertyName') as string | IBinaryData;
		const fields = Object.keys(this.context.getInputData()[this.index]?.binary ?? {});
		const binary = findBinary(helpers, this.index, property, fields);
		return { field: kind, open: async () => await openBinary(helpers, kind, binary, fileName) };
	}

	private readText(name: 'message' | 'caption'): string {
		if (this.run.unfilled !== undefined) {
			throw new InputError(
				`The ${name} would go out with ${quote(this.run.unfilled)} in it, because its field is set to Fixed`,
				'Set it to Expression: the choice appears above the field when you point at it.',
			);
		}
		const text = toReadableText(this.parameter(name), name);
		this.run.missing?.text.look(this.index, text);
		return text;
	}

	private get json(): IDataObject {
		return this.context.getInputData()[this.index]?.json ?? {};
	}

	private numberIn(value: unknown, field?: string): Recipient {
		const code = this.readCountryCode();
		return this.toRecipient(parsePhoneNumber(value, code, this.readDoubtful(), '', field));
	}

	private async readList(
		value: unknown,
		countryCode: string,
		rules: ListRules,
	): Promise<ListedRecipients> {
		const { numbers, refusals } = await parseRecipients(value, countryCode, rules);
		const breather = new Breather();
		const recipients: Recipient[] = [];
		for (const number of numbers) {
			if (breather.isDue()) await breather.breathe();
			recipients.push(this.toRecipient(number));
		}
		return { recipients, refusals };
	}

	private toRecipient(number: PhoneNumber): Recipient {
		const { digits, isInternational } = number;
		const skip = whySkipped(number, this.run);
		const doubt = isLocal(number) ? 'hasNoCountryCode' : number.guess;
		return {
			to: digits,
			asEntered: `${isInternational ? '+' : ''}${number.asEntered}`,
			...(skip && { skip }),
			...(doubt && { doubt }),
		};
	}

	private readDoubtful(): Doubtful {
		return this.choice('doubtfulNumbers', 'Doubtful Numbers', ['refuse', 'send']);
	}

	private readCountryCode(): string {
		const option = this.option('defaultCountryCode');
		if (isBlank(option) && !this.run.given.isExpression('defaultCountryCode')) {
			return this.run.credentialCountryCode;
		}
		if (!isBlank(option)) return parseCountryCode(option, 'in the options');
		throw new InputError(
			"The expression in the option 'Default Country Code' returns nothing",
			'Correct it, or remove the option to use the code in the credential.',
		);
	}

	/** Returns one of the values of an option, the first if the node does not have the option. */
	private choice<T extends string>(name: string, label: string, values: readonly [T, ...T[]]): T {
		const value = this.run.given.has(name) ? this.option(name) : values[0];
		const known = values.find((each) => each === value);
		if (known !== undefined) return known;
		throw new InputError(
			`${quote(toReadable(value))} is not a valid choice for the option '${label}'`,
			`Choose one in the list, or use an expression that returns ${values.map((each) => `“${each}”`).join(' or ')}.`,
		);
	}

	private parameter(name: string): NodeParameterValueType {
		return this.context.getNodeParameter(name, this.index, '') as NodeParameterValueType;
	}

	private option(name: string): unknown {
		if (!this.run.given.has(name)) return null;
		return this.context.getNodeParameter(`options.${name}`, this.index, null);
	}
}
