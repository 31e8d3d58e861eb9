import type { Run } from '../../../nodes/MessagingGateway/output/advice';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import type { Failure } from '../../../nodes/MessagingGateway/gateway/outcome';

/** Results as tests of the output need them. */

export const ENVELOPE = { code: 200, message: 'queued', data: { queue_id: '7' } };
export const accepted = (items: number[], more: Partial<Result> = {}): Result => ({
	items,
	outcome: { outcome: 'accepted', envelope: ENVELOPE },
	...more,
});
export const REFUSED: Failure = {
	outcome: 'notSent',
	origin: 'gateway',
	what: 'The gateway refused the message (status 422): “no”',
	advice: 'Correct it.',
	httpCode: 422,
};
export const failed = (
	items: number[],
	over: Partial<Failure> = {},
	more: Pick<Result, 'recipients' | 'to' | 'isEarlier'> = {},
) => ({ items, outcome: { ...REFUSED, ...over }, ...more });
/** A run of so many items. */
export const runOf = (items: number): Run => ({
	items,
	recipients: [],
	isManual: false,
	isRetry: false,
	isLaterRun: false,
	resendsUncertain: false,
	isSubWorkflow: false,
});
