import {
	BusyGate,
	isBusy,
	type Pass,
} from '../../../../nodes/MessagingGateway/delivery/pace/busyGate';
import type { Failure, Outcome } from '../../../../nodes/MessagingGateway/gateway/outcome';

const ACCEPTED: Outcome = { outcome: 'accepted', envelope: { code: 200 } };
const REFUSED: Failure = { outcome: 'notSent', origin: 'gateway', what: 'No', advice: 'Wait.' };
const busy = (afterMs?: number): Failure => ({ ...REFUSED, retry: { afterMs, busy: true } });

/** A pass whose request has begun. */
function begun(gate: BusyGate): Pass {
	const pass = gate.pass();
	gate.begin(pass);
	return pass;
}

/** All passes that the gate gives at once. */
function takeAll(gate: BusyGate): Pass[] {
	const passes = [];
	while (gate.nextAt() === 0 && passes.length < 1_000) passes.push(begun(gate));
	return passes;
}

function end(gate: BusyGate, pass: Pass | undefined, outcome?: Outcome, now = 0, recent = 1_000) {
	if (!pass) throw new Error('There is no such pass');
	gate.end(pass, { now, recent }, outcome);
}

/** How many go at once, again and again, if each of them is accepted before the next ones go. */
function wavesOf(gate: BusyGate, count: number): number[] {
	return Array.from({ length: count }, () => {
		const passes = takeAll(gate);
		passes.forEach((pass) => end(gate, pass, ACCEPTED));
		return passes.length;
	});
}

/** A gate that is closed until 1,000, after the gateway has accepted `taken`; and passes that are still out. */
function closedAfter(taken: number, { recent = 1_000, out = 0, afterMs = 1_000 } = {}) {
	const gate = new BusyGate();
	const passes = Array.from({ length: taken + out }, () => begun(gate));
	const last = begun(gate);
	for (const pass of passes.splice(0, taken)) end(gate, pass, ACCEPTED);
	end(gate, last, busy(afterMs), 0, recent);
	return { gate, late: passes };
}

it('as many requests are under way at once as there are, until the gateway is busy for the first time', () => {
	const gate = new BusyGate();
	expect([wavesOf(gate, 2), gate.wasBusy]).toEqual([[1_000, 1_000], false]);
	end(gate, begun(gate), busy(1_000));
	expect(gate.wasBusy).toBe(true);
});

it.each([
	[0, 100],
	[150, 150],
])(
	'one more request is under way per accepted one, up to 100, or the limit of one execution (%i): %i',
	(leastAllowance, most) => {
		const { gate } = closedAfter(0);
		gate.leastAllowance = leastAllowance;
		end(gate, begun(gate), ACCEPTED);
		expect(wavesOf(gate, 10).slice(-2)).toEqual([most, most]);
		expect(gate.wasBusy).toBe(true);
	},
);

it('requests wait for another to end, accepted or not', () => {
	const { gate } = closedAfter(0);
	end(gate, begun(gate), ACCEPTED);
	const [first] = takeAll(gate);
	expect(gate.nextAt()).toBe(Infinity);
	end(gate, first);
	const [second] = takeAll(gate);
	end(gate, second, REFUSED);
	expect(takeAll(gate)).toHaveLength(2);
});

it('a busy answer closes the gate for as long as the gateway says, and takes back all passes', () => {
	const gate = new BusyGate();
	const [first, second] = takeAll(gate);
	end(gate, first, busy(30_000), 5_000);
	expect([gate.nextAt(), gate.refusal(5_000)]).toEqual([35_000, undefined]);
	expect(second && gate.isValid(second)).toBe(false);
});

it('a busy answer without a time closes the gate for 1, 10 and 60 s, from 1 s again once one was accepted', () => {
	const gate = new BusyGate();
	const answers = [busy(), busy(), busy(), busy(), ACCEPTED, busy()];
	const times = answers.map((answer) => {
		end(gate, begun(gate), answer);
		return gate.nextAt();
	});
	expect(times).toEqual([1_000, 10_000, 60_000, 60_000, 0, 1_000]);
});

it('a busy answer that asks for a long pause refuses messages until a minute before the next try', () => {
	const gate = new BusyGate();
	end(gate, begun(gate), { ...busy(600_000), httpCode: 429 });
	expect(gate.nextAt()).toBe(300_000);
	const advice = (time: string) =>
		`Wait another ${time}: the gateway asked n8n to pause, so n8n did not send this message.`;
	expect([0, 239_999, 240_000].map((now) => gate.refusal(now))).toEqual([
		{ ...REFUSED, httpCode: 429, advice: advice('10 minutes') },
		{ ...REFUSED, httpCode: 429, advice: advice('7 minutes') },
		undefined,
	]);
});

it('a busy answer without a status refuses messages without one', () => {
	const { gate } = closedAfter(0, { afterMs: 61_000 });
	expect(gate.refusal(0)).not.toHaveProperty('httpCode');
});

it('one request goes first when the gate opens, or another if that never began', () => {
	const { gate } = closedAfter(3);
	const first = begun(gate);
	expect(gate.nextAt()).toBe(Infinity);
	end(gate, first);
	expect(gate.nextAt()).toBe(1_000);
});

it.each([
	[3, 1_000, [2, 1, 2, 4, 8]],
	[3, 2, [1, 1, 2, 4, 8]],
	[0, 1_000, [1, 2, 4, 8]],
])(
	'the gate then lets go as many as were accepted before (%s, %s in a minute), then one, two, four: %j',
	(taken, recent, waves) => {
		const { gate } = closedAfter(taken, { recent });
		end(gate, begun(gate), ACCEPTED);
		expect(wavesOf(gate, waves.length)).toEqual(waves);
	},
);

