import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readReply } from './reply';
import { QUESTION_PARAMETER, type AskedQuestion } from './ask';
import { outdatedPage, overPage, questionPage, thanksPage, type Deadline } from './page';
import { HEADERS } from './pageFrame';
import { readerOf } from './reader';

const resume = {
	name: 'default' as const,
	responseMode: 'onReceived',
	// Without it, n8n answers with “firstEntryJson”, the name of its default, instead of the page.
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
};

/** The signed link of a waiting execution: n8n checks the signature, and asks the node for the rest. */
export const webhooks: IWebhookDescription[] = [
	{ ...resume, httpMethod: 'GET' },
	{ ...resume, httpMethod: 'POST' },
];

export const WAITING_TOOLTIP =
	'={{ $parameter.operation === "sendAndWait" ? "The workflow continues when the person has answered" : "" }}';

/**
 * Shows the question, and takes the reply. Only a POST decides, which the page's buttons send: whoever merely opens the
 * link, such as the preview of a messenger, decides nothing.
 */
export async function serveLink(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const asked = recall(context);
	const request = context.getRequestObject();
	const reader = readerOf(request.headers['accept-language']);
	const ofLink: unknown = (request.query as Record<string, unknown>)[QUESTION_PARAMETER];
	if (!asked || ofLink !== asked.id) return show(context, 410, outdatedPage(reader));
	const { question } = asked;
	const deadline = deadlineOf(asked, context);
	// n8n lets go of the execution a moment later, or once it runs again.
	if (deadline && deadline.left <= 0) return show(context, 410, overPage(question, reader));
	if (request.method !== 'POST') {
		return show(context, 200, questionPage(question, reader, { deadline }));
	}

	const reply = readReply(question, context.getBodyData());
	if ('refusal' in reply) {
		return show(context, 422, questionPage(question, reader, { deadline, refused: reply }));
	}

	context.getResponseObject().set(HEADERS);
	const data = { ...reply.data, respondedAt: new Date().toISOString() };
	return {
		// Not sent here: n8n sends it once the execution continues, and not to a second reply at the same time.
		webhookResponse: thanksPage(question, reply.words, reader),
		workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]],
	};
}

function deadlineOf({ until }: AskedQuestion, context: IWebhookFunctions): Deadline | undefined {
	if (until === undefined) return undefined;
	return { until: new Date(until), left: until - Date.now(), timezone: context.getTimezone() };
}

function show(context: IWebhookFunctions, status: number, html: string): IWebhookResponseData {
	context.getResponseObject().status(status).set(HEADERS).send(html);
	return { noWebhookResponse: true };
}

/**
 * Returns the question that the execution waits for. It is in the node's context, which a webhook of
 * the node can read through expressions only.
 */
function recall(context: IWebhookFunctions): AskedQuestion | undefined {
	const name = [...context.getNode().name]
		.map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
		.join('');
	const stored = context.evaluateExpression(`{{ $node["${name}"].context.question }}`);
	return typeof stored === 'string' ? (JSON.parse(stored) as AskedQuestion) : undefined;
}
