import { WAIT_INDEFINITELY, type IExecuteFunctions, type NodeExecutionHint } from 'n8n-workflow';
import { Ask } from '../../../nodes/MessagingGateway/ask/ask';
import type { Question } from '../../../nodes/MessagingGateway/shared/question';

const question: Question = { kind: 'freeText', text: 'Why?' };
const PUBLIC = 'https://n8n.example.com/webhook-waiting/1/node';

interface Given {
	/** Where n8n believes itself to be. */
	address?: string;
	runIndex?: number;
	/** Functions that older releases of n8n do not have. */
	newer?: object;
}

/** A run of the node, and what it has left with n8n. */
function start({ address = PUBLIC, runIndex = 0, newer }: Given = {}) {
	const left = {
		context: {} as { question?: string },
		hints: [] as NodeExecutionHint[],
		waitTill: undefined as Date | undefined,
	};
	const context = {
		getContext: (type: string) => (type === 'node' ? left.context : {}),
		getSignedResumeUrl: (parameters: Record<string, string>) =>
			`${address}?${String(new URLSearchParams(parameters))}&signature=signed`,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		putExecutionToWait: async (until: Date) => void (left.waitTill = until),
		getNode: () => ({ name: 'Ask' }),
		...(newer ?? {
			getExecutionCancelSignal: () => undefined,
			addExecutionHints: (...hints: NodeExecutionHint[]) => void left.hints.push(...hints),
		}),
	};
	return { ask: new Ask(context as unknown as IExecuteFunctions), left };
}

const idOf = (given?: Given, asked: Question = question) =>
	new URL(start(given).ask.linkTo(asked, undefined)).searchParams.get('question');

describe('the link to a question', () => {
	it('is signed by n8n, and the node keeps the question for its page', () => {
		const { ask, left } = start();
		const link = ask.linkTo(question, undefined);
		const id = idOf();
		expect(link).toBe(`${PUBLIC}?question=${id}&signature=signed`);
		expect(JSON.parse(left.context.question ?? '')).toEqual({ question, id });
	});

	it('is another one for another question, or in the next run of a loop', () => {
		const ids = [
			idOf(),
			idOf({ runIndex: 1 }),
			idOf({}, { ...question, text: 'Why not?' }),
			idOf({}, { kind: 'approval', text: 'Why?', approveLabel: 'Yes' }),
		];
		expect(new Set(ids).size).toBe(4);
		expect(idOf()).toBe(ids[0]);
	});

	it('stays short, and has no character that a messenger could end it at', () => {
		for (let runIndex = 0; runIndex < 50; runIndex++) {
			expect(idOf({ runIndex })).toMatch(/^[\w-]{16}$/);
		}
	});
});

describe('the execution', () => {
	afterEach(() => void jest.useRealTimers());

	const waitTill = async (limit: Parameters<Ask['linkTo']>[1], given?: Given) => {
		const { ask, left } = start(given);
		ask.linkTo(question, limit);
		await ask.wait();
		return left.waitTill;
	};

	it('waits without a limit, until a date, or for a time from now', async () => {
		jest.useFakeTimers();
		jest.setSystemTime(new Date('2026-02-03T04:05:06Z'));
		expect(await waitTill(undefined)).toBe(WAIT_INDEFINITELY);
		const until = new Date('2027-01-01T00:00:00Z');
		expect(await waitTill({ until })).toEqual(until);
		expect(await waitTill({ milliseconds: 60_000 })).toEqual(new Date('2026-02-03T04:06:06Z'));
	});

	it('does not wait once it was stopped, and says so', async () => {
		const { ask, left } = start({ newer: { getExecutionCancelSignal: () => AbortSignal.abort() } });
		ask.linkTo(question, undefined);
		await expect(ask.wait()).rejects.toMatchObject({
			message: 'The question was sent, but the execution was stopped, so nobody can answer.',
			description: 'To ask again, run the workflow again.',
		});
		expect(left.waitTill).toBeUndefined();
	});

	it('waits in an n8n that neither tells nodes of stops nor takes hints from them', async () => {
		const until = new Date('2027-01-01T00:00:00Z');
		const address = 'http://localhost:5678/webhook-waiting/1/node';
		expect(await waitTill({ until }, { address, newer: {} })).toEqual(until);
	});

	it.each([
		['http://localhost:5678/webhook-waiting/1/node', 'on the computer that runs n8n'],
		['https://192.168.1.20/webhook-waiting/1/node', 'in your own network'],
	])('has a hint where a phone cannot open the link: %s', async (address, where) => {
		const { ask, left } = start({ address });
		ask.linkTo(question, undefined);
		await ask.wait();
		expect(left.hints).toEqual([
			{
				message: `The link in the question starts with ${new URL(address).origin}, which opens only ${where}. Set n8n's environment variable WEBHOOK_URL to the address of your n8n on the internet, restart n8n, and send the question again.`,
				location: 'outputPane',
			},
		]);
		expect(left.waitTill).toBe(WAIT_INDEFINITELY);
	});

	it('has no hint where a phone can', async () => {
		const { ask, left } = start();
		ask.linkTo(question, undefined);
		await ask.wait();
		expect(left.hints).toEqual([]);
	});
});
