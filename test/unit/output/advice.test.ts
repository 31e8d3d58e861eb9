/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE, type Run, stepAfter } from '../../../nodes/MessagingGateway/output/advice';
import {
	INTERRUPTED,
	OTHER_FORMAT,
	OUTDATED,
	REPLACED,
	UNCLAIMED,
} from '../../../nodes/MessagingGateway/delivery/memory/retryGuard';
import {
	REPLY_ELSEWHERE,
	UNKNOWN_END,
} from '../../../nodes/MessagingGateway/delivery/memory/earlierTries';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import { CANCELED } from '../../../nodes/MessagingGateway/delivery/circuitBreaker';
import type { Failure } from '../../../nodes/MessagingGateway/gateway/outcome';
import { UNDERSTOOD } from '../delivery/person';
import { accepted, failed, REFUSED, runOf } from './results';

const MORE = ` More: ${PAGE}`;
const WRONG = { ...REFUSED, origin: 'input' } as const;
const MISTAKE = { ...REFUSED, isMistake: true } as const;
const UNSURE: Failure = { ...REFUSED, outcome: 'uncertain' };
const RESENDING = { resendsUncertain: true };
const OFF = "set the option 'Uncertain Messages on Retry' to 'Do Not Send Again'";
const after = (failure: Failure, others: Result[] = [], run: Partial<Run> = {}) =>
	stepAfter(failure, [...others, { items: [9], outcome: failure }], { ...runOf(5), ...run });

it.each<[string, string, Failure[], Partial<Run>]>([
	['stopped', 'n8n cannot retry a stopped execution.', [CANCELED], {}],
	['outdated', 'Wait until all retries of this execution have ended.', [OUTDATED], {}],
	['refused', 'Then retry: Executions → the failed one → ↷.', [REFUSED, UNCLAIMED], {}],
	['wrong', 'Then save, and retry: Executions →', [WRONG, MISTAKE], {}],
	['wrong again', 'A Retry reads the same data again.', [WRONG, MISTAKE], { isRetry: true }],
	['uncertain, with a rest', 'To send the rest, set Settings → On', [UNSURE, UNKNOWN_END], {}],
	['uncertain, without', 'To continue the workflow, set', [UNSURE], { items: 1 }],
	['a question', 'Then save, and retry: Executions →', [REPLY_ELSEWHERE], {}],
	['held back', 'Send the missing', [INTERRUPTED, REPLACED, OTHER_FORMAT], {}],
])('an error has one step, and a link: %s', (_, step, failures, run) => {
	for (const failure of failures) {
		const said = after(failure, [], run);
		expect(said.slice(0, step.length)).toBe(step);
		expect(said.endsWith(MORE)).toBe(true);
	}
});

it('an error of a sub-workflow says whose execution to retry', () => {
	const run = { isSubWorkflow: true, execution: '7' };
	expect(after(REFUSED, [], run)).toContain('the failed one of this sub-workflow (ID 7) → ↷');
});

it.each<[string, boolean, Result[], Partial<Run>]>([
	['a wrong value', true, [failed([0], WRONG)], {}],
	['a message that may be queued', true, [failed([0], UNSURE, { to: '628' })], {}],
	['several items', false, [failed([0], WRONG)], { items: 2 }],
	['an execution that a webhook started', false, [failed([0], WRONG)], { isManual: false }],
	['a later turn of a loop', false, [failed([0], WRONG)], { isLaterRun: true }],
	['a list in part', false, [accepted([0]), failed([0], REFUSED, { recipients: ['1'] })], {}],
	['a list that may be queued', false, [failed([0], UNSURE, { recipients: ['1', '2'] })], {}],
])('one item, run by hand, needs no Retry: %s: %j', (_, isAlone, results, run) => {
	const failure = results.at(-1)?.outcome as Failure;
	const step = stepAfter(failure, results, { ...runOf(1), isManual: true, ...run });
	expect(step === '').toBe(isAlone);
});

it('an error links to a page that exists', () => {
	const file = PAGE.replace(/.*\/blob\/main\//, '');
	expect(existsSync(join(__dirname, '../../..', file))).toBe(true);
});

it.each([CANCELED, OUTDATED])('an error goes by what concerns all, beside others: $what', (all) => {
	for (const failure of [UNSURE, UNKNOWN_END, WRONG, REFUSED]) {
		expect(after(failure, [failed([1], all)])).toContain(after(all));
	}
});

it('an error beside a doubt says what kept all others from being queued', () => {
	for (const blame of ['subscription', 'gateway'] as const) {
		expect(after(UNKNOWN_END, [failed([1], { blame })])).toBe(
			`Other messages were not queued: ${REFUSED.what}. ${REFUSED.advice} ${after(UNSURE)}`,
		);
	}
});

it('an error beside a doubt says nothing of other doubts', () => {
	const doubt = failed([1], { ...UNSURE, blame: 'gateway' });
	expect(after(UNKNOWN_END, [doubt])).toBe(after(UNKNOWN_END));
});

it('an error switches Send Again off if it would send twice', () => {
	expect(after(UNSURE)).not.toContain(OFF);
	expect(after(UNSURE, [], RESENDING)).toContain(`To send the rest, ${OFF}, set Settings`);
	expect(after(REFUSED, [failed([0], UNSURE)], RESENDING)).toContain(`${OFF} first. Then retry`);
	expect(after(REFUSED, [], RESENDING)).not.toContain(OFF);
});

it('the person of the random plots understands each step, and none starts the workflow again', () => {
	const steps = [REFUSED, WRONG, UNSURE, INTERRUPTED, UNCLAIMED, OUTDATED].flatMap((failure) => [
		after(failure),
		after(failure, [], { isRetry: true }),
		after(failure, [failed([0], UNSURE)], RESENDING),
	]);
	for (const step of steps) {
		expect(Object.values(UNDERSTOOD).filter((rule) => rule.test(step))).not.toEqual([]);
		expect(step).not.toMatch(/\b(run|start|execute) the workflow/i);
	}
});
