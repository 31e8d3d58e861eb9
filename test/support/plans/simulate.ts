/** Sends through the real limiter and sender to a gateway with a plan, in virtual time. */
import { RateLimiter } from '../../../nodes/MessagingGateway/delivery/pace/rateLimiter';
import { send } from '../../../nodes/MessagingGateway/delivery/sender';
import { parseAnswer, readAnswer } from '../../../nodes/MessagingGateway/gateway/answer';
import { attemptOf } from '../attempt';
import { chanceOf } from '../chance';
import { counterOf, headersOf, type PlanOf } from './gateways';
import { VirtualTime } from './virtualTime';

/** `late`: two of a hundred messages come some seconds before the others. */
export type Load = 'hundred' | 'late' | 'thousand' | 'trickle' | 'mixed' | 'uploads' | 'campaign';

export interface Case extends PlanOf {
	load: Load;
	/** Answers come after 2 to 8 s, and not at once. */
	isSlow: boolean;
	seed: number;
}

export interface Measured {
	asked: number;
	sent: number;
	/** Requests that were refused. */
	refused: number;
	/** Of these, requests that had left before the first refusal came back. */
	before: number;
	/** Requests that left after the first refusal. */
	after: number;
	/**
	 * The share of the plan that was used once it was learned: while the last half waits. A perfect client, which knows the
	 * plan, has 1: of a plan of so many at once, it begins one when the answer to another is there.
	 */
	used: number;
	/** Milliseconds that a single message waited, at most, beside campaigns. */
	longestWait: number;
	/** Most refusals of one message. */
	mostOfOne: number;
	/** Seconds until the last was sent. */
	seconds: number;
}

/** An execution: when it begins, and how long the gateway needs for each of its messages, beside the usual. */
interface Execution {
	at: number;
	messages: number;
	extraMs?: number;
	isSingle?: boolean;
}

const WIDTH = 5;
/** Seconds that a request, or its answer, is on its way on average. */
const NETWORK = 0.055;
const ANSWER = {
	url: 'https://gateway.test/api',
	baseUrl: 'https://gateway.test',
	answer: 'envelope',
} as const;

export async function simulate(given: Case): Promise<Measured> {
	const time = new VirtualTime();
	const chance = chanceOf(given.seed);
	const counter = counterOf(given);
	const network = () => 10 + 90 * chance();
	const service = () => (given.isSlow ? 2_000 + 6_000 * chance() : 20 + 80 * chance());
	const executions = executionsOf(given, chance);
	const asked = executions.reduce((sum, { messages }) => sum + messages, 0);
	const measured: Measured = {
		asked,
		sent: 0,
		refused: 0,
		before: 0,
		after: 0,
		used: 1,
		longestWait: 0,
		mostOfOne: 0,
		seconds: 0,
	};
	const left: Array<{ at: number; isTaken: boolean; ms: number }> = [];
	let firstRefusal = Infinity;

	const exchange = async (extraMs: number) => {
		const one = { at: time.now, isTaken: false, ms: service() + extraMs };
		left.push(one);
		await time.after(network());
		const wait = counter.take(time.now);
		one.isTaken = wait === undefined;
		if (one.isTaken) void time.after(one.ms).then(() => counter.done());
		// Some gateways refuse at once, others as slowly as they accept.
		await time.after(one.isTaken || given.seed % 2 === 0 ? one.ms : 5);
		await time.after(network());
		if (wait === undefined)
			return readAnswer(parseAnswer({ status: 200, headers: {}, body: '{"code":200}' }), ANSWER);
		firstRefusal = Math.min(firstRefusal, time.now);
		const headers = headersOf(given.told, wait);
		return readAnswer(
			parseAnswer({ status: 429, headers, body: '{"message":"Too Many Attempts."}' }),
			ANSWER,
		);
	};

	const execute = async ({ at, messages, extraMs = 0, isSingle }: Execution) => {
		await time.after(at);
		const halt = new AbortController().signal;
		const limiter = RateLimiter.join('plan', 0, halt);
		let rest = messages;
		const lane = async () => {
			while (rest-- > 0) {
				const started = time.now;
				let [begun, refusals] = [0, 0];
				const attempt = attemptOf(limiter, async () => {
					begun = time.now;
					const answer = await exchange(extraMs);
					if (answer.outcome !== 'accepted') refusals++;
					return answer;
				});
				const outcome = await send(attempt, { limiter, maxRetries: 3, halt });
				if (outcome?.outcome === 'accepted') measured.sent++;
				measured.mostOfOne = Math.max(measured.mostOfOne, refusals);
				if (isSingle) measured.longestWait = Math.max(measured.longestWait, begun - started);
			}
		};
		await Promise.all(Array.from({ length: Math.min(WIDTH, messages) }, lane));
		limiter.leave();
	};

	await time.run(async () => await Promise.all(executions.map(execute)));
	// Nothing of it is remembered for the next.
	await time.run(async () => {
		await time.after(24 * 3_600_000);
		RateLimiter.join('other', 0, new AbortController().signal).leave();
	});
	for (const { at, isTaken } of left) {
		if (!isTaken) measured.refused++;
		if (at >= firstRefusal) measured.after++;
		else if (!isTaken) measured.before++;
	}
	const taken = left.filter(({ isTaken }) => isTaken);
	measured.seconds = (taken.at(-1)?.at ?? 0) / 1000;
	if (given.load === 'thousand' || given.load === 'trickle') {
		const [from, to] = [Math.floor(asked * 0.5), Math.floor(asked * 0.95)];
		const part = taken.slice(from, to);
		const ms = (taken[to]?.at ?? NaN) - (taken[from]?.at ?? NaN);
		const serviceMs = part.reduce((sum, each) => sum + each.ms, 0) / part.length;
		measured.used = (part.length * 1000) / ms / counter.perSecond(serviceMs + 2_000 * NETWORK);
	}
	return measured;
}

function executionsOf(
	{ load, requests, seconds, kind, isSlow }: Case,
	chance: () => number,
): Execution[] {
	const atOnce = (count: number): Execution[] =>
		Array.from({ length: count }, () => ({ at: 200 * chance(), messages: 1 }));
	if (load === 'hundred') return atOnce(100);
	if (load === 'late')
		return atOnce(100).map((one, n) => (n < 2 ? one : { ...one, at: one.at + 7_700 }));
	if (load === 'campaign') return [{ at: 0, messages: 5_000 }];
	if (load === 'thousand') return atOnce(1_000);
	if (load === 'uploads') {
		const uploads = [0, 5_000, 30_000].map((at): Execution => ({
			at,
			messages: 1,
			extraMs: 240_000,
		}));
		return [...uploads, ...atOnce(150)];
	}
	if (load === 'trickle') {
		const answer = 2 * NETWORK + (isSlow ? 5 : 0.06);
		const perSecond = kind === 'underWay' ? requests / answer : requests / seconds;
		// Enough for some minutes: until then the plan is learned.
		const messages = kind !== 'underWay' ? 400 : isSlow ? 800 : 3_000;
		return Array.from({ length: messages }, (_, n) => ({
			at: (n * 1_000) / (2 * perSecond),
			messages: 1,
		}));
	}
	const singles = Array.from({ length: 20 }, (_, n): Execution => ({
		at: 3_000 + 5_000 * n,
		messages: 1,
		isSingle: true,
	}));
	return [{ at: 0, messages: 200 }, { at: 2_000, messages: 200 }, ...singles];
}
