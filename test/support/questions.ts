/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** What a person does with a question that arrives on the phone, and what n8n keeps of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { Gateway } from '../../practice-gateway/index';
import type { N8nServer, N8nSettings } from '../../tools/n8n/server/index';
import type { Execution } from '../../tools/n8n/server/types';

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

/** Settings of an n8n in which tests wait for questions: its log tells when one can be answered. */
export const TELLS_WHEN: Pick<N8nSettings, 'env'> = {
	env: { N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' },
};

/**
 * Resolves once an execution waits for an answer and n8n has let go of it. n8n stores "waiting" a
 * moment before that (`hookFunctionsSave`, then `finalizeExecution` in n8n's workflow-runner.js). Where an
 * answer arrives in between, the end of the run that asked removes the run that goes on: n8n answers 500,
 * or the execution stays "running".
 */
export async function untilWaiting(
	{ api, logs }: Pick<N8nServer, 'api' | 'logs'>,
	executionId: string,
): Promise<Execution> {
	for (let tries = 600; ; tries--) {
		const execution = await api.getExecution(executionId);
		const { status } = execution;
		if (status === 'waiting' && !isHeld(logs(), executionId)) return execution;
		// One that goes on after an answer still has the time at which it began to wait in "stoppedAt".
		if (tries === 0 || !['new', 'running', 'waiting'].includes(status)) {
			const { error } = execution.data.resultData;
			throw new Error(`Execution ${executionId} is ${execution.status}: ${error?.message ?? ''}`);
		}
		await sleep(100);
	}
}

/** Whether n8n has begun to run an execution more often than it has let go of it. */
function isHeld(log: string, executionId: string): boolean {
	const events = log
		.split('\n')
		.filter((line) => /"Execution (added|finalized)".*\}\}$/.test(line))
		.map((line) => JSON.parse(line) as { message: string; metadata: { executionId: string } })
		.filter(({ metadata }) => metadata.executionId === executionId);
	const count = (event: string) =>
		events.filter(({ message }) => message === `Execution ${event}`).length;
	return count('added') === 0 || count('added') > count('finalized');
}

/** What the node gave out once the execution went on. */
export function outputOf({ data }: Execution, node = 'Ask'): IDataObject[] {
	const items = data.resultData.runData[node]?.at(-1)?.data?.main?.[0] ?? [];
	return items.map(({ json }) => json);
}
