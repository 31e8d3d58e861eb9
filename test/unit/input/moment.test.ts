import { momentOf } from '../../../nodes/MessagingGateway/input/moment';
import { parseSendBefore } from '../../../nodes/MessagingGateway/input/sendBefore';
import { inputErrorOf } from '../../support/rooms';

const NINE = '2026-03-29T09:00:00.000Z';
const luxon = (iso: string) => ({ isLuxonDateTime: true, toMillis: () => Date.parse(iso) });

it.each<[unknown, string, string]>([
	['2026-03-29T09:00:00Z', 'Asia/Jakarta', NINE],
	['2026-03-29T09:00:00.000z', 'Asia/Jakarta', NINE],
	['2026-03-29T11:00:00.000+02:00', 'UTC', NINE],
	[' 2026-03-29 14:30 +0530 ', 'UTC', NINE],
	['2026-03-29T06-03', 'UTC', ''],
	['2026-03-29T06:00-03', 'UTC', NINE],
	['2026-03-29T16:00', 'Asia/Jakarta', NINE],
	// The clocks go forward on this day.
	['2026-03-29 11:00:00', 'Europe/Madrid', NINE],
	['2026-03-29 09:00', '', ''],
	['2026-03-29', 'Asia/Jakarta', '2026-03-28T17:00:00.000Z'],
	[new Date(NINE), 'UTC', NINE],
	[luxon(NINE), 'UTC', NINE],
	[luxon('nothing'), 'UTC', ''],
	[new Date('nothing'), 'UTC', ''],
	['2026-02-29T09:00', 'UTC', ''],
	['2026-13-01', 'UTC', ''],
	['2026-03-29T25:00', 'UTC', ''],
	['29/03/2026 09:00', 'UTC', ''],
	['09:00', 'UTC', ''],
	['order 7', 'UTC', ''],
	['Invalid DateTime', 'UTC', ''],
	['', 'UTC', ''],
	[Date.parse(NINE), 'UTC', NINE],
	[Date.parse(NINE) / 1000, 'UTC', ''],
	[true, 'UTC', ''],
	[{}, 'UTC', ''],
	[null, 'UTC', ''],
	[undefined, 'UTC', ''],
])('%j in “%s” is the moment “%s”', (value, timezone, expected) => {
	const read = () => momentOf(value, timezone)?.toISOString() ?? '';
	if (timezone === '') expect(read).toThrow(RangeError);
	else expect(read()).toBe(expected);
});

it('the option Send Before is shown in the time zone of the workflow', () => {
	expect(parseSendBefore(NINE, 'Asia/Jakarta')).toEqual({
		at: Date.parse(NINE),
		asText: '2026-03-29 16:00',
	});
});

it.each([
	['tomorrow', 'is “tomorrow”, which is not a date'],
	[undefined, 'is empty'],
	['', 'is empty'],
])('the option Send Before refuses an item if it is no date: %j', (value, what) => {
	expect(inputErrorOf(() => parseSendBefore(value, 'UTC')).what).toBe(
		`The option 'Send Before' ${what}`,
	);
});
