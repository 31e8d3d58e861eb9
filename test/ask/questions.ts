/** What a person does with a question that arrives on the phone, and what n8n keeps of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { Gateway } from '../../gateway/index';
import type { N8nApi } from '../support/n8n/api';
import type { Execution } from '../support/n8n/types';

export const PHONE = '6281234567890';

/** The link at the end of the newest message. */
export function newestLink(gateway: Gateway): string {
	const { text = '' } = gateway.messages.at(-1) ?? {};
	const link = /\n\n(https?:\/\/\S+)$/.exec(text)?.[1];
	if (!link) throw new Error(`No link in: ${text}`);
	return link;
}

/** Sends the page's form as a browser does. */
export async function answer(link: string, fields: Record<string, string>): Promise<Response> {
	return await fetch(link, { method: 'POST', body: new URLSearchParams(fields) });
}

export const approve = async (link: string) => await answer(link, { answer: 'approve' });
export const decline = async (link: string) => await answer(link, { answer: 'decline' });

/** Waits until an execution waits for an answer. */
export async function untilWaiting(api: N8nApi, executionId: string): Promise<Execution> {
	for (let tries = 300; ; tries--) {
		const execution = await api.getExecution(executionId);
		if (execution.status === 'waiting') return execution;
		if (tries === 0 || execution.stoppedAt) {
			const { error } = execution.data.resultData;
			throw new Error(`Execution ${executionId} is ${execution.status}: ${error?.message ?? ''}`);
		}
		await sleep(100);
	}
}

/** What the node gave out once the execution went on. */
export function outputOf({ data }: Execution, node = 'Ask'): IDataObject[] {
	const items = data.resultData.runData[node]?.at(-1)?.data?.main?.[0] ?? [];
	return items.map(({ json }) => json);
}
