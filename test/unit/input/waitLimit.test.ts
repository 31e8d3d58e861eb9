import { WAIT_INDEFINITELY } from 'n8n-workflow';
import { parseWaitLimit } from '../../../nodes/MessagingGateway/input/waitLimit';
import { inputErrorOf } from '../../support/rooms';

const parse = (values?: object, timezone = 'UTC') => parseWaitLimit(values && { values }, timezone);
const after = (resumeAmount: unknown, resumeUnit: unknown = 'minutes') =>
	parse({ limitType: 'afterTimeInterval', resumeAmount, resumeUnit });
const at = (maxDateAndTime: unknown, timezone?: string) =>
	parse({ limitType: 'atSpecifiedTime', maxDateAndTime }, timezone);

it('the limit of a wait is undefined if the option is not set', () => {
	expect(parse()).toBeUndefined();
	expect(parseWaitLimit({}, 'UTC')).toBeUndefined();
	expect(parseWaitLimit('', 'UTC')).toBeUndefined();
});

it('the limit of a wait is a time', () => {
	expect(after(45)).toEqual({ milliseconds: 2_700_000 });
	expect(after('1.5', 'hours')).toEqual({ milliseconds: 5_400_000 });
	expect(after(2, 'days')).toEqual({ milliseconds: 172_800_000 });
	expect(parse({})).toEqual({ milliseconds: 3_600_000 });
});

it.each([0, -1, '', 'soon', NaN, 1e12])(
	'the limit of a wait is refused if n8n cannot wait that long: %p',
	(amount) => {
		expect(inputErrorOf(() => after(amount)).what).toContain('n8n cannot wait for the time');
	},
);

describe('the limit of a wait at the last moment', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('the limit of a wait is shorter at the last moment than n8n can wait', () => {
		jest.setSystemTime(WAIT_INDEFINITELY.getTime() - 60_000);
		expect(after(0.5)).toEqual({ milliseconds: 30_000 });
		expect(inputErrorOf(() => after(1)).what).toContain('n8n cannot wait for the time');
	});

	it('the limit of a wait is a date at the last moment that has not come yet', () => {
		jest.setSystemTime(Date.UTC(2098, 0, 31));
		expect(at('2098-01-31T00:00:00.001Z')).toEqual({ until: new Date(Date.now() + 1) });
		expect(inputErrorOf(() => at('2098-01-31T00:00:00Z')).what).toContain('is in the past');
	});
});

it('the limit of a wait is refused if an expression returns nothing', () => {
	expect(inputErrorOf(() => after(undefined)).what).toContain('n8n cannot wait for the time');
	expect(inputErrorOf(() => after(1, null)).what).toContain('n8n cannot wait for the time');
});

it('the limit of a wait is refused with an invalid unit', () => {
	expect(inputErrorOf(() => after(1, 'moons')).advice).toContain('Unit');
});

it('the limit of a wait is a date, in the time zone of the workflow if it names none', () => {
	const date = (text: string) => ({ until: new Date(text) });
	expect(at('2098-01-31T09:00:00', 'Asia/Jakarta')).toEqual(date('2098-01-31T02:00:00Z'));
	expect(at('2098-01-31 09:00', 'America/New_York')).toEqual(date('2098-01-31T14:00:00Z'));
	expect(at('2098-07-31T09:00:00.5', 'America/New_York')).toEqual(date('2098-07-31T13:00:00.5Z'));
	expect(at(' 2098-01-31 09:00 ', 'Asia/Jakarta')).toEqual(date('2098-01-31T02:00:00Z'));
	expect(at('2098-01-31', 'Asia/Jakarta')).toEqual(date('2098-01-30T17:00:00Z'));
	expect(at('2098-01-31T09:00:00+02:00', 'Asia/Jakarta')).toEqual(date('2098-01-31T07:00:00Z'));
	expect(at('2098-01-31T09:00:00Z', 'Asia/Jakarta')).toEqual(date('2098-01-31T09:00:00Z'));
	const time = Date.UTC(2098, 0, 31);
	expect(at(time)).toEqual({ until: new Date(time) });
	expect(at(new Date(time))).toEqual({ until: new Date(time) });
});

it.each(['', undefined, null, 'tomorrow', '2098-13-31T09:00:00'])(
	'the limit of a wait is refused as a date: %p',
	(v) => {
		expect(inputErrorOf(() => at(v))).toMatchObject({
			what: expect.stringContaining('is not a date'),
			advice: 'Choose a date and a time, or check the expression that provides them.',
		});
	},
);

it('the limit of a wait is refused if it is in the past', () => {
	expect(inputErrorOf(() => at('2020-01-31T09:00:00'))).toMatchObject({
		what: expect.stringContaining('is in the past'),
		advice: 'Choose a later date and time.',
	});
});

it.each([
	['2027-03-28T01:30:00', 'Europe/Berlin', '2027-03-28T00:30:00Z', 'just before'],
	['2027-03-28T03:30:00', 'Europe/Berlin', '2027-03-28T01:30:00Z', 'just after'],
	['2027-03-28T02:30:00', 'Europe/Berlin', '2027-03-28T01:30:00Z', 'in the hour that is skipped'],
	['2027-10-31T02:30:00', 'Europe/Berlin', '2027-10-31T00:30:00Z', 'in the hour that comes twice'],
	['2027-11-07T03:30:00', 'America/New_York', '2027-11-07T08:30:00Z', 'just after'],
	['2027-11-07T00:30:00', 'America/New_York', '2027-11-07T04:30:00Z', 'just before'],
	['2027-04-04T03:30:00', 'Australia/Lord_Howe', '2027-04-03T17:00:00Z', 'by half an hour'],
])('the limit of a wait is exact when clocks change: %s in %s', (local, zone, utc) => {
	expect(at(local, zone)).toEqual({ until: new Date(utc) });
});
