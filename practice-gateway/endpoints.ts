import { numbersOf, type Body } from './reading';
import type { Endpoint, QueuedMessage } from './types';

/** Validation errors, as `{ field: [text] }`. */
export type ValidationErrors = Record<string, string[]>;

type Draft = Omit<QueuedMessage, 'queueId' | 'at'>;

interface EndpointRules {
	endpoint: Endpoint;
	path: string;
	/** The message in the answer once the gateway has queued the request. */
	queued: string;
	hasRecord: boolean;
	read(body: Body, groupId?: string): Draft;
	check(draft: Draft, deviceId: string): ValidationErrors;
}

const IMAGES = ['jpg', 'jpeg', 'png'];
const DOCUMENTS = [...IMAGES, 'doc', 'docx', 'pdf', 'csv', 'ppt', 'pptx', 'xls', 'xlsx'];

const QUEUED = 'Message is queued and will be sent according to the queue.';
const WAITING = 'All messages are in the waiting list.';

/** Returns whether a path belongs to an endpoint, with any group ID. */
export function isEndpoint(path: string): boolean {
	return endpoints.some((each) => {
		const pattern = each.path.replace(':groupID', '[^/]+');
		return new RegExp(`^${pattern}$`).test(path);
	});
}

export const endpoints: EndpointRules[] = [
	{
		endpoint: 'v1/send',
		path: '/api/v1/message/send',
		queued: 'Message is sent in the background.',
		hasRecord: false,
		read: (body) => textDraft('v1/send', body),
		check: (draft, deviceId) => ({
			...deviceErrors(draft, deviceId),
			...phoneErrors('number', draft),
			...textErrors(draft),
		}),
	},
	{
		endpoint: 'v1/sendbulk',
		path: '/api/v1/message/sendbulk',
		queued: WAITING,
		hasRecord: false,
		read: (body) => textDraft('v1/sendbulk', body),
		check: (draft, deviceId) => ({
			...deviceErrors(draft, deviceId),
			...phoneErrors('number', draft),
			...textErrors(draft),
		}),
	},
	{
		endpoint: 'v1/sendgroup',
		path: '/api/v1/message/sendgroup/:groupID',
		queued: WAITING,
		hasRecord: false,
		read: (body, groupId) => ({ ...textDraft('v1/sendgroup', body), recipients: [], groupId }),
		check: (draft, deviceId) => ({ ...deviceErrors(draft, deviceId), ...textErrors(draft) }),
	},
	fileEndpoint('v2/send-image', 'image', IMAGES),
	fileEndpoint('v2/send-group-image', 'image', IMAGES),
	fileEndpoint('v2/send-document', 'document', DOCUMENTS),
	fileEndpoint('v2/send-group-document', 'document', DOCUMENTS),
];

function fileEndpoint(endpoint: Endpoint, field: string, extensions: string[]): EndpointRules {
	const isGroup = endpoint.includes('group');
	return {
		endpoint,
		path: `/api/v2/message/${endpoint.slice(3)}`,
		queued: QUEUED,
		hasRecord: !isGroup,
		read: ({ fields, file, format }) => ({
			endpoint,
			recipients: [fields.phone].filter((phone) => phone !== undefined).map(String),
			...(isGroup ? { groupId: textOf(fields.groupid) } : {}),
			...(fields.caption === undefined ? {} : { text: textOf(fields.caption) }),
			file,
			bodyFormat: format,
		}),
		check: (draft) => ({
			...phoneErrors('phone', draft),
			...(isGroup && !draft.groupId ? required('groupid') : {}),
			...fileErrors(field, extensions, draft),
		}),
	};
}

function textDraft(endpoint: Endpoint, { fields, format }: Body): Draft {
	return {
		endpoint,
		deviceId: textOf(fields.deviceid),
		recipients: numbersOf(fields),
		text: textOf(fields.message),
		bodyFormat: format,
	};
}

function textOf(value: unknown): string | undefined {
	return value === undefined || value === null ? undefined : String(value);
}

function required(field: string): ValidationErrors {
	return { [field]: [`The ${field} field is required.`] };
}

function deviceErrors({ deviceId }: Draft, expected: string): ValidationErrors {
	if (!deviceId) return required('deviceid');
	return deviceId === expected ? {} : { deviceid: ['The selected deviceid is invalid.'] };
}

function phoneErrors(field: string, { recipients }: Draft): ValidationErrors {
	if (recipients.every((number) => number === '')) return required(field);
	const wrong = recipients.filter((number) => !/^\d{6,15}$/.test(number));
	return wrong.length > 0 ? { [field]: [`The ${field} format is invalid.`] } : {};
}

function textErrors({ text }: Draft): ValidationErrors {
	return text ? {} : required('message');
}

function fileErrors(field: string, extensions: string[], { file }: Draft): ValidationErrors {
	if (file?.field !== field || file.size === 0) return required(field);
	const extension = file.name.toLowerCase().split('.').pop() ?? '';
	return extensions.includes(extension)
		? {}
		: { [field]: [`The ${field} must be a file of type: ${extensions.join(', ')}.`] };
}
