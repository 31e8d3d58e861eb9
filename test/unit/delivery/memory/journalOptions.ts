import type { JournalOptions } from '../../../../nodes/MessagingGateway/delivery/memory/journal';

/** What n8n says of a first execution. */
export const journalOptions = (over: Partial<JournalOptions> = {}): JournalOptions => ({
	runKey: '0',
	execution: '1',
	node: 'node',
	source: 'Items:0:0',
	isRetry: false,
	resendUncertain: false,
	...over,
});
