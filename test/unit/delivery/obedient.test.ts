/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** A person who does just what errors say, in random plots: nobody gets a message twice, nobody goes without. */
import fc from 'fast-check';
import { obey, type Plot } from './person';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.HISTORIES ?? 500);

const rarely = fc.nat({ max: 3 }).map((n) => n === 3);
const plot: fc.Arbitrary<Plot> = fc
	.record({
		mode: fc.constantFrom('singles' as const, 'list' as const, 'items' as const),
		keyed: rarely,
		sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 4 }),
		isManual: rarely,
		isAlone: fc.boolean(),
		turns: fc.constantFrom(1, 1, 3),
		nodes: fc.constantFrom(1, 1, 2),
		isSubWorkflow: rarely,
		wrong: fc.array(fc.nat({ max: 3 }), { maxLength: 1 }),
		refused: fc.array(fc.nat({ max: 3 }), { maxLength: 1 }),
		isNodeWrong: rarely,
		fates: fc.array(
			fc.record(
				{
					answers: fc.array(
						fc.constantFrom('accepted', 'accepted', 'notSent', 'uncertain', 'lostAnswer', 'busy'),
						{ maxLength: 6 },
					),
					endsAfter: fc.integer({ min: 1, max: 12 }),
				},
				{ requiredKeys: ['answers'] },
			),
			{ minLength: 1, maxLength: 5 },
		),
		edits: fc.array(
			fc.option(fc.constantFrom('replaceNode', 'changeOperation', 'changeText', 'addKey'), {
				nil: undefined,
				freq: 3,
			}),
			{ maxLength: 4 },
		),
	})
	.map(({ sizes, isManual, isAlone, ...rest }) => ({
		...rest,
		isManual,
		...(isManual && { turns: 1, nodes: 1, isSubWorkflow: false }),
		// Nothing tells of a single message that was under way when n8n ended.
		...(isManual && { fates: rest.fates.map(({ answers }) => ({ answers })) }),
		items: (isManual && isAlone ? sizes.slice(0, 1) : sizes).map((size) =>
			rest.mode === 'list' ? size : 1,
		),
	}));

it('a person who does what each error says lets nobody go without a message or have it twice', async () => {
	console.info(`${numRuns} plots, SEED=${seed}`);
	await fc.assert(
		fc.asyncProperty(plot, async (each) => {
			expect(await obey(each)).toEqual([]);
		}),
		{ seed, numRuns },
	);
}, 300_000);
