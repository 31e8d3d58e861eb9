import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';

import type { Notices } from '../delivery/notices';
import { InputError } from '../shared/inputError';
import type { Upload } from '../shared/file';
import type { Question, WaitLimit } from '../shared/question';
import { quote } from '../shared/quote';
import { findBinary, identityOfBinary, openBinary } from '../input/binaryFile';
import type { FileKind } from '../input/fileType';
import { openUrl } from '../input/fileUrl';
import { toWholeNumber } from '../input/number';
import { parseCountryCode, parsePhoneNumber, type PhoneNumber } from '../input/phoneNumber';
import { parseRecipients } from '../input/recipients';
import { isBlank, toGroupId, toIdentifier, toRequiredText, toText } from '../input/text';
import { parseWaitLimit } from '../input/waitLimit';

/** Milliseconds. */
const DEFAULT_TIMEOUT = 300_000;

/** What all items of one run share. */
export interface RunParameters {
	credentialDeviceId: string;
	/** The name of a field, read once a run. */
	phoneNumberField: string;
	/** Where numbers come from in a bulk send, read once a run. */
	recipientSource: 'list' | 'items';
	notices: Notices;
	/** Returns the link to the page of a question. */
	linkTo(question: Question, limit: WaitLimit | undefined): string;
}

export interface ItemFile {
	identity: string;
	open(): Promise<Upload>;
}

/** One item's parameters, made exact. Every reader throws an InputError for what cannot be sent. */
export class Item {
	private readonly options: IDataObject;

	constructor(
		private readonly context: IExecuteFunctions,
		readonly index: number,
		private readonly run: RunParameters,
	) {
		this.options = context.getNodeParameter('options', index, {});
	}

	get recipientSource(): 'list' | 'items' {
		return this.run.recipientSource;
	}

	get message(): string {
		return toRequiredText(this.parameter('message'), 'message');
	}

	get caption(): string {
		return toText(this.parameter('caption'), 'caption');
	}

	/** What the page of a question shows, the buttons' labels included. */
	get question(): Question {
		const text = this.message;
		if (this.parameter('responseType') === 'freeText') return { kind: 'freeText', text };
		const { values = {} } = (this.parameter('approvalOptions') || {}) as { values?: IDataObject };
		const label = (name: string, fallback: string) =>
			toIdentifier(values[name], 'label of a button') || fallback;
		const approveLabel = label('approveLabel', 'Approve');
		if (values.approvalType !== 'double') return { kind: 'approval', text, approveLabel };
		const declineLabel = label('disapproveLabel', 'Decline');
		return { kind: 'approval', text, approveLabel, declineLabel };
	}

	/** The link to the page where a person answers. */
	linkTo(question: Question): string {
		const timezone = this.context.getTimezone();
		return this.run.linkTo(question, parseWaitLimit(this.options.limitWaitTime, timezone));
	}

	get groupId(): string {
		return toGroupId(this.parameter('groupId'));
	}

	get phoneNumber(): string {
		return this.noticed(parsePhoneNumber(this.parameter('phoneNumber'), this.countryCode));
	}

	get phoneNumbers(): string[] {
		return parseRecipients(this.parameter('phoneNumbers'), this.countryCode).map((number) =>
			this.noticed(number),
		);
	}

	/** The number that this item's own data holds. */
	get phoneNumberInField(): string {
		const { phoneNumberField } = this.run;
		const json = this.context.getInputData()[this.index]?.json ?? {};
		const value: unknown = has(json, phoneNumberField) ? get(json, phoneNumberField) : undefined;
		if (value === undefined) {
			throw new InputError(
				isBlank(phoneNumberField)
					? 'The Phone Number Field is empty'
					: `The item has no field ${quote(phoneNumberField)} to take the phone number from`,
				'Set Phone Number Field to the name of the field that holds the number, e.g. phone.',
			);
		}
		return this.noticed(parsePhoneNumber(value, this.countryCode));
	}

	get deviceId(): string {
		const deviceId =
			toIdentifier(this.options.deviceId, 'device ID') || this.run.credentialDeviceId;
		if (deviceId !== '') return deviceId;
		throw new InputError(
			'There is no device to send through',
			'Enter the Device ID in the credential, or set the option Device ID.',
		);
	}

	get bodyFormat(): 'form' | 'json' {
		return this.options.bodyFormat === 'form' ? 'form' : 'json';
	}

	/** Milliseconds for one request; 0 is no limit. */
	get timeout(): number {
		const timeout = toWholeNumber(this.options.timeout, DEFAULT_TIMEOUT);
		return timeout >= 0 ? timeout : DEFAULT_TIMEOUT;
	}

	/** '' where the item has none. */
	get sendOnceKey(): string {
		return toIdentifier(this.options.sendOnceKey, 'Send-Once Key');
	}

	file(kind: FileKind): ItemFile {
		const { helpers } = this.context;
		const fileName = toIdentifier(this.options.fileName, 'file name');
		if (this.parameter('fileSource') === 'url') {
			const url = toRequiredText(toIdentifier(this.parameter('fileUrl'), 'File URL'), 'File URL');
			const { timeout } = this;
			return {
				identity: JSON.stringify([url, fileName]),
				open: async () => await openUrl(helpers, kind, url, { fileName, timeout }),
			};
		}
		const property = this.parameter('binaryPropertyName') as string | IBinaryData;
		const binary = findBinary(helpers, this.index, property);
		return {
			identity: JSON.stringify([identityOfBinary(binary), fileName || binary.fileName]),
			open: async () => await openBinary(helpers, kind, binary, fileName),
		};
	}

	private get countryCode(): string {
		return parseCountryCode(this.options.defaultCountryCode);
	}

	private parameter(name: string): NodeParameterValueType {
		return this.context.getNodeParameter(name, this.index, '') as NodeParameterValueType;
	}

	private noticed(number: PhoneNumber): string {
		if (number.countryCodeAdded) this.run.notices.count('countryCodeAdded');
		if (number.mayLackZero) this.run.notices.count('mayLackZero');
		if (number.hasOddZero) this.run.notices.count('oddZero');
		return number.digits;
	}
}
