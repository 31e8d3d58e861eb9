/** The option Send Before in n8n's engine: what people write in it, and what comes out. */
import {
	bulk,
	CONTINUE_ON_FAIL,
	errorOf,
	file,
	jsonOf,
	numberOf,
	text,
	useHarness,
	withFile,
} from '../support/harness';

const harness = useHarness();
const ready = [{ json: {} }];

it.each([
	['={{ $now.plus(1, "hour") }}', 'queued'],
	['={{ $now.minus(1, "minute") }}', 'skipped'],
	['={{ new Date(Date.now() + 60000) }}', 'queued'],
	['={{ new Date(0) }}', 'skipped'],
	['={{ $now.plus(1, "hour").toISO() }}', 'queued'],
	['={{ $now.minus(1, "hour").toUTC().toISO() }}', 'skipped'],
	['2099-01-01T00:00:00', 'queued'],
	['2020-01-01 00:00', 'skipped'],
	['={{ $json.until }}', 'notSent'],
	['={{ "soon" }}', 'notSent'],
	['={{ DateTime.fromISO("soon") }}', 'notSent'],
	['', 'notSent'],
])('Send Before %s: %s', async (sendBefore, status) => {
	const options = { sendBefore, output: 'perRecipient' };
	const run = await harness.run(text({ options }), { items: ready, node: CONTINUE_ON_FAIL });
	expect(jsonOf(run)).toMatchObject([{ status }]);
	expect(harness.texts).toHaveLength(status === 'queued' ? 1 : 0);
});

it.each([
	['a text', text],
	['a bulk text', (more: Record<string, unknown>) => bulk({ phoneNumbers: numberOf(1), ...more })],
	['an image', (more: Record<string, unknown>) => file('image', 'send', more)],
	[
		'a document to a group',
		(more: Record<string, unknown>) => file('document', 'sendToGroup', more),
	],
])('%s that is too late is skipped, with its time, also in a dry run', async (_, parameters) => {
	const items = [withFile('photo.jpg')];
	const sendBefore = '2020-01-01T08:30:00';
	const sent = await harness.run(parameters({ options: { sendBefore } }), { items });
	expect(jsonOf(sent)).toMatchObject([
		{ skipped: true, reason: expect.stringMatching(/'Send Before' is 2020-01-01 08:30\.$/) },
	]);
	const dry = await harness.run(parameters({ options: { sendBefore, dryRun: true } }), { items });
	expect(jsonOf(dry)).toMatchObject([{ status: 'skipped' }]);
	expect(harness.requestCount).toBe(0);
});

it('an item whose time cannot be read is refused, and the others go out', async () => {
	const items = [{ json: {} }, { json: { until: '2099-01-01' } }];
	const options = { sendBefore: '={{ $json.until }}' };
	const run = await harness.run(text({ options }), { items, node: CONTINUE_ON_FAIL });
	expect(errorOf(run, 0)).toMatchObject({
		message: "The option 'Send Before' is empty.",
		outcome: 'notSent',
	});
	expect(harness.texts).toHaveLength(1);
});

it('a message that waits for a busy gateway is skipped when its time has passed', async () => {
	harness.gateway.misbehave({
		times: 1,
		respond: { status: 429, headers: { 'Retry-After': '2' } },
	});
	const options = { sendBefore: '={{ $now.plus(1, "second") }}', output: 'perRecipient' };
	const run = await harness.run(text({ options }));
	expect(jsonOf(run)).toMatchObject([{ status: 'skipped' }]);
	expect([harness.requestCount, harness.texts]).toEqual([1, []]);
});
