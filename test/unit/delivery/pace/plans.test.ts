/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** The pace and the sender against gateways whose plans nobody told them, in virtual time. `PLANS=1000` tries more. */
import fc from 'fast-check';
import type { PlanKind, Told } from '../../../support/plans/gateways';
import { simulate, type Case, type Load } from '../../../support/plans/simulate';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.PLANS ?? 12);

/** Refused requests that no share allows for: until a plan is learned. */
const TO_LEARN = 2;

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

const loads = [
	['thousand', 2],
	['thousand', 4],
	['trickle', 5],
] as const;

it.each(
	(['any', 'first', 'token', 'leaky', 'underWay'] as const).flatMap((kind) =>
		loads.flatMap(([load, of]) => [
			[kind, load, false, of] as const,
			[kind, load, true, of] as const,
		]),
	),
)('a plan that was learned is used (%s, %s, slow answers: %s)', async (kind, load, isSlow, of) => {
	const plan = { kind, told: 'up', requests: kind === 'underWay' ? 5 : 20, seconds: 10 } as const;
	const { used, refused, before, after } = await simulate({ ...plan, load, isSlow, seed: of });
	expect(used).toBeGreaterThanOrEqual(0.85);
	expect(refused - before).toBeLessThanOrEqual(0.05 * after + TO_LEARN);
});

it.each(['up', 'date', 'missing', 'more'] as const)(
	'a burst some seconds after other messages is sent at the pace of the plan (told: %s)',
	async (told) => {
		const plan = { kind: 'any', told, requests: 20, seconds: 10 } as const;
		const { sent, seconds } = await simulate({ ...plan, load: 'late', isSlow: false, seed: 1 });
		expect(sent).toBe(100);
		// A client that knows the plan needs 50.
		expect(seconds).toBeLessThanOrEqual(80);
	},
);

it('a plan of which the first refusal shows little is used soon after', async () => {
	const plan = { kind: 'leaky', told: 'up', requests: 20, seconds: 10 } as const;
	const { used } = await simulate({ ...plan, load: 'trickle', isSlow: true, seed: 7 });
	expect(used).toBeGreaterThanOrEqual(0.75);
});

it.each(['down', 'missing'] as const)(
	'refusals now and then, which no plan explains, do not make a campaign twice as long (told: %s)',
	async (told) => {
		const each = {
			told,
			requests: 20,
			seconds: 10,
			load: 'campaign',
			isSlow: false,
			seed: 1,
		} as const;
		const calm = await simulate({ ...each, kind: 'never' });
		const { asked, sent, refused, seconds } = await simulate({ ...each, kind: 'rarely' });
		expect([sent, calm.refused]).toEqual([asked, 0]);
		expect(refused).toBeGreaterThan(10);
		expect(seconds - refused).toBeLessThanOrEqual(1.75 * calm.seconds);
	},
);

it('a plan that another n8n has used up for ten minutes is used again soon after', async () => {
	const plan = { kind: 'shared', told: 'missing', requests: 20, seconds: 10 } as const;
	const { asked, sent, refused, before, after, seconds } = await simulate({
		...plan,
		load: 'thousand',
		isSlow: false,
		seed: 1,
	});
	expect(sent).toBe(asked);
	expect(refused - before).toBeLessThanOrEqual(0.05 * after + TO_LEARN);
	// Ten minutes, the 500 seconds that a thousand need, and some 20 minutes to find out.
	expect(seconds).toBeLessThanOrEqual(2_600);
});
