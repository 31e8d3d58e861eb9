import type { Defect } from './source';

/** Defects of the past, as they would be in the source of today. */
export const DEFECTS: Record<string, Defect[]> = {
	'two Retries at once both send': [
		{
			file: 'delivery/memory/retryGuard.ts',
			from: 'if (known.has(name)) record.isOutdated = true;',
			to: 'if (Math.random() > 1) record.isOutdated = true;',
		},
	],
	'keys are lost if two processes overlap': [
		{
			file: 'delivery/memory/historyLock.ts',
			from: 'const lock = await HistoryLock.take(helpers);',
			to: 'const lock = undefined;',
		},
	],
	'a claim joins a call of the queue that has begun, and is never woken': [
		{
			file: 'delivery/memory/keyHistory.ts',
			from: 'if (this.waiting === claims) this.waiting = undefined;',
			to: '',
		},
	],
	'a canceled execution frees a key that its stored record calls its own': [
		{
			file: 'delivery/runKeys.ts',
			from: 'canceled?.aborted !== true || !journal.isOwnKey(item, key)',
			to: 'Boolean(canceled ?? key ?? item)',
		},
	],
	'a place of the plan is held while a file opens': [
		{
			file: 'delivery/dispatch.ts',
			from: 'if (!pace.isFree) await this.openFile().catch(() => undefined);',
			to: '',
		},
	],
};
