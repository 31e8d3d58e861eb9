/** A question through n8n's engine: what goes out, and when the execution waits. */
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

it('asks once, whatever the number of items, and waits without a limit', async () => {
	const run = await harness.run(question({ message: '=Refund {{ $json.order }}?' }), {
		items: withJson({ order: 7 }, { order: 8 }),
	});
	expect(run.status).toBe('waiting');
	expect(run.data.waitTill?.getFullYear()).toBe(3000);
	expect(harness.texts).toEqual([
		expect.stringMatching(/^Refund 7\?\n\nhttp:.*\/webhook-waiting\/.*question=.*signature=/),
	]);
});

it('waits as long as it is told, from when the question went out', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'hours' };
	const before = Date.now();
	const run = await harness.run(question(limit(values)));
	const waited = (run.data.waitTill?.getTime() ?? 0) - before;
	expect(waited).toBeGreaterThanOrEqual(7_200_000);
	expect(waited).toBeLessThan(7_260_000);
});

it('sends nothing where its time is over already', async () => {
	const values = { limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00' };
	const run = await harness.run(question(limit(values)));
	expect(run.status).toBe('error');
	expect(harness.requestCount).toBe(0);
});

it.each([
	['refused', { status: 422 }, 'notSent'],
	['uncertain', { status: 500 }, 'uncertain'],
])('does not wait where the question is %s', async (_, respond, outcome) => {
	harness.gateway.misbehave({ respond });
	const run = await harness.run(question(), { node: CONTINUE_ON_FAIL });
	expect(run.status).toBe('success');
	expect(run.data.waitTill).toBeUndefined();
	expect(errorOf(run).outcome).toBe(outcome);
});

it('goes out once, where a retry finds that it was taken', async () => {
	harness.gateway.misbehave({ respond: { status: 500 }, queueAnyway: true });
	const first = await harness.run(question());
	harness.gateway.behave();
	const second = await harness.engine.retry(first);
	expect(second.status).toBe('error');
	expect(harness.gateway.messages).toHaveLength(1);
});

it('shows what the gateway said while it waits', async () => {
	const run = await harness.run(question());
	expect(jsonOf(run)).toEqual([{ code: 200, message: 'Message is sent in the background.' }]);
});
