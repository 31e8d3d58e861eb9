import type { INodeParameters } from 'n8n-workflow';

/** One run of one node in one new process. */
export interface Work {
	node: 'ours' | 'httpRequest' | 'telegram' | 'evaluation' | 'set' | 'keepAlive';
	baseUrl: string;
	items: number;
	/** Parameters of our node, or of the node that it is compared with. */
	parameters: INodeParameters;
	/** A file that every item carries. */
	file?: string;
	/**
	 * Number of items in a run before the measured one, so that the code is already compiled; 0 for
	 * none.
	 */
	warmUp: number;
	/** How often the node runs; once if left out. */
	runs?: number;
	/**
	 * The node knows 10,000 Send-Once Keys, in a database 1 ms away; `unlocked` as beside "Remove Duplicates" of the
	 * whole workflow.
	 */
	history?: 'locked' | 'unlocked';
	/** How many numbers the items share; each has its own if left out. */
	numbers?: number;
	/** Numbers that the first item carries in a field, as an opt-out list. */
	optOuts?: number;
}

/** The node's time in milliseconds, and the peak growth of the process's memory in MB. */
export interface Measured {
	ms: number;
	peakMb: number;
	/** The longest time in milliseconds in which the process did nothing else. */
	blockedMs: number;
	outputs: number;
	/** Requests that the gateway has refused. */
	refused?: number;
}

const NUMBER = '=62812{{ 1000000 + $json.index }}';

export const text = (options: INodeParameters = {}): INodeParameters => ({
	phoneNumber: NUMBER,
	message: 'Your order is ready.',
	options,
});

export const bulk = (message: string, options: INodeParameters = {}): INodeParameters => ({
	operation: 'sendBulk',
	recipientSource: 'items',
	message,
	options,
});

/** n8n's Set node (Edit Fields) with one field. */
export const oneField = (value: string): INodeParameters => ({
	assignments: { assignments: [{ id: 'text', name: 'text', type: 'string', value }] },
	includeOtherFields: false,
	options: {},
});

export const documentOf = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'document',
	phoneNumber: '6281234567890',
	options,
});

/** The same text with n8n's HTTP Request node. */
export const textByHttp = (baseUrl: string, deviceId = 'device'): INodeParameters => ({
	...httpRequest(`${baseUrl}/api/v1/message/send`),
	contentType: 'form-urlencoded',
	bodyParameters: {
		parameters: [
			{ name: 'deviceid', value: deviceId },
			{ name: 'number', value: NUMBER },
			{ name: 'message', value: 'Your order is ready.' },
		],
	},
});

/** The same document with n8n's HTTP Request node. */
export const documentByHttp = (baseUrl: string): INodeParameters => ({
	...httpRequest(`${baseUrl}/api/v2/message/send-document`),
	contentType: 'multipart-form-data',
	bodyParameters: {
		parameters: [
			{ name: 'phone', value: '6281234567890' },
			{ parameterType: 'formBinaryData', name: 'document', inputDataFieldName: 'data' },
		],
	},
});

export const textByTelegram: INodeParameters = {
	resource: 'message',
	operation: 'sendMessage',
	chatId: NUMBER,
	text: 'Your order is ready.',
	additionalFields: { appendAttribution: false },
};

function httpRequest(url: string): INodeParameters {
	return {
		method: 'POST',
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'messagingGatewayApi',
		sendBody: true,
		options: {},
	};
}
