import { notSent } from '../../../nodes/MessagingGateway/gateway/outcome';
import { CANCELED, failureOf } from '../../../nodes/MessagingGateway/delivery/shipment';

const REFUSED = notSent({ what: 'Refused', advice: 'Correct it.' });
const MAY_BE_SENT =
	"An earlier try of this execution may have queued it. Check the gateway's outbox before you send it again.";

it('an error calls a message uncertain that an earlier try may have sent, before its own advice', () => {
	expect(failureOf({ isResent: true }, REFUSED)).toEqual({
		...REFUSED,
		outcome: 'uncertain',
		advice: `${MAY_BE_SENT} ${REFUSED.advice}`,
	});
});

it('an error adds nothing to the advice of a message that has none of its own', () => {
	expect(failureOf({ isResent: true }, CANCELED).advice).toBe(MAY_BE_SENT);
});

it('an error is the same for a message that no earlier try may have sent', () => {
	expect(failureOf({}, REFUSED)).toBe(REFUSED);
});
