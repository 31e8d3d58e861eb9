import type { JournalOptions } from '../../../../nodes/MessagingGateway/delivery/memory/journal';

/** What n8n says of a first execution that sends single texts. */
export const journalOptions = (over: Partial<JournalOptions> = {}): JournalOptions => ({
	runKey: '0',
	execution: '1',
	node: 'node',
	operation: 'text:send',
	isRetry: false,
	retriedByHost: false,
	resendUncertain: false,
	...over,
});
