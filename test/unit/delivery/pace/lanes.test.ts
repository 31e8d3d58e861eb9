/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import fc from 'fast-check';
import { type Job, runInLanes } from '../../../../nodes/MessagingGateway/delivery/pace/lanes';

const tick = async (ms = 0) => await new Promise((resolve) => setTimeout(resolve, ms));

/** A job that ends when it is told to. */
function gate() {
	let open = () => {};
	const passed = new Promise<void>((resolve) => (open = resolve));
	return { passed, open };
}

it('jobs in lanes keep the order of their lane, never exceed the width, and all run once', async () => {
	const plan = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3)), {
		maxLength: 60,
	});
	await fc.assert(
		fc.asyncProperty(plan, fc.integer({ min: 1, max: 6 }), async (lanes, width) => {
			const begun: number[] = [];
			const ended: number[] = [];
			const busy = new Set<string>();
			let running = 0;
			let most = 0;
			await runInLanes(
				lanes.map(([lane, steps], index) => ({
					lane,
					run: async () => {
						expect(busy.has(lane)).toBe(false);
						busy.add(lane);
						begun.push(index);
						most = Math.max(most, ++running);
						for (let step = 0; step < steps; step++) await Promise.resolve();
						running--;
						busy.delete(lane);
						ended.push(index);
					},
				})),
				width,
			);
			expect([...ended].sort((a, b) => a - b)).toEqual(lanes.map((_, index) => index));
			for (const lane of 'abcd') {
				const inLane = begun.filter((index) => lanes[index]?.[0] === lane);
				expect(inLane).toEqual([...inLane].sort((a, b) => a - b));
			}
			const lanesUsed = new Set(lanes.map(([lane]) => lane)).size;
			expect(most).toBeLessThanOrEqual(Math.min(width, lanesUsed));
			if (lanes.length > 0) expect(most).toBeGreaterThan(0);
		}),
		{ numRuns: 200 },
	);
});

it('jobs in lanes are one pass, not waves: a slow job holds up nobody but its own lane', async () => {
	const slow = gate();
	const ended: string[] = [];
	const job = (lane: string, until?: Promise<void>): Job => ({
		lane,
		run: async () => {
			await until;
			ended.push(lane);
		},
	});
	const jobs = [job('slow', slow.passed), job('slow')];
	const all = runInLanes([...jobs, ...[...'abcdefgh'].map((lane) => job(lane))], 2);
	await tick();

	expect(ended).toEqual([...'abcdefgh']);
	slow.open();
	await all;
	expect(ended).toEqual([...'abcdefgh', 'slow', 'slow']);
});

it('jobs in lanes fill the whole width', async () => {
	const gates = Array.from({ length: 5 }, gate);
	let running = 0;
	const all = runInLanes(
		gates.map(({ passed }, index) => ({
			lane: String(index),
			run: async () => {
				running++;
				await passed;
			},
		})),
		3,
	);
	await tick();
	expect(running).toBe(3);
	gates[1]?.open();
	await tick();
	expect(running).toBe(4);
	gates.forEach(({ open }) => open());
	await all;
	expect(running).toBe(5);
});

it('jobs in lanes are read only when a place becomes free', async () => {
	const first = gate();
	let read = 0;
	function* jobs() {
		for (let index = 0; index < 10; index++) {
			read++;
			yield { lane: String(index), run: async () => await first.passed };
		}
	}
	const all = runInLanes(jobs(), 2);
	await tick();
	expect(read).toBe(2);
	first.open();
	await all;
	expect(read).toBe(10);
});

it('jobs in lanes of one lane are read ahead by 1,000 at most', async () => {
	const first = gate();
	let read = 0;
	const ended: number[] = [];
	function* jobs() {
		for (let index = 0; index < 5_000; index++) {
			read++;
			yield {
				lane: 'one',
				run: async () => {
					if (index === 0) await first.passed;
					ended.push(index);
				},
			};
		}
	}
	const all = runInLanes(jobs(), 5);
	await tick();
	expect(read).toBe(1_001);
	first.open();
	await all;
	expect(ended).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
});

it('jobs in lanes end at once if there are none', async () => {
	await runInLanes([], 5);
});

it('jobs in lanes hand on what reading them throws', async () => {
	function* jobs(): Generator<Job> {
		yield { lane: 'a', run: async () => void (await tick()) };
		throw new Error('unreadable');
	}
	await expect(runInLanes(jobs(), 1)).rejects.toThrow('unreadable');
	await expect(runInLanes(jobs(), 2)).rejects.toThrow('unreadable');
});

it('jobs in lanes hand on what one of them throws, and begin no other', async () => {
	const begun: string[] = [];
	const job = (lane: string): Job => ({
		lane,
		run: async () => {
			begun.push(lane);
			throw new Error('broken');
		},
	});
	await expect(runInLanes([...'abc'].map(job), 1)).rejects.toThrow('broken');
	expect(begun).toEqual(['a']);
});
