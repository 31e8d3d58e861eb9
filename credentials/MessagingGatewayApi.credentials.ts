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

/** The texts of the test for statuses that mean wrong settings. */
const STATUS_TEXTS = new Map<number[], string>([
	[
		[401],
		"The gateway rejected this access token. Copy it again from your gateway into 'Access Token'.",
	],
	[
		[403],
		'The gateway rejected this access token, or something in front of the gateway, such as a bot check, is blocking n8n. Copy the token again, or ask the provider of the gateway.',
	],
	[[404, 405], 'There is no gateway at this Base URL. Enter the address of your subscription.'],
	[
		[301, 302, 303, 307, 308],
		'This Base URL redirects to another address. Enter that address instead; often it is the same one with https://.',
	],
	[[407], 'A proxy between n8n and the gateway requires a sign-in. Ask the administrator of n8n.'],
	[[429], 'The gateway is not accepting more requests right now. Try again in a minute.'],
	[
		[500, 502, 503, 504],
		'The gateway is not working right now. Try again later, or ask its provider.',
	],
]);

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
			ignoreHttpStatusErrors: { ignore: true, except: [...STATUS_TEXTS.keys()].flat() },
		},
		rules: [...STATUS_TEXTS].flatMap(([statuses, message]) =>
			statuses.map((value) => ({
				type: 'responseCode' as const,
				properties: { value, message },
			})),
		),
	};
}
