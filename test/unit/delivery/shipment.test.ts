import { UNCLAIMED } from '../../../nodes/MessagingGateway/delivery/memory/retryGuard';
import { CANCELED, failureOf } from '../../../nodes/MessagingGateway/delivery/shipment';

const MAY_BE_SENT =
	"An earlier try of this execution may have queued it. Check the gateway's outbox before you send it again.";

it('an error calls a message uncertain that an earlier try may have sent, before its own advice', () => {
	expect(failureOf({ isResent: true }, UNCLAIMED)).toEqual({
		...UNCLAIMED,
		outcome: 'uncertain',
		advice: `${MAY_BE_SENT} ${UNCLAIMED.advice}`,
	});
});

it('an error adds nothing to the advice of a message that has none of its own', () => {
	expect(failureOf({ isResent: true }, CANCELED).advice).toBe(MAY_BE_SENT);
});
