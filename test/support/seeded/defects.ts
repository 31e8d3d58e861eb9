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
			from: 'if (!limiter.isFree) await this.openFile().catch(() => undefined);',
			to: '',
		},
	],
	'a later item sends with the key of an earlier one': [
		{
			file: 'delivery/runKeys.ts',
			from: 'return use !== undefined;',
			to: 'return false;',
		},
	],
	'an item is said to wait for one that was sent': [
		{
			file: 'delivery/delivery.ts',
			from: 'if (used.has(key)) ledger.leaveOut',
			to: 'if (Math.random() > 1) ledger.leaveOut',
		},
	],
	'an item is said to wait for one that was not tried': [
		{
			file: 'delivery/delivery.ts',
			from: 'else if (!this.halt.aborted) ledger.leaveOut',
			to: 'else ledger.leaveOut',
		},
	],
	'a message that is sent again counts as not sent if that fails': [
		{
			file: 'delivery/ledger.ts',
			from: 'if (entry.mayRepeat && copy.request === request)',
			to: 'if (Math.random() > 1)',
		},
	],
	'an item whose number another one has sent to counts as not sent': [
		{
			file: 'delivery/ledger.ts',
			from: 'if (!carrier?.outcome) return true;',
			to: 'if (!carrier?.outcome || carrier) return true;',
		},
	],
	'an item does not get the request that carries its number': [
		{
			file: 'delivery/ledger.ts',
			from: "this.set(entry, { is: 'inRequest', request: copy.request });",
			to: "this.set(entry, { is: 'inRequest', request });",
		},
	],
	'an answer that says no counts as accepted': [
		{ file: 'gateway/answer.ts', from: '? denialIn(json)', to: '? undefined' },
	],
	'a gateway that is half dead is tried to the end': [
		{
			file: 'delivery/circuitBreaker.ts',
			from: '{ single: 10, bulk: 3 }',
			to: '{ single: 1_000, bulk: 1_000 }',
		},
	],
};
