/** A question through n8n's engine: what goes out, and when the execution waits. */
import type { INodeExecutionData } from 'n8n-workflow';
import { createEngine, type Run } from '../support/engine/engine';
import { loadHost } from '../support/engine/host';
import { stringify } from '../support/engine/execution';
import {
	errorOf,
	CONTINUE_ON_FAIL,
	jsonOf,
	NUMBER,
	useHarness,
	withJson,
} from '../support/harness';

const harness = useHarness();

const question = (more: object = {}) => ({
	resource: 'text',
	operation: 'sendAndWait',
	phoneNumber: NUMBER,
	message: 'Refund?',
	...more,
});
const limit = (values: object) => ({ options: { limitWaitTime: { values } } });

it('a question is asked once, whatever the number of items, and waits without a limit', async () => {
	const run = await harness.run(question({ message: '=Refund {{ $json.order }}?' }), {
		items: withJson({ order: 7 }, { order: 8 }),
	});
	expect(run.status).toBe('waiting');
	expect(run.data.waitTill?.getFullYear()).toBe(3000);
	expect(harness.texts).toEqual([
		expect.stringMatching(/^Refund 7\?\n\nhttp:.*\/webhook-waiting\/.*question=.*signature=/),
	]);
});

it('a question waits as long as it is told, from when it went out', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'hours' };
	const before = Date.now();
	const run = await harness.run(question(limit(values)));
	const waited = (run.data.waitTill?.getTime() ?? 0) - before;
	expect(waited).toBeGreaterThanOrEqual(7_200_000);
	expect(waited).toBeLessThan(7_260_000);
});

