/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { CircuitBreaker, notTried } from '../../../nodes/MessagingGateway/delivery/circuitBreaker';
import { notSent, type Outcome, uncertain } from '../../../nodes/MessagingGateway/gateway/outcome';

const ACCEPTED: Outcome = { outcome: 'accepted', envelope: {} };
const NO = { what: 'No', advice: 'x.' };
const SAME = { ...NO, httpCode: 422, words: 'invalid', blame: 'maybeRecipient' } as const;
const refused = (httpCode = 422, words = 'invalid'): Outcome =>
	notSent({ ...SAME, httpCode, words });
const unsure = uncertain(SAME);
const many = (n: number, ...outcomes: Outcome[]) => Array<Outcome[]>(n).fill(outcomes).flat();

/** Whether a run stops after these outcomes, each of another recipient unless it is named. */
async function stopsAfter(
	outcomes: Array<Outcome | [Outcome, string]>,
	isBulk = false,
): Promise<boolean> {
	const breaker = new CircuitBreaker(new AbortController().signal);
	for (const [index, each] of outcomes.entries()) {
		const [outcome, recipient] = Array.isArray(each) ? each : [each, `number ${index}`];
		if (breaker.stop) break;
		(await breaker.admit(isBulk))(outcome, recipient);
	}
	return breaker.stop !== undefined;
}

it.each<[boolean, string, Array<Outcome | [Outcome, string]>]>([
	[false, 'an accepted message', [ACCEPTED]],
	[true, 'a fault of the subscription', [notSent({ ...NO, blame: 'subscription' })]],
	[true, 'a gateway that is not there, after all tries', [notSent({ ...NO, blame: 'gateway' })]],
	[false, 'faults of the messages themselves, however many', many(20, notSent(NO))],
	[false, 'an uncertain one', [uncertain({ ...NO, blame: 'subscription' })]],
	[false, 'two refused recipients', [refused(), refused()]],
	[true, 'three', [refused(), refused(), refused()]],
	[true, 'three, one of them twice', [[refused(), 'a'], [refused(), 'a'], refused(), refused()]],
	[false, 'the same one again and again', Array(5).fill([refused(), 'a'])],
	[false, 'three in other words', [refused(), refused(422, 'other'), refused()]],
	[false, 'three with another status', [refused(), refused(403), refused()]],
	[true, 'three after others', [refused(403), refused(), refused(), refused()]],
	[false, 'three, one accepted in between', [refused(), refused(), ACCEPTED, refused()]],
	[false, 'three, one uncertain in between', [refused(), refused(), unsure, refused()]],
	[false, 'three, and one fault of a message', [refused(), refused(), notSent(NO), refused()]],
	[
		true,
		'three, and an item in between that never reached the gateway',
		[refused(), refused(), notSent({ ...NO, origin: 'input' }), refused()],
	],
	[false, 'nine uncertain ones', many(9, unsure)],
	[true, 'ten', many(10, unsure)],
	[true, 'ten, refusals in between', many(10, unsure, notSent(NO))],
	[false, 'any number, every other one accepted', many(50, unsure, ACCEPTED)],
	[false, 'any number, every tenth one accepted', many(9, ...many(9, unsure), ACCEPTED)],
])('a run stops (%s) after %s', async (stops, _name, outcomes) => {
	expect(await stopsAfter(outcomes)).toBe(stops);
});

it('a bulk send stops after three uncertain requests in a row', async () => {
	expect(await stopsAfter(many(2, unsure), true)).toBe(false);
	expect(await stopsAfter(many(3, unsure), true)).toBe(true);
	expect(await stopsAfter(many(5, unsure, unsure, ACCEPTED), true)).toBe(false);
});

it.each([1, 5, 50])(
	'no more requests are under way than it takes to decide, of %s at once that are all uncertain',
	async (width) => {
		const halting = new AbortController();
		const breaker = new CircuitBreaker(halting.signal);
		let begun = 0;
		const worker = async () => {
			while (!halting.signal.aborted) {
				const settle = await breaker.admit(false);
				if (halting.signal.aborted) return;
				begun++;
				await new Promise(setImmediate);
				settle(unsure, `${begun}`);
				if (breaker.stop) halting.abort();
			}
		};
		await Promise.all(Array.from({ length: width }, worker));
		expect(begun).toBe(Math.max(width, 10));
	},
);

it('a message that was not tried says why, and how many were not', () => {
	const failure = notSent({ ...NO, httpCode: 401, blame: 'subscription', retry: {}, words: 'w' });
	expect(notTried({ failure, why: 'it is so' }, 1_200)).toEqual({
		outcome: 'notSent',
		origin: 'gateway',
		cause: 'notTried',
		what: 'No',
		fact: 'This message was not queued. 1,200 items were not tried, because it is so.',
		advice: 'x.',
		httpCode: 401,
		blame: 'subscription',
	});
	const unsureOnes = notTried({ failure: unsure, why: 'it is so' }, 1);
	expect(unsureOnes).toMatchObject({ outcome: 'notSent', blame: 'gateway' });
	expect(unsureOnes.fact).toContain('not queued. 1 item was not tried, because it is so.');
	expect(unsureOnes.advice).not.toContain('outbox');
});
