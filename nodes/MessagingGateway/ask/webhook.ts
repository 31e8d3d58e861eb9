/** Serves the link of a question: shows its page, and continues the execution with the reply. */

import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readReply } from './reply';
import { type AskedQuestion, QUESTION_PARAMETER } from './ask';
import { type Deadline, headers, outdatedPage, overPage, questionPage, thanksPage } from './page';
import { readerOf } from './texts';

const resume = {
	name: 'default' as const,
	responseMode: 'onReceived',
	// If it is absent, n8n answers with “firstEntryJson”, the name of its default, instead of the page.
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
};

/** The signed link of a waiting execution. n8n checks the signature, then calls the node. */
export const webhooks: IWebhookDescription[] = [
	{ ...resume, httpMethod: 'GET' },
	{ ...resume, httpMethod: 'POST' },
];

export const WAITING_TOOLTIP =
	'={{ $parameter.operation === "sendAndWait" ? "The workflow continues when the person answers" : "" }}';

/**
 * Shows the question, and takes the reply. Only the buttons of the page send a reply, as a POST. Opening or previewing the
 * link records no answer.
 */
export async function serveLink(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const asked = recall(context);
	const request = context.getRequestObject();
	const reader = readerOf(request.headers['accept-language']);
	const ofLink: unknown = (request.query as Record<string, unknown>)[QUESTION_PARAMETER];
	if (!asked || ofLink !== asked.id) return show(context, 410, outdatedPage(reader));
	const { question } = asked;
	const deadline = deadlineOf(asked, context);
	// n8n continues the execution a moment later, or when n8n runs again.
	if (deadline && deadline.left <= 0) return show(context, 410, overPage(question, reader));
	if (request.method !== 'POST') {
		return show(context, 200, questionPage(question, reader, { deadline }));
	}

	const reply = readReply(question, context.getBodyData());
	if ('refusal' in reply) {
		return show(context, 422, questionPage(question, reader, { deadline, refused: reply }));
	}

	context.getResponseObject().set(headers());
	const data = { ...reply.data, respondedAt: new Date().toISOString() };
	return {
		// n8n sends it when the execution continues, and not to a second reply at the same time.
		webhookResponse: thanksPage(question, reply.words, reader),
		workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]],
	};
}

function deadlineOf({ until }: AskedQuestion, context: IWebhookFunctions): Deadline | undefined {
	if (until === undefined) return undefined;
	return { until: new Date(until), left: until - Date.now(), timezone: context.getTimezone() };
}

function show(context: IWebhookFunctions, status: number, html: string): IWebhookResponseData {
	context.getResponseObject().status(status).set(headers()).send(html);
	return { noWebhookResponse: true };
}

/**
 * The question is in the context of the node, which a webhook of the node can read only through an expression.
 *
 * Returns the question that the execution waits for.
 */
function recall(context: IWebhookFunctions): AskedQuestion | undefined {
	const name = [...context.getNode().name]
		.map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
		.join('');
	const stored = context.evaluateExpression(`{{ $node["${name}"].context.question }}`);
	return typeof stored === 'string' ? (JSON.parse(stored) as AskedQuestion) : undefined;
}
