import { isFailure, isStop, skipped } from '../../../nodes/MessagingGateway/delivery/result';
import type { Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { SETTINGS } from './world';

const ACCEPTED: Outcome = { outcome: 'accepted', envelope: {} };
const REFUSED: Outcome = { outcome: 'notSent', origin: 'gateway', what: 'x', advice: 'x' };
const UNCERTAIN: Outcome = { ...REFUSED, outcome: 'uncertain' };

describe('what is said of a message that was sent before', () => {
	it.each([
		[true, 'An earlier item of this run has the same Send-Once Key.'],
		[false, 'A message with this Send-Once Key was sent before.'],
	])('in this run: %s', (inThisRun, reason) => {
		expect(skipped('k', inThisRun)).toEqual({ outcome: 'skipped', sendOnceKey: 'k', reason });
	});
});

describe('what ends a run', () => {
	it.each([
		['accepted', ACCEPTED, {}, false, false],
		['skipped', skipped('k', true), {}, false, false],
		['not sent', REFUSED, {}, true, true],
		['uncertain', UNCERTAIN, {}, true, true],
		['not sent, with Continue On Fail', REFUSED, { continueOnFail: true }, true, false],
		['uncertain, with Continue On Fail', UNCERTAIN, { continueOnFail: true }, true, false],
	])('%s', (_name, outcome, settings, failure, stop) => {
		expect(isFailure(outcome)).toBe(failure);
		expect(isStop(outcome, { ...SETTINGS, continueOnFail: false, ...settings })).toBe(stop);
	});
});