it('the gate opens for at most as many requests at once as at first', () => {
	const { gate } = closedAfter(50);
	end(gate, begun(gate), ACCEPTED);
	expect(wavesOf(gate, 4)).toEqual([20, 20, 9, 1]);
});

it('a request that never began does not count among those for which the gate opens', () => {
	const { gate } = closedAfter(3);
	end(gate, begun(gate), ACCEPTED);
	takeAll(gate).forEach((pass) => end(gate, pass));
	expect(wavesOf(gate, 2)).toEqual([2, 1]);
});

it('a first request that is refused changes nothing about how many the gate lets go next', () => {
	const { gate } = closedAfter(3);
	end(gate, begun(gate), busy(1_000));
	end(gate, begun(gate), ACCEPTED);
	expect(wavesOf(gate, 2)).toEqual([2, 1]);
});

it('a gate that closes again lets go the next time as many as were accepted this time', () => {
	const { gate } = closedAfter(5);
	end(gate, begun(gate), ACCEPTED);
	end(gate, begun(gate), ACCEPTED);
	end(gate, begun(gate), busy(1_000));
	end(gate, begun(gate), ACCEPTED);
	expect(wavesOf(gate, 2)).toEqual([1, 1]);
});

it('a request that left before the gate closed opens nothing if it is accepted, but one more follows later', () => {
	const { gate, late } = closedAfter(1, { out: 2 });
	late.forEach((pass) => end(gate, pass, ACCEPTED));
	expect(gate.nextAt()).toBe(1_000);
	end(gate, begun(gate), ACCEPTED);
	expect(wavesOf(gate, 2)).toEqual([2, 1]);
});

it('a request that left before the gate closed changes nothing if it never began', () => {
	const { gate, late } = closedAfter(3, { out: 2 });
	late.forEach((pass) => end(gate, pass));
	const first = begun(gate);
	expect(gate.nextAt()).toBe(Infinity);
	end(gate, first, ACCEPTED);
	expect(wavesOf(gate, 2)).toEqual([2, 1]);
});

it('a request that left before the gate closed keeps it closed only if it is told a later time', () => {
	const { gate, late } = closedAfter(0, { out: 4, afterMs: 30_000 });
	const times = [busy(), busy(10_000), busy(50_000), busy(40_000)].map((answer, index) => {
		end(gate, late[index], answer, index * 1_000);
		return gate.nextAt();
	});
	expect(times).toEqual([30_000, 30_000, 52_000, 52_000]);
});

it('a request that left before the gate closed does not put off the next try if it is told the same time', () => {
	const { gate, late } = closedAfter(0, { out: 2, afterMs: 600_000 });
	end(gate, late[0], busy(500_000), 100_000);
	expect(gate.nextAt()).toBe(300_000);
	end(gate, late[1], busy(500_001), 100_000);
	expect(gate.nextAt()).toBe(400_000);
});

it('a request that left before the gate closed makes the next pause no longer if it is told no time', () => {
	const gate = new BusyGate();
	takeAll(gate).forEach((pass) => end(gate, pass, busy()));
	expect(gate.nextAt()).toBe(1_000);
	end(gate, begun(gate), busy());
	expect(gate.nextAt()).toBe(10_000);
});

it('a request that left before the gate closed does not disturb the one that tries whether it may open', () => {
	const { gate, late } = closedAfter(3, { out: 1 });
	const first = begun(gate);
	end(gate, late[0], busy(600_000));
	expect([gate.isValid(first), gate.nextAt(), gate.refusal(0)]).toEqual([
		true,
		Infinity,
		undefined,
	]);
	end(gate, first, ACCEPTED);
	expect(wavesOf(gate, 2)).toEqual([2, 1]);
});

it('a gate that closes leaves nobody waiting for requests that have not begun', () => {
	const gate = new BusyGate();
	const opening = Array.from({ length: 200 }, () => gate.pass());
	end(gate, begun(gate), busy(0));
	end(gate, begun(gate), ACCEPTED);
	expect(opening.map((pass) => gate.begin(pass))).not.toContain(true);
	expect(gate.nextAt()).toBe(0);
	for (const pass of opening) end(gate, pass);
	expect(wavesOf(gate, 2)).toEqual([1, 2]);
});

it('a gate that closes forgets requests that ended without having begun', () => {
	const gate = new BusyGate();
	end(gate, gate.pass());
	end(gate, begun(gate), busy(0));
	end(gate, begun(gate), ACCEPTED);
	expect(wavesOf(gate, 2)).toEqual([1, 2]);
});

it('a request that left before the gate closed does not close it once the gateway accepts messages again', () => {
	const { gate, late } = closedAfter(0, { out: 2 });
	end(gate, begun(gate), ACCEPTED);
	end(gate, late[0], busy(30_000));
	end(gate, late[1], busy());
	expect(gate.nextAt()).toBe(0);
});

it.each<[Outcome, boolean]>([
	[ACCEPTED, false],
	[REFUSED, false],
	[{ ...REFUSED, retry: {} }, false],
	[{ ...REFUSED, retry: { afterMs: 0 } }, true],
	[{ ...REFUSED, retry: { busy: true } }, true],
])('an outcome may ask everybody to wait: %j does: %s', (outcome, is) => {
	expect(isBusy(outcome)).toBe(is);
});
