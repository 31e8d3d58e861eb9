import {
	mustGiveUp,
	NO_REFUSALS,
	notTried,
	refusalsAfter,
} from '../../../nodes/MessagingGateway/delivery/giveUp';
import { notSent, type Outcome, uncertain } from '../../../nodes/MessagingGateway/gateway/outcome';

const ACCEPTED: Outcome = { outcome: 'accepted', envelope: {} };
const NO = { what: 'No', advice: 'x.' };
const SAME = { ...NO, httpCode: 422, words: 'invalid', blame: 'maybeRecipient' } as const;
const refused = (httpCode = 422, words = 'invalid'): Outcome =>
	notSent({ ...SAME, httpCode, words });
const unsure = uncertain(SAME);

/** Whether a run gives up after these outcomes, each of another recipient unless it is named. */
function givesUpAfter(...outcomes: Array<Outcome | [Outcome, string]>): boolean {
	let refusals = NO_REFUSALS;
	return outcomes
		.map((each, index) => {
			const [outcome, recipient] = Array.isArray(each) ? each : [each, `number ${index}`];
			refusals = refusalsAfter(refusals, outcome, recipient);
			return mustGiveUp(outcome, refusals);
		})
		.includes(true);
}

it.each<[boolean, string, Outcome[]]>([
	[false, 'is accepted', [ACCEPTED]],
	[true, 'fails by the subscription', [notSent({ ...NO, blame: 'subscription' })]],
	[
		true,
		'has used up its tries, as the gateway is not there',
		[notSent({ ...NO, blame: 'gateway' })],
	],
	[false, 'fails by itself, however often', Array<Outcome>(9).fill(notSent(NO))],
	[false, 'is uncertain, whoever is to blame', [uncertain({ ...NO, blame: 'subscription' })]],
])('a run gives up (%s) after a message that %s', (is, _name, outcomes) => {
	expect(givesUpAfter(...outcomes)).toBe(is);
});

it.each<[boolean, string, Array<Outcome | [Outcome, string]>]>([
	[false, 'two recipients', [refused(), refused()]],
	[true, 'three recipients', [refused(), refused(), refused()]],
	[
		true,
		'three of four, one of them twice',
		[[refused(), 'a'], [refused(), 'a'], refused(), refused()],
	],
	[false, 'the same one', Array(5).fill([refused(), 'a'])],
	[false, 'three with other words', [refused(), refused(422, 'other'), refused()]],
	[false, 'three with another status', [refused(), refused(403), refused()]],
	[true, 'three after others', [refused(403), refused(), refused(), refused()]],
	[false, 'three, one accepted in between', [refused(), refused(), ACCEPTED, refused()]],
	[false, 'three, one uncertain in between', [refused(), refused(), unsure, refused()]],
	[
		false,
		'three, one refused by itself in between',
		[refused(), refused(), notSent({ ...SAME, blame: undefined }), refused()],
	],
	[
		true,
		'three, and an item in between that never reached the gateway',
		[refused(), refused(), notSent({ ...NO, origin: 'input' }), refused()],
	],
])('refusals make a run give up (%s) after %s', (is, _name, outcomes) => {
	expect(givesUpAfter(...outcomes)).toBe(is);
});

it('an item that never reached the gateway is no reason to give up, whatever was refused before', () => {
	const refusals = { recipients: new Set(['a', 'b', 'c']) };
	expect(mustGiveUp(notSent({ ...NO, origin: 'input' }), refusals)).toBe(false);
});

it('a run that gives up says of what was not tried why, in the same words, and how much it is', () => {
	const cause = notSent({ ...NO, httpCode: 401, blame: 'subscription', retry: {}, words: 'w' });
	expect(notTried(cause, 1_200)).toEqual({
		outcome: 'notSent',
		origin: 'gateway',
		cause: 'notTried',
		what: 'No',
		fact: 'This message was not queued. 1,200 items were not tried, because every message would have failed in the same way.',
		advice: 'x.',
		httpCode: 401,
		blame: 'subscription',
	});
	expect(notTried({ ...cause, blame: 'maybeRecipient' }, 1).fact).toBe(
		'This message was not queued. 1 item was not tried, because the gateway refused 3 recipients in a row in the same way.',
	);
});
