/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** The pace and the sender against gateways whose plans nobody told them, in virtual time. `PLANS=1000` tries more. */
import fc from 'fast-check';
import type { PlanKind, Told } from '../../../support/plans/gateways';
import { simulate, type Case, type Load } from '../../../support/plans/simulate';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.PLANS ?? 12);

/** Refused requests that no share allows for: until a plan is learned. */
const TO_LEARN = 10;

const cases: fc.Arbitrary<Case> = fc
	.record({
		kind: fc.constantFrom<PlanKind>('any', 'first', 'token', 'leaky', 'underWay'),
		told: fc.constantFrom<Told>('up', 'down', 'date', 'missing', 'half', 'more'),
		load: fc.constantFrom<Load>('hundred', 'hundred', 'trickle', 'mixed', 'uploads', 'thousand'),
		isSlow: fc.boolean(),
		seed: fc.nat(),
	})
	.map((each) => ({ ...each, requests: each.kind === 'underWay' ? 5 : 20, seconds: 10 }));

it('every message is sent whatever the plan of the gateway is, with few refused requests once it is known', async () => {
	console.info(`${numRuns} plans, SEED=${seed}`);
	await fc.assert(
		fc.asyncProperty(cases, async (each) => {
			const { asked, sent, refused, before, after } = await simulate(each);
			expect(sent).toBe(asked);
			expect(refused - before).toBeLessThanOrEqual(0.05 * after + TO_LEARN);
		}),
		{ seed, numRuns },
	);
});

it.each(['any', 'first', 'token'] as const)(
	'a plan that was learned is used (%s)',
	async (kind) => {
		const { used } = await simulate({
			kind,
			told: 'up',
			load: 'thousand',
			isSlow: false,
			seed: 1,
			requests: 20,
			seconds: 10,
		});
		expect(used).toBeGreaterThanOrEqual(0.85);
	},
);
