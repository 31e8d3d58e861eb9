import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import {
	BASE_URL_CLEANING,
	cleaned,
	type Cleaning,
	TOKEN_CLEANING,
} from '../nodes/MessagingGateway/gateway/cleaning';

/**
 * n8n's test can only name what is wrong: statuses, and the value of one field in the body. So every status is wrong but
 * these, with which a gateway refuses a message that lacks everything.
 */
const GOOD_STATUSES = [200, 400, 415, 422];

const BAD_STATUSES = range(100, 999).filter((status) => !GOOD_STATUSES.includes(status));

/** The texts for statuses, each with its number. */
const STATUS_TEXTS: Array<[statuses: number[], text: (status: number) => string]> = [
	[
		[401, 440, 498],
		(status) =>
			`The gateway rejected this access token (status ${status}). Copy it again from your gateway into 'Access Token'.`,
	],
	[
		[402],
		(status) =>
			`The gateway requires a payment (status ${status}): the plan may have expired, or its credit may be used up. Ask its provider.`,
	],
	[
		[403, 406],
		(status) =>
			`The gateway rejected this access token, or something in front of the gateway, such as Cloudflare, is blocking n8n (status ${status}). Copy the token again, or ask the provider of the gateway.`,
	],
	[
		[404, 405, 410, 419],
		(status) =>
			`There is no gateway at this Base URL (status ${status}). Enter the address of your subscription.`,
	],
	[
		[407],
		(status) =>
			`A proxy between n8n and the gateway requires a sign-in (status ${status}). Ask the administrator of n8n.`,
	],
	[
		[429],
		(status) =>
			`The gateway is not accepting more requests right now (status ${status}). Try again in a minute.`,
	],
	[
		[...range(500, 511), ...range(520, 530)],
		(status) =>
			`The gateway is not working right now (status ${status}). Try again later, or ask its provider.`,
	],
	[
		range(300, 308),
		(status) =>
			`This Base URL redirects to another address (status ${status}). Enter that address instead; often it is the same one with https://.`,
	],
	[
		[...range(201, 208), ...range(408, 451)],
		(status) =>
			`Something answered at this Base URL, but not like a gateway (status ${status}). Enter the address of your subscription.`,
	],
];

/** Fields in which gateways put the status of their answer, and what they write there. */
const STATUS_FIELDS = ['code', 'status', 'statusCode'];
const WRITTEN = [401, 402, 403, 404, 405, 410, 419, 429, 440, 498, 500, 501, 502, 503, 504];

const WEB_PAGE =
	'There is a web page at this Base URL, or a program in front of the gateway, but not the gateway itself. Enter the address of your subscription.';
const NO_MESSAGE =
	"Something answered at this Base URL, but not like a gateway: its answer has no 'message'. Enter the address of your subscription.";

type Rules = NonNullable<ICredentialTestRequest['rules']>;

/** n8n reads rules of both kinds, but their type allows only one. */
const RULES = [...statusRules(), ...bodyRules()] as Rules;

function* eachText(): Generator<[status: number, message: string]> {
	const seen = new Set(GOOD_STATUSES);
	for (const [statuses, text] of STATUS_TEXTS) {
		for (const status of statuses) {
			if (!seen.has(status)) yield [status, text(status)];
			seen.add(status);
		}
	}
}

function statusRules() {
	return [...eachText()].map(([value, message]) => ({
		type: 'responseCode' as const,
		properties: { value, message },
	}));
}

function bodyRules() {
	const rule = (key: string, value: unknown, message: string) => ({
		type: 'responseSuccessBody' as const,
		properties: { key, value, message },
	});
	return [
		// A body that is not JSON is a text.
		...['String', 'Number', 'Boolean'].map((type) => rule('constructor.name', type, WEB_PAGE)),
		...[...eachText()]
			.filter(([status]) => WRITTEN.includes(status))
			.flatMap(([status, message]) =>
				STATUS_FIELDS.flatMap((field) => [
					rule(field, status, message),
					rule(field, String(status), message),
				]),
			),
		rule('message', undefined, NO_MESSAGE),
	];
}

function range(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Outside of the class, because n8n's scan takes every field of the class with "cert" in its name for a password. */
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: "Whether to connect even if the gateway's certificate cannot be verified",
};

/** Writes a cleaning as an expression, because the declarative test of a credential calls no functions. */
function toExpression(value: string, cleaning: Cleaning): string {
	const steps = cleaning.map(
		([pattern, replacement]) => `.replace(${String(pattern)}, ${JSON.stringify(replacement)})`,
	);
	return `={{ ${value}${steps.join('')} }}`;
}

export class MessagingGatewayApi implements ICredentialType {
	name = 'messagingGatewayApi';

	displayName = 'Messaging Gateway API';

	icon: Icon = {
		light: 'file:messagingGateway.svg',
		dark: 'file:messagingGateway.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://gateway.example.com',
			// If there is no answer, n8n's test shows only a code.
			description:
				'The web address of your subscription at the gateway. In the details of a failed test, ECONNREFUSED and ENOTFOUND mean that nothing answers there, and EPROTO that it needs http:// in front, which is safe only within your own network.',
			hint: 'Without http:// in front, https:// is used. If the test fails, the ? beside “Base URL” explains its code.',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The token that the gateway issued for your subscription or trial',
		},
		{
			displayName: 'Device ID',
			name: 'deviceId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3f1c2b7e-9a4d-4f6e-8b1a-5c2d7e9f0a1b',
			description:
				"The ID of the device that sends your texts, as shown in your gateway's list of devices. Images and documents are sent without it.",
			hint: 'Required for texts. The test does not check it.',
		},
		{
			displayName: 'Default Country Code',
			name: 'defaultCountryCode',
			type: 'string',
			default: '',
			placeholder: 'e.g. 34 or ES',
			description:
				'The country of numbers without a country code: a code such as 34, or a country such as ES. If not set, numbers need their country code.',
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: 0,
			description:
				'How many requests your plan allows per minute, for all workflows together; 0 is no limit. <a href="https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/responsible-sending.md">How fast is safe?</a>',
		},
		allowUnauthorizedCerts,
	];

	/** A function, because n8n takes 0.2 ms to evaluate the expression of a declarative one for each message. */
	authenticate: IAuthenticate = async ({ accessToken }, request) => ({
		...request,
		headers: {
			...request.headers,
			Authorization: `Bearer ${cleaned(accessToken, TOKEN_CLEANING)}`,
		},
	});

	/** A send without a recipient, a text or a file: a gateway can refuse it, but never queue it. */
	test: ICredentialTestRequest = {
		request: {
			method: 'POST',
			baseURL: toExpression('$credentials.baseUrl', BASE_URL_CLEANING),
			url: '/api/v2/message/send-image',
			headers: { Accept: 'application/json' },
			disableFollowRedirect: true,
			skipSslCertificateValidation:
				'={{ $credentials.allowUnauthorizedCerts }}' as unknown as boolean,
			ignoreHttpStatusErrors: { ignore: true, except: BAD_STATUSES },
		},
		rules: RULES,
	};
}
