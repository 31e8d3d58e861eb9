import {
	NOT_BEGUN,
	noNumber,
	UNCLAIMED,
	unlessSent,
} from '../../../nodes/MessagingGateway/delivery/shipment';

const MAY_BE_SENT =
	"An earlier try of this execution may have sent it. Check the gateway's outbox before you send it again.";

describe('the failure of a message that an earlier try may have sent', () => {
	it('is uncertain, and says so before its own advice', () => {
		expect(unlessSent(UNCLAIMED)).toEqual({
			...UNCLAIMED,
			outcome: 'uncertain',
			advice: `${MAY_BE_SENT} ${UNCLAIMED.advice}`,
		});
	});

	it('ends with its last sentence where it has no advice of its own', () => {
		expect(unlessSent(NOT_BEGUN).advice).toBe(MAY_BE_SENT);
	});
});

it('an entry of a list that is no number is skipped, with what is wrong with it as a sentence', () => {
	expect(noNumber('“x” is no phone number')).toEqual({
		outcome: 'skipped',
		why: 'noNumber',
		reason: '“x” is no phone number.',
	});
});
