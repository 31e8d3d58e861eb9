import type { Entry, Submission } from '../../../nodes/MessagingGateway/delivery/ledger';
import type { Skipped } from '../../../nodes/MessagingGateway/delivery/skipped';
import type { Failure } from '../../../nodes/MessagingGateway/gateway/outcome';

/** An entry of the ledger, as a test writes it: in a request, left out for a reason, or waiting. */
export type Row = Omit<Entry, 'state'> & { request?: Submission; reason?: Skipped | Failure };

export function entriesOf(rows: readonly Row[]): Entry[] {
	return rows.map(({ request, reason, ...entry }) => {
		if (request) return { ...entry, state: { is: 'inRequest', request } };
		return { ...entry, state: reason ? { is: 'leftOut', why: reason } : { is: 'waiting' } };
	});
}
