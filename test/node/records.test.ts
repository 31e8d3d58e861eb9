/** Executions that earlier releases have left in n8n's database, retried by the node of today. */
import { useHarness } from '../support/harness';
import { readReleases, storedOf } from '../support/records/records';
import { A, B } from '../support/records/scenes';

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

it.each(
	['1.0.0', '1.1.0'].flatMap((release) =>
		[
			['failed', [A]],
			['uncertain', [A, B]],
			['stopped', [A, B]],
			['loop', [A]],
			['list', [A, B]],
			['keys', [A]],
		].map(([scene, queued]) => [release, scene, queued] as [string, string, string[]]),
	),
)(
	'a Retry of what %s has left (%s) sends nothing, and says why',
	async (release, scene, queued) => {
		const retried = await retry(release, scene);
		expect([retried.queued, retried.sent, retried.status]).toEqual([queued, [], 'error']);
		expect(retried.says).toContain('Another release of this node has run this execution');
	},
);
