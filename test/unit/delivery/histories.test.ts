/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** Lives through random histories of executions: nothing goes out twice, and nothing that went out is denied. */
import fc from 'fast-check';
import { live, type Course, type Step, type Story } from './model';
import type { Mode } from './deliver';

/** Random: each run tries other histories. A failure prints its seed, which SEED=… tries again. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.HISTORIES ?? 1_000);

const index = fc.nat({ max: 5 });
const answer = fc.oneof(
	{ weight: 4, arbitrary: fc.constant('accepted' as const) },
	{ weight: 3, arbitrary: fc.constant('notSent' as const) },
	{ weight: 2, arbitrary: fc.constant('uncertain' as const) },
	{ weight: 1, arbitrary: fc.constant('busy' as const) },
	{ weight: 1, arbitrary: fc.constant('token' as const) },
);
const rarely = fc.nat({ max: 4 }).map((n) => n === 4);
const course: fc.Arbitrary<Course> = fc.record({
	answers: fc.array(answer, { maxLength: 6 }),
	end: fc.option(
		fc.record({
			how: fc.constantFrom('stop' as const, 'kill' as const),
			after: fc.integer({ min: 1, max: 12 }),
		}),
		{ nil: undefined, freq: 2 },
	),
	continueOnFail: rarely,
	resendUncertain: rarely,
	maxConcurrency: fc.integer({ min: 1, max: 3 }),
	wrong: fc
		.tuple(rarely, fc.array(index, { maxLength: 2 }))
		.map(([is, items]) => (is ? items : [])),
	historyIsBroken: fc.nat({ max: 9 }).map((n) => n === 9),
});
const retryOf = (most: number) =>
	fc.array(fc.tuple(index, course), { minLength: 1, maxLength: most }).map((all): Step => ({
		do: 'retry',
		back: all.map(([back]) => back),
		courses: all.map(([, each]) => each),
	}));
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 6, arbitrary: retryOf(1) },
	{ weight: 2, arbitrary: retryOf(2) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('send' as const), course }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), item: index }) },
	{ weight: 1, arbitrary: fc.constant({ do: 'changeDevice' } as const) },
	{ weight: 1, arbitrary: fc.constant({ do: 'setCountryCode' } as const) },
);
const begin: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), course }) },
	{ weight: 1, arbitrary: fc.constant({ do: 'failBefore' } as const) },
);
const story: fc.Arbitrary<Story> = fc.record({
	mode: fc.constantFrom('singles' as const, 'list' as const, 'items' as const),
	keyed: fc.boolean(),
	isTimed: rarely,
	numbersPerRequest: fc.integer({ min: 1, max: 3 }),
	items: fc.array(
		fc.record({
			people: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
			text: fc.nat({ max: 1 }),
			ownDevice: rarely,
		}),
		{ minLength: 1, maxLength: 5 },
	),
	steps: fc
		.tuple(begin, fc.array(step, { minLength: 1, maxLength: 6 }))
		.map(([first, later]): Step[] => [first, ...later]),
});

it('a delivery sends nothing twice and denies nothing that was sent, in thousands of random histories', async () => {
	console.info(`${numRuns} histories, SEED=${seed}`);
	await fc.assert(
		fc.asyncProperty(story, async (each) => {
			expect(await live(each)).toEqual([]);
		}),
		{ seed, numRuns },
	);
}, 300_000);

/** Returns a course of which nothing is special but what is given. */
const plain = (more: Partial<Course> = {}): Course => ({
	answers: [],
	continueOnFail: false,
	resendUncertain: false,
	maxConcurrency: 1,
	wrong: [],
	historyIsBroken: false,
	...more,
});
const send = (more?: Partial<Course>): Step => ({ do: 'send', course: plain(more) });
const retry = (more?: Partial<Course>, back = 0): Step => ({
	do: 'retry',
	back: [back],
	courses: [plain(more)],
});
const stopAfter = (after: number): Partial<Course> => ({ end: { how: 'stop', after } });
const given = (mode: Mode, keyed: boolean, items: Array<[text: number, ...people: number[]]>) => ({
	mode,
	keyed,
	isTimed: false,
	numbersPerRequest: 1,
	items: items.map(([text, ...people]) => ({ people, text, ownDevice: false })),
});

it.each<[string, Story]>([
	[
		'an item cannot be read in an outdated retry',
		{
			...given('singles', false, [[0, 0]]),
			steps: [send({ wrong: [0] }), retry(), retry({ wrong: [0] }), retry()],
		},
	],
	[
		'a run is stopped after an equal text for the same number was sent for another item',
		{
			...given('list', false, [
				[0, 0],
				[0, 0],
			]),
			steps: [send(stopAfter(3)), retry()],
		},
	],
	[
		'the Default Country Code is set before an uncertain message is sent again, and refused',
		{
			...given('items', false, [[0, 0]]),
			steps: [
				send({ answers: ['uncertain'] }),
				{ do: 'setCountryCode' },
				retry({ answers: ['notSent'], resendUncertain: true }),
			],
		},
	],
	[
		'a retry is stopped before it sends an uncertain message again',
		{
			...given('singles', false, [[0, 0]]),
			steps: [send({ answers: ['uncertain'] }), retry({ ...stopAfter(2), resendUncertain: true })],
		},
	],
	[
		'n8n stores a stopped execution while a key is freed, and a new execution uses the key',
		{
			...given('list', true, [
				[1, 0],
				[0, 1],
				[1, 0],
				[0, 0],
			]),
			steps: [
				send({ answers: ['accepted', 'accepted', 'notSent'], ...stopAfter(12) }),
				send(),
				retry(),
			],
		},
	],
	[
		'a list is stopped during a request that is refused, and a new execution uses its key before a retry',
		{
			...given('list', true, [[0, 0, 1]]),
			steps: [send({ answers: ['busy'], ...stopAfter(3) }), send(), retry()],
		},
	],
	[
		'the same with Send Again',
		{
			...given('list', true, [[0, 0]]),
			steps: [
				send({ answers: ['busy'], ...stopAfter(3) }),
				send(),
				retry({ resendUncertain: true }),
			],
		},
	],
	[
		'the key of a list cannot be recorded, of which a part is uncertain',
		{
			...given('list', true, [[0, 0, 1]]),
			steps: [
				send({ wrong: [0] }),
				retry({ answers: ['uncertain'], resendUncertain: true }),
				{ do: 'retry', back: [1, 0], courses: [plain(), plain({ historyIsBroken: true })] },
			],
		},
	],
	[
		'two retries of an execution that failed before the node ran',
		{
			...given('singles', false, [[0, 0]]),
			steps: [{ do: 'failBefore' }, retry(), retry({}, 1)],
		},
	],
])('a history that once failed is kept now: %s', async (_, story) => {
	expect(await live(story)).toEqual([]);
});
