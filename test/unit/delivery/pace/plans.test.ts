/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** The pace and the sender against gateways whose plans nobody told them, in virtual time. `PLANS=1000` tries more. */
import fc from 'fast-check';
import type { PlanKind, Told } from '../../../support/plans/gateways';
import { simulate, type Case, type Load } from '../../../support/plans/simulate';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.PLANS ?? 12);

const cases: fc.Arbitrary<Case> = fc
	.record({
		kind: fc.constantFrom<PlanKind>('any', 'first', 'token', 'leaky', 'underWay'),
		told: fc.constantFrom<Told>('up', 'down', 'date', 'missing', 'half', 'more'),
		load: fc.constantFrom<Load>('hundred', 'hundred', 'trickle', 'mixed', 'uploads', 'thousand'),
		isSlow: fc.boolean(),
		seed: fc.nat(),
	})
	.map((each) => ({ ...each, requests: each.kind === 'underWay' ? 5 : 20, seconds: 10 }));

interface Asked {
	/** At most this share of the requests after the first refusal is refused, rounded up. */
	refused: number;
	/** At least this share of the plan is used once it was learned. */
	used: number;
}

const ASKED: Asked = { refused: 0.05, used: 0.85 };

/** Where less is asked, and why. */
const LESS: Array<Partial<Asked> & { of(each: Case): boolean; why: string }> = [
	{
		of: ({ kind }) => kind === 'token' || kind === 'leaky',
		refused: 0.07,
		why: 'what a bucket has saved up hides that requests come too fast, and then refuses all that are under way',
	},
	{
		of: ({ kind, isSlow }) => kind === 'underWay' && isSlow,
		used: 0.65,
		why: 'refusals look like those of a bucket, and finding out what grows without more of them costs many answers',
	},
	{
		of: ({ kind, isSlow }) => kind === 'underWay' && !isSlow,
		used: 0.4,
		why: 'all is over within minutes, and the pace is careful for long after a refusal by chance',
	},
	{
		of: ({ load, isSlow }) => load === 'trickle' && isSlow,
		used: 0.75,
		why: 'each step waits for answers of 8 s, and the messages are over after a few of them',
	},
];

function askedOf(each: Case): Asked {
	const less = LESS.filter(({ of }) => of(each));
	return {
		refused: Math.max(ASKED.refused, ...less.map(({ refused = 0 }) => refused)),
		used: Math.min(ASKED.used, ...less.map(({ used = 1 }) => used)),
	};
}

it('every message is sent whatever the plan of the gateway is, with few refused requests, and the plan is used', async () => {
	console.info(`${numRuns} plans, SEED=${seed}`);
	await fc.assert(
		fc.asyncProperty(cases, async (each) => {
			const { asked, sent, refused, before, after, used } = await simulate(each);
			const most = askedOf(each);
			expect(sent).toBe(asked);
			expect(refused - before).toBeLessThanOrEqual(Math.ceil(most.refused * after));
			expect(used).toBeGreaterThanOrEqual(most.used);
		}),
		{ seed, numRuns },
	);
});

it.each(['any', 'first', 'token', 'leaky'] as const)(
	'a plan that was learned is used (%s)',
	async (kind) => {
		for (const isSlow of [false, true]) {
			const plan = { kind, told: 'up', requests: 20, seconds: 10 } as const;
			const { used } = await simulate({ ...plan, load: 'thousand', isSlow, seed: 1 });
			expect(used).toBeGreaterThanOrEqual(ASKED.used);
		}
	},
);
