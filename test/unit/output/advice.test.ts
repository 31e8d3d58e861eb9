/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { readFileSync } from 'node:fs';
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
import { CANCELED } from '../../../nodes/MessagingGateway/delivery/giveUp';
import type { Failure } from '../../../nodes/MessagingGateway/gateway/outcome';
import { UNDERSTOOD } from '../delivery/person';
import { failed, REFUSED, runOf } from './results';

const LIST = 'of execution 7 in the list of executions';
const MORE = ` More: ${PAGE}#what-happens-next`;
const WRONG = { ...REFUSED, origin: 'input' } as const;
const UNSURE: Failure = { ...REFUSED, outcome: 'uncertain' };
const RESENDING = { resendsUncertain: true };
const OFF = "set the option 'Uncertain Messages on Retry' to 'Do Not Send Again'";
const after = (failure: Failure, others: Result[] = [], run: Partial<Run> = {}) =>
	stepAfter(failure, [...others, { items: [9], outcome: failure }], {
		...runOf(5),
		execution: '7',
		...run,
	});

it.each<[string, string, Failure[]]>([
	['stopped', "n8n's editor cannot retry a stopped execution.", [CANCELED]],
	['outdated', 'Wait until all retries of this execution have ended.', [OUTDATED]],
	['refused', `Then use Retry ${LIST}: it sends only the rest.`, [REFUSED, UNCLAIMED]],
	['wrong', 'To correct this node, change it, save', [WRONG, { ...REFUSED, isMistake: true }]],
	['uncertain', 'Send the missing messages separately. Then set', [UNSURE, UNKNOWN_END]],
	['a question', 'Then save the workflow, and use Retry with', [REPLY_ELSEWHERE]],
	['held back', 'Send only the missing messages:', [INTERRUPTED, REPLACED, OTHER_FORMAT]],
])('an error has one step, and a link: %s', (_, step, failures) => {
	for (const failure of failures) {
		const said = after(failure);
		expect(said).toMatch(new RegExp(`^${step.replace(/[.[\]]/g, '\\$&')}`));
		expect(said.endsWith(MORE)).toBe(true);
	}
});

it('an error names the execution to retry, and says which one of a sub-workflow', () => {
	expect(after(REFUSED, [], { isSubWorkflow: true })).toContain(
		'use Retry of execution 7 (that of this sub-workflow) in the list of executions',
	);
	expect(after(REFUSED, [], { execution: undefined })).toContain('use Retry in the list');
});

it('an error links to a place that the page has', () => {
	const page = readFileSync(join(__dirname, '../../../docs/nothing-twice.md'), 'utf8');
	expect(page).toContain('\n## What happens next\n');
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
	expect(after(UNSURE, [], RESENDING)).toContain(`separately. Then ${OFF}, set 'On Error'`);
	expect(after(REFUSED, [failed([0], UNSURE)], RESENDING)).toContain(`${OFF} first. Then use`);
	expect(after(REFUSED, [], RESENDING)).not.toContain(OFF);
});

it('the person of the random plots understands each step, and none starts the workflow again', () => {
	const steps = [REFUSED, WRONG, UNSURE, INTERRUPTED, UNCLAIMED, OUTDATED].flatMap((failure) => [
		after(failure),
		after(failure, [failed([0], UNSURE)], RESENDING),
	]);
	for (const step of steps) {
		expect(Object.values(UNDERSTOOD).filter((rule) => rule.test(step))).not.toEqual([]);
		expect(step).not.toMatch(/\b(run|start|execute) the workflow/i);
	}
});