it('a question is not sent if its time is over already', async () => {
	const values = { limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00' };
	const run = await harness.run(question(limit(values)));
	expect(run.status).toBe('error');
	expect(harness.requestCount).toBe(0);
});

it('a question is not asked in a dry run, which does not wait', async () => {
	const run = await harness.run(question({ options: { dryRun: true } }));
	expect(run.status).toBe('success');
	expect(run.data.waitTill).toBeUndefined();
	expect(jsonOf(run)).toMatchObject([{ to: NUMBER, status: 'ready' }]);
	expect(harness.requestCount).toBe(0);
});

it('a question is not waited for if the Send-Once Key says that it was asked before', async () => {
	const once = question({ options: { sendOnceKey: 'refund 7' } });
	expect((await harness.run(once)).status).toBe('waiting');
	const second = await harness.run(once);
	expect(second.status).toBe('success');
	expect(jsonOf(second)).toMatchObject([{ skipped: true, sendOnceKey: 'refund 7' }]);
	expect(harness.gateway.messages).toHaveLength(1);
});

it('a question may come from a saved workflow with options that it does not show', async () => {
	const options = { batching: { batch: {} }, maxConcurrency: 1, output: 'perRecipient' };
	const run = await harness.run(question({ options }));
	expect(run.status).toBe('waiting');
	expect(jsonOf(run)).toEqual([{ code: 200, message: 'Message is sent in the background.' }]);
});

it('a question passes on no reply to an earlier one if nobody answers in time', async () => {
	const items = withJson({ order: 7, data: { approved: true } }, { data: { approved: true } });
	const asked = await harness.run(question(), { items });
	expect(jsonOf(await harness.engine.retry(asked))).toEqual([{ order: 7 }, {}]);
	expect(harness.requestCount).toBe(1);
});

it('a question is asked again with the whole input if n8n tries again', async () => {
	harness.gateway.misbehave({ respond: { status: 422 }, times: 1 });
	const message = '=Refund {{ $json.data.order }}?';
	const run = await harness.run(question({ message }), {
		items: withJson({ data: { order: 7 } }),
		node: { retryOnFail: true, waitBetweenTries: 10, maxTries: 2 },
	});
	expect(run.status).toBe('waiting');
	expect(harness.texts).toEqual([expect.stringMatching(/^Refund 7\?/)]);
});

describe('a Retry with a changed node after the reply has come', () => {
	const reply = { data: { approved: true, respondedAt: '2026-11-24T08:00:00.000Z' } };
	const given = withJson({ order: 7, data: { respondedAt: '2026-11-23T08:00:00.000Z' } });
	const asked = question({ message: '=Refund {{ $json.order }}?' });

	/** What n8n has stored if what follows the question fails: the reply in the place of the input. */
	async function answered(): Promise<Run> {
		const run = await harness.run(asked, { items: given });
		const { executionData, resultData } = run.data;
		const [waiting] = executionData?.nodeExecutionStack ?? [];
		if (waiting) waiting.data = { main: [withJson(reply) as INodeExecutionData[]] };
		run.data.waitTill = undefined;
		resultData.runData = {};
		return { ...run, status: 'error', stored: () => stringify(run.data) };
	}

	it('a Retry passes on the reply, and does not ask again', async () => {
		const retried = await harness.engine.retry(await answered(), { parameters: asked });
		expect([retried.status, retried.data.waitTill]).toEqual(['success', undefined]);
		expect(jsonOf(retried)).toEqual([reply]);
		expect(harness.requestCount).toBe(1);
	});

	it('a Retry takes no reply to an earlier question for that of a question that was not asked', async () => {
		harness.gateway.misbehave({ respond: { status: 422 }, times: 1 });
		const refused = await harness.run(asked, { items: given });
		const retried = await harness.engine.retry(refused, { parameters: asked });
		expect(retried.status).toBe('waiting');
		expect(harness.texts).toEqual([expect.stringMatching(/^Refund 7\?/)]);
	});
});

it.each([
	['refused', { status: 422 }, 'notSent'],
	['uncertain', { status: 500 }, 'uncertain'],
])('the node does not wait if the question is %s', async (_, respond, outcome) => {
	harness.gateway.misbehave({ respond });
	const run = await harness.run(question(), { node: CONTINUE_ON_FAIL });
	expect(run.status).toBe('success');
	expect(run.data.waitTill).toBeUndefined();
	expect(errorOf(run).outcome).toBe(outcome);
});

it('a question goes out once if a retry finds that it was taken', async () => {
	harness.gateway.misbehave({ respond: { status: 500 }, queueAnyway: true });
	const first = await harness.run(question());
	harness.gateway.behave();
	const second = await harness.engine.retry(first);
	expect(second.status).toBe('error');
	expect(harness.gateway.messages).toHaveLength(1);
});

describe('a question whose execution was stopped', () => {
	const WORDS = {
		message:
			'An earlier execution has asked this question, and the answer to it cannot reach this one.',
		description:
			"Nothing was queued this time. To ask again, with a link that works, set the option 'Uncertain Messages on Retry' to 'Send Again'.",
	};
	const asked = question({ options: { sendOnceKey: 'order 7' } });
	const askedAgain = question({ options: { sendOnceKey: 'order 7', onUncertain: 'resend' } });

	beforeEach(async () => {
		await harness.engine.close();
		harness.engine = await createEngine();
	});

	/** Stops it when the node has told its hints, which it does last before it waits, and stores it once it has ended. */
	async function stopped(): Promise<Run> {
		const { prototype } = (await loadHost()).core.ExecuteContext;
		const stop = () => harness.engine.cancel();
		jest.spyOn(prototype, 'addExecutionHints').mockImplementationOnce(stop);
		const run = await harness.run(asked);
		return { ...run, stored: () => stringify(run.data) };
	}

	it('an execution that is stopped once the question was taken does not wait, and says so', async () => {
		const run = await stopped();
		expect(run.status).toBe('error');
		expect(run.data.waitTill).toBeUndefined();
		expect(run.error).toMatchObject({
			message: 'The question is queued, but the execution was stopped, so nobody can answer.',
			description: expect.stringContaining(
				"n8n's editor cannot retry a stopped execution. To ask again, start",
			) as string,
		});
	});

	it('a retry does not wait for a reply that goes elsewhere, and says how to ask again', async () => {
		const retried = await harness.engine.retry(await stopped());
		expect(retried.status).toBe('error');
		expect(retried.data.waitTill).toBeUndefined();
		expect(retried.error).toMatchObject({
			...WORDS,
			description: expect.stringContaining(
				`${WORDS.description} The uncertain message was for 6281234567890. Then save, and retry: Executions → the failed one → ↷ → 'Retry with currently saved workflow'`,
			),
		});
		expect(harness.gateway.messages).toHaveLength(1);
	});

	it('a retry that continues on fail does not wait for a reply that goes elsewhere, either', async () => {
		const retried = await harness.engine.retry(await stopped(), { node: CONTINUE_ON_FAIL });
		expect(retried.data.waitTill).toBeUndefined();
		expect(errorOf(retried)).toEqual({ ...WORDS, outcome: 'uncertain' });
		expect(retried.hints).toEqual([]);
	});

	it('a retry that may send again asks again, and waits with a link of its own', async () => {
		const first = await harness.engine.retry(await stopped());
		const second = await harness.engine.retry(first, { parameters: askedAgain });
		expect(second.status).toBe('waiting');
		expect(harness.texts).toHaveLength(2);
		expect(harness.texts[1]).toContain(`/webhook-waiting/${second.executionId}/`);
	});

	it('one of two retries may ask again, and the other leads to it', async () => {
		const run = await stopped();
		await harness.engine.retry(run, { parameters: askedAgain });
		const other = await harness.engine.retry(run, { parameters: askedAgain });
		expect(other.status).toBe('error');
		expect(other.error?.message).toContain('A newer retry of this execution exists');
		expect(harness.gateway.messages).toHaveLength(2);
	});
});

it("a question is asked once, and for what it was told, if n8n takes the gateway's answer for a failure", async () => {
	const accepted = { code: 200, message: 'Queued', error: '' };
	harness.gateway.misbehave({ respond: { status: 200, body: accepted }, queueAnyway: true });
	const run = await harness.run(question({ message: '=Refund {{ $json.data.order }}?' }), {
		items: withJson({ data: { order: 7 } }),
		node: { retryOnFail: true, waitBetweenTries: 10, maxTries: 2 },
	});
	expect(run.status).toBe('waiting');
	expect(jsonOf(run)).toEqual([{ response: accepted }]);
	expect(harness.texts).toEqual([expect.stringMatching(/^Refund 7\?/)]);
	expect(jsonOf(await harness.engine.retry(run))).toEqual([{}]);
});

it('a question shows what the gateway said while it waits', async () => {
	const run = await harness.run(question());
	expect(jsonOf(run)).toEqual([{ code: 200, message: 'Message is sent in the background.' }]);
});
