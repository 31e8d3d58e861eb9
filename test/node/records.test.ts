/** Executions that earlier releases have left in n8n's database, retried by the node of today. */
import { useHarness } from '../support/harness';
import { readReleases, storedOf } from '../support/records/records';
import { A, B, C, D } from '../support/records/scenes';

const RELEASES = new Map(readReleases().map((each) => [each.node, each]));

const harness = useHarness();

/** Retries what a release has left, and resolves to what n8n shows and to whom a message goes. */
async function retry(version: string, scene: string) {
	const release = RELEASES.get(version);
	if (!release) throw new Error(`There are no records of ${version}`);
	harness.gateway.clear();
	const { credential, engine } = harness;
	const stored = storedOf(release, scene);
	const run = await engine.retryStored(stored, { credential });
	const sent = harness.gateway.messages.flatMap(({ recipients }) => recipients);
	const says = `${run.error?.message} ${run.error?.description}`;
	return { queued: release.scenes[scene]?.queued, sent, status: run.status, says };
}

const NEWER = 'A newer retry of this execution exists';
const DOUBT = 'could not find out whether the gateway took this message';

it.each([
	['failed', [A], [B, C], 'success'],
	['uncertain', [A, B], [C], 'error'],
	['stopped', [A, B], [C], 'error'],
	['loop', [A], [B, C], 'success'],
	['list', [A, B], [C, D], 'success'],
	['keys', [A], [B, C], 'success'],
])('a Retry of what 1.1.0 has left (%s) sends the rest, once', async (...expected) => {
	const [scene, queued, rest, status] = expected;
	const first = await retry('1.1.0', scene);
	expect([first.queued, first.sent, first.status]).toEqual([queued, rest, status]);
	if (status === 'error') expect(first.says).toContain(DOUBT);
	// The same, as n8n still offers it.
	const second = await retry('1.1.0', scene);
	expect([second.sent, second.status]).toEqual([[], 'error']);
	expect(second.says).toContain(NEWER);
});

it.each([
	['failed', [A]],
	['uncertain', [A, B]],
	['stopped', [A, B]],
	['loop', [A]],
	['list', [A, B]],
	['keys', [A]],
])('a Retry of what 1.0.0 has left (%s) sends nothing, and says why', async (scene, queued) => {
	const retried = await retry('1.0.0', scene);
	expect([retried.queued, retried.sent, retried.status]).toEqual([queued, [], 'error']);
	expect(retried.says).toContain('Another release of this node has run this execution');
});
