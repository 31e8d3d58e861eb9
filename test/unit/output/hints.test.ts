import type { Result } from '../../../nodes/MessagingGateway/delivery/result';
import { notTried } from '../../../nodes/MessagingGateway/delivery/circuitBreaker';
import {
	keyTaken,
	noNumber,
	OPTED_OUT,
	SAME_NUMBER,
} from '../../../nodes/MessagingGateway/delivery/skipped';
import { REPLY_ELSEWHERE } from '../../../nodes/MessagingGateway/delivery/memory/earlierTries';
import { OUTDATED } from '../../../nodes/MessagingGateway/delivery/memory/retryGuard';
import { notSent, uncertain } from '../../../nodes/MessagingGateway/gateway/outcome';
import { hintsOf } from '../../../nodes/MessagingGateway/output/hints';
import type { HintInput } from '../../../nodes/MessagingGateway/output/counts';
import { Breather } from '../../../nodes/MessagingGateway/shared/time';
import { runOf, type RunSettings } from '../delivery/runOf';
import { entriesOf, type Row } from '../delivery/entries';

const ACCEPTED = { outcome: 'accepted' as const, envelope: { code: 200 } };
const NOT_SENT = notSent({ what: 'The gateway refused the message', advice: '' });
const UNCERTAIN = uncertain({ what: 'The connection was lost', advice: '' });
const NO_KEYS = { unreleased: [], unrecorded: [] };
const LOCATION = { location: 'outputPane' };
const info = (message: string) => ({ message, ...LOCATION });
const warning = (message: string) => ({ message, type: 'warning', ...LOCATION });

/** As many results as there are outcomes, one for each item. */
const results = (...outcomes: Array<Result['outcome']>): Result[] =>
	outcomes.map((outcome, item) => ({ items: [item], outcome }));
const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value);
const replayed = (result: Result): Result => ({ ...result, isEarlier: true });

type Given = Partial<Omit<HintInput, 'run' | 'entries'>> & {
	rows?: readonly Row[];
	settings?: Partial<RunSettings>;
	/** Seconds after which n8n stops the workflow. */
	timeLimit?: number;
};

const hintsFor = async ({ rows = [], settings, timeLimit = 0, ...told }: Given) =>
	await hintsOf({
		entries: entriesOf(rows),
		requests: [],
		recipients: [],
		keys: NO_KEYS,
		duration: 90_000,
		lacksLock: false,
		hasFixedKey: false,
		warnings: [],
		localOptOuts: 0,
		hasNumbers: true,
		isNumberExpression: false,
		missing: [],
		canBeBulk: true,
		...told,
		run: runOf({ timeLimit, ...settings }),
	});

afterEach(() => jest.restoreAllMocks());

it('a run has no hints if all went well with the only recipient', async () => {
	const one = results(ACCEPTED);
	expect(await hintsFor({ requests: one, recipients: one })).toEqual([]);
});

it('a hint names the option for equal rows if the items of a run have different fields', async () => {
	const skipped = results(ACCEPTED, OPTED_OUT);
	const hinted = async (requests: Result[], perRecipient = false) => {
		const [hint] = await hintsFor({ requests, recipients: skipped, settings: { perRecipient } });
		return hint?.message;
	};
	const sums = '2 recipients: 1 queued, 1 skipped.';
	expect(await hinted(skipped)).toBe(
		`${sums} For a row with the same fields for each recipient, add the option 'Output'.`,
	);
	expect(await hinted(skipped, true)).toBe(sums);
	// A bulk request has one item for both.
	expect(await hinted(results(ACCEPTED))).toBe(sums);
	expect(await hinted(results(ACCEPTED, NOT_SENT))).not.toContain("'Output'");
});

it('a hint says that keys are not certain across workers beside "Remove Duplicates" of the whole workflow', async () => {
	const row = { item: 0, sendOnceKey: 'k' };
	expect(await hintsFor({ rows: [row], lacksLock: true })).toEqual([
		info(expect.stringContaining("a 'Remove Duplicates' node of this workflow keeps its history")),
	]);
	expect(await hintsFor({ rows: [{ ...row, sendOnceKey: '' }], lacksLock: true })).toEqual([]);
});

describe('the countries of recipients', () => {
	const to = (count: number, number: string): Result[] =>
		repeat(count, { items: [0], outcome: ACCEPTED, to: number });
	const told = async (recipients: Result[], more: Given = {}) =>
		(await hintsFor({ recipients, ...more }))[0]?.message;

	it('are counted if there are several, so that a wrong one stands out', async () => {
		const recipients = [
			...to(1, '12015550123'),
			...to(3, '6281234567890'),
			...to(2, '34612345678'),
			...to(1, '0812345678'),
			...to(1, '870776001234'),
			{ items: [0], outcome: NOT_SENT, to: '4915123456789' },
		];
		expect(await told(recipients)).toBe(
			'9 messages to 6 numbers: 8 queued, 1 not queued. By country: 3 Indonesia, 2 Spain, 1 United States (+1), 1 without a country code, 1 +870.',
		);
	});

	it('are not counted if there is only one, or none', async () => {
		expect(await told(to(2, '34612345678'))).toBe('2 messages to 1 number: 2 queued.');
		const groups = [...to(1, '34612345678'), ...to(1, '6281234567890')];
		expect(await told(groups, { hasNumbers: false })).toBe('2 recipients: 2 queued.');
	});

	it('are named up to eight, and the others summed', async () => {
		const codes = ['34', '62', '49', '44', '39', '33', '55', '52', '91', '81'];
		const all = codes.flatMap((code, index) => to(12 - index, `${code}123456789`));
		const text = await told(all);
		expect(text).toContain('12 Spain, 11 Indonesia, 10 Germany, ');
		expect(text).toMatch(/5 Mexico, 7 elsewhere\.$/);
		expect(await told(all.slice(0, -7))).toMatch(/5 Mexico\.$/);
	});
});

it('a hint warns of more Send-Once Keys than the node remembers', async () => {
	const rows = Array.from({ length: 10_001 }, (_, item) => ({ item, sendOnceKey: `k${item}` }));
	expect(await hintsFor({ rows })).toEqual([
		warning(
			'This execution has 10,001 Send-Once Keys, and the node remembers the last 10,000. If another execution has the same keys, their messages go out twice. Split the items into executions of up to 10,000.',
		),
	]);
	expect(await hintsFor({ rows: [...rows.slice(1), { item: 0, sendOnceKey: 'k1' }] })).toEqual([]);
});

it('a hint counts the recipients by what became of them', async () => {
	const all = results(
		...repeat(1_200, ACCEPTED),
		OPTED_OUT,
		OPTED_OUT,
		NOT_SENT,
		NOT_SENT,
		NOT_SENT,
		OUTDATED,
	);
	expect(await hintsFor({ recipients: all })).toEqual([
		info('1,206 recipients: 1,200 queued, 2 skipped, 3 not queued, 1 uncertain.'),
	]);
	const vain = results(NOT_SENT, OPTED_OUT, notSent({ what: 'Another reason', advice: '' }));
	const rest = '3 recipients: 0 queued, 1 skipped, 2 not queued.';
	expect(await hintsFor({ recipients: vain })).toEqual([warning(`Nothing was queued. ${rest}`)]);
	const thrown = { recipients: vain, settings: { continueOnFail: false } };
	expect(await hintsFor(thrown)).toEqual([info(rest)]);
	const skipped = { ...thrown, recipients: results(OPTED_OUT, OPTED_OUT) };
	expect(await hintsFor(skipped)).toEqual([
		warning('Nothing was queued. 2 recipients: 0 queued, 2 skipped.'),
	]);
});

describe('the hint about a common cause', () => {
	const TOKEN = notSent({ what: 'The gateway rejected the access token', advice: 'Copy it.' });
	const said = async (...outcomes: Array<Result['outcome']>) =>
		(await hintsFor({ recipients: results(...outcomes) })).slice(1);

	it('a hint names the cause as a warning if nothing was queued, and all failed alike', async () => {
		const cause = 'The gateway rejected the access token. Copy it.';
		expect(await said(TOKEN, OPTED_OUT, TOKEN)).toEqual([warning(`Nothing was queued: ${cause}`)]);
		expect(await said(NOT_SENT, NOT_SENT)).toEqual([
			warning('Nothing was queued: The gateway refused the message.'),
		]);
		const rest = repeat(1_200, notTried({ failure: TOKEN, why: '' }, 1_200));
		expect(await said(TOKEN, ...rest)).toEqual([
			warning(`Nothing was queued, and 1,200 items were not tried: ${cause}`),
		]);
		expect(await said(ACCEPTED, TOKEN, notTried({ failure: TOKEN, why: '' }, 1))).toEqual([
			info(`1 item was not tried: ${cause}`),
		]);
	});

	it.each<[string, Array<Result['outcome']>]>([
		['something was queued', [ACCEPTED, TOKEN, TOKEN]],
		['something may have been', [UNCERTAIN, TOKEN, TOKEN]],
		['there are several', [TOKEN, NOT_SENT]],
		['nothing failed', [OPTED_OUT, OPTED_OUT]],
	])('no hint names the cause if %s', async (_name, outcomes) => {
		expect(await said(...outcomes)).toEqual([]);
	});

	it('no hint names the cause of one message, whose error says it, or of a dry run', async () => {
		expect(await hintsFor({ recipients: results(TOKEN) })).toEqual([]);
		const dry = { recipients: results(TOKEN, TOKEN), settings: { mode: 'dryRun' as const } };
		expect(await hintsFor(dry)).toHaveLength(1);
	});
});

it('a hint says how many requests are uncertain, unless the error says more', async () => {
	const check = "may or may not be queued. Check the gateway's outbox before you send";
	expect(await hintsFor({ requests: results(UNCERTAIN, ACCEPTED) })).toEqual([
		warning(`1 request ${check} it again.`),
	]);
	expect(await hintsFor({ requests: results(UNCERTAIN, UNCERTAIN, NOT_SENT) })).toEqual([
		warning(`2 requests ${check} them again.`),
	]);
	expect(await hintsFor({ requests: results(REPLY_ELSEWHERE) })).toEqual([]);
});

it('a hint says which Send-Once Keys are lost for messages that were not sent', async () => {
	const rest =
		'of messages that were not queued, or may be sent again. To send these messages, use different keys.';
	expect(await hintsFor({ keys: { ...NO_KEYS, unreleased: ['a'] } })).toEqual([
		warning(`n8n could not release 1 Send-Once Key ${rest}`),
	]);
	expect(await hintsFor({ keys: { ...NO_KEYS, unreleased: ['a', 'b'] } })).toEqual([
		warning(`n8n could not release 2 Send-Once Keys ${rest}`),
	]);
});

it('a hint says how many Send-Once Keys of messages that are queued are not kept', async () => {
	expect(await hintsFor({ keys: { ...NO_KEYS, unrecorded: ['a'] } })).toEqual([
		warning(
			'n8n could not record 1 Send-Once Key of messages that are queued, or may be. Another execution with the same keys would send them again.',
		),
	]);
});

it('the hints are counted in short stretches, so that n8n can do other work in between', async () => {
	const breathe = jest.spyOn(Breather.prototype, 'breathe').mockResolvedValue();
	const isDue = jest.spyOn(Breather.prototype, 'isDue').mockReturnValue(false);
	const rows = [sent('1'), sent('2'), sent('3')];
	const recipients = results(ACCEPTED, ACCEPTED);
	await hintsFor({ rows });
	await hintsFor({ recipients });
	expect(breathe).toHaveBeenCalledTimes(0);

	isDue.mockReturnValue(true);
	await hintsFor({ recipients });
	expect(breathe).toHaveBeenCalledTimes(2);
	await hintsFor({ rows });
	expect(breathe).toHaveBeenCalledTimes(8);
});

it('a hint counts the numbers that have got the same text in this run', async () => {
	const twice = results(ACCEPTED, SAME_NUMBER);
	expect(await hintsFor({ recipients: twice })).toEqual([
		info('2 recipients: 1 queued, 1 skipped.'),
		info('1 duplicate phone number skipped: each number gets the same text only once.'),
	]);
	const thrice = results(ACCEPTED, SAME_NUMBER, SAME_NUMBER, OPTED_OUT);
	expect(await hintsFor({ recipients: thrice })).toEqual([
		info('4 recipients: 1 queued, 3 skipped.'),
		info('2 duplicate phone numbers skipped: each number gets the same text only once.'),
	]);
});

const QUEUED_EARLIER =
	'The message for 1 recipient was queued in an earlier try of this execution, with the text as it was then. It was not queued again.';

const QUEUED_EARLIER_TWO =
	'The messages for 2 recipients were queued in an earlier try of this execution, with the text as it was then. They were not queued again.';

it('no hint counts a duplicate of a request that an earlier try sent', async () => {
	const [first, second] = results(ACCEPTED, SAME_NUMBER).map(replayed) as [Result, Result];
	expect(await hintsFor({ recipients: [first, second] })).toEqual([
		info('2 recipients: 1 queued, 1 skipped.'),
		info(QUEUED_EARLIER),
	]);
});

it('a hint counts the items whose Send-Once Key is taken', async () => {
	const why =
		'skipped because of the Send-Once Key: a message with that key is already queued, or may be. To send it again, change the key.';
	const requests = results(keyTaken('k', false));
	expect(await hintsFor({ requests })).toEqual([info(`1 item ${why}`)]);
	const two = results(keyTaken('k', false), keyTaken('l', true), OPTED_OUT);
	expect(await hintsFor({ requests: two, recipients: [] })).toEqual([info(`2 items ${why}`)]);
	expect(await hintsFor({ requests, hasFixedKey: true })).toEqual([
		warning(
			`1 item ${why} The key is a fixed text, the same for every item and every execution: use an expression that differs for each message, e.g. {{ $json.orderId }}.`,
		),
	]);
	expect(await hintsFor({ requests: results(ACCEPTED), hasFixedKey: true })).toEqual([]);
});

it('a hint counts the recipients to whom an earlier try of the execution has sent', async () => {
	const [one, two, three] = results(ACCEPTED, ACCEPTED, UNCERTAIN).map(replayed);
	expect(await hintsFor({ recipients: [one as Result] })).toEqual([info(QUEUED_EARLIER)]);
	const both = [one as Result, two as Result];
	expect(await hintsFor({ recipients: both })).toContainEqual(info(QUEUED_EARLIER_TWO));
	expect(await hintsFor({ requests: [three as Result] })).toEqual([
		expect.objectContaining({ message: expect.stringContaining('1 request may or may not') }),
	]);
});

it('a hint counts the entries of a list that are no numbers, and names the first three', async () => {
	const wrong = (entry: string) => noNumber(`“${entry}” is not a phone number`);
	const messagesFor = async (...entries: string[]) => {
		const hints = await hintsFor({ recipients: results(...entries.map(wrong)) });
		return hints.filter(({ message }) => message.includes('left out'));
	};
	expect(await messagesFor('0.8.1')).toEqual([
		warning('1 entry was left out of the list: “0.8.1” is not a phone number.'),
	]);
	expect(await messagesFor('a', 'b', 'c')).toEqual([
		warning(
			'3 entries were left out of the list: “a” is not a phone number, “b” is not a phone number, “c” is not a phone number.',
		),
	]);
	expect(await messagesFor('a', 'b', 'c', 'd', 'e')).toEqual([
		warning(
			'5 entries were left out of the list: “a” is not a phone number, “b” is not a phone number, “c” is not a phone number and 2 more.',
		),
	]);
});

it('a hint repeats what was seen in the opt-outs', async () => {
	expect(await hintsFor({ warnings: ['Look'] })).toEqual([warning('Look')]);
});

it('a hint tells of local opt-outs beside recipients with a country code', async () => {
	const told = (localOptOuts: number, to: string) => hintsFor({ localOptOuts, rows: [sent(to)] });
	expect(await told(1, '62812')).toEqual([
		warning(
			"1 number in 'Skip Numbers' has a leading 0, and no Default Country Code is set. It was compared with the recipients by the digits after the 0. Set 'Default Country Code' in the credential, e.g. to 62.",
		),
	]);
	expect(await told(2, '62812')).toEqual([
		warning(
			"2 numbers in 'Skip Numbers' have a leading 0, and no Default Country Code is set. They were compared with the recipients by the digits after the 0. Set 'Default Country Code' in the credential, e.g. to 62.",
		),
	]);
	expect([await told(0, '62812'), await told(2, '0812')]).toEqual([[], []]);
});

it('a hint names the recipients to check that are numbers without a country code', async () => {
	const rest = (numbers: string) =>
		`with a leading 0 and without a country code: ${numbers}. If your gateway does not know the country, set 'Default Country Code' in the credential, e.g. to 62.`;
	const rows = ['0812', '0813'].map((to) => sent(to, { doubt: 'hasNoCountryCode' }));
	expect(await hintsFor({ rows: rows.slice(0, 1) })).toEqual([
		info(`Messages went to 1 phone number ${rest('0812')}`),
	]);
	expect(await hintsFor({ rows })).toEqual([
		info(`Messages went to 2 phone numbers ${rest('0812, 0813')}`),
	]);
	expect(await hintsFor({ rows, settings: { mode: 'dryRun' as const } })).toContainEqual(
		info(`Messages would go to 2 phone numbers ${rest('0812, 0813')}`),
	);
});

it('a hint names the country of numbers without +, also if there is only one', async () => {
	const numbers = ['81234567890', '81345678901', '81234567890'];
	const rows = numbers.map((to) => sent(to, { doubt: 'isAbroad' }));
	const recipients = numbers.map((to, item) => ({ items: [item], outcome: ACCEPTED, to }));
	const one = { rows: rows.slice(0, 1), recipients: recipients.slice(0, 1) };
	expect(await hintsFor(one)).toEqual([
		info(
			"1 recipient: 1 queued. By country: 1 Japan. 1 number has no +: if a country is wrong, set 'Default Country Code'.",
		),
	]);
	expect(
		(await hintsFor({ rows, recipients, settings: { mode: 'dryRun' } }))[0]?.message,
	).toContain(
		"3 messages to 2 numbers: 3 ready. By country: 3 Japan. 2 numbers have no +: if a country is wrong, set 'Default Country Code'.",
	);
});

it('a hint counts the numbers without + that went home, although they may be from abroad', async () => {
	const [hint] = await hintsFor({ rows: [sent('5551987654321', { doubt: 'mayBeAbroad' })] });
	expect(hint?.message).toBe(
		"1 number without + went to the country of the 'Default Country Code', but may be from abroad: 5551987654321. Write a number that has a country code with +, such as +{{ $json.from }}.",
	);
});

it('a warning tells of different texts to one number, if an expression gives the numbers', async () => {
	const rows = ['Ana', 'Bo', 'Cy', 'Cy'].map((identity) => sent('62812', { identity }));
	const recipients = rows.map((_, item) => ({ items: [item], outcome: ACCEPTED, to: '62812' }));
	const given = { rows, recipients, canBeBulk: false };
	const hints = await hintsFor({ ...given, isNumberExpression: true });
	expect(hints[0]).toEqual(info('4 messages to 1 number: 4 queued.'));
	expect(hints).toContainEqual(
		warning(
			"3 different texts went to 1 number: 62812. If they are for different people, correct the expression in 'Phone Number': it must give each item its own number.",
		),
	);
	expect((await hintsFor(given)).some(({ type }) => type === 'warning')).toBe(false);
});

it('a hint names the recipients to check that are groups with a name in the place of their ID', async () => {
	const rest = 'If nothing arrives, enter the ID that your gateway shows next to the name.';
	const groups = ['Class 5B', 'Class 6A', 'Staff room', 'All parents'].map((to) =>
		sent(to, { doubt: 'looksLikeName' }),
	);
	expect(await hintsFor({ rows: groups.slice(0, 1) })).toEqual([
		warning(`“Class 5B” looks like the name of a group, not its ID. ${rest}`),
	]);
	expect(await hintsFor({ rows: groups })).toEqual([
		warning(
			`“Class 5B”, “Class 6A”, “Staff room” and 1 more look like the names of groups, not their IDs. ${rest}`,
		),
	]);
});

it('a hint names only those recipients to check to whom a message went', async () => {
	const doubt = 'hasNoCountryCode';
	const rows: Row[] = [
		sent('812'),
		sent('813', { doubt, outcome: NOT_SENT }),
		sent('814', { doubt, outcome: undefined }),
		{
			item: 0,
			recipient: { to: '815', asEntered: '815', doubt },
			sendOnceKey: '',
			reason: OPTED_OUT,
		},
		{ item: 0, sendOnceKey: '', reason: NOT_SENT },
	];
	expect(await hintsFor({ rows })).toEqual([]);
});

describe('equal messages that travel alone', () => {
	const row = (to: string, identity: string, more: Partial<Row> = {}): Row => ({
		...sent(to),
		identity,
		...more,
	});
	const numbered = (times: number, text: string) =>
		repeat(times, 0).map((_, at) => row(String(at), text));

	it.each<[string, Row[], Partial<RunSettings>, string]>([
		[
			'one text',
			numbered(20, 'a'),
			{},
			"20 items have the same text. 'Send Bulk' with 'The Input Items' needs 1 request for them instead of 20.",
		],
		[
			'two texts, and a plan',
			[...numbered(900, 'a'), ...numbered(30, 'b'), ...numbered(19, 'c')],
			{ requestsPerMinute: 30 },
			"930 items share 2 texts. 'Send Bulk' with 'The Input Items' needs 3 requests for them instead of 930: about 30 minutes less at 30 requests per minute.",
		],
	])('a hint says what Send Bulk would save: %s', async (_, rows, settings, message) => {
		expect(await hintsFor({ rows, settings })).toEqual([info(message)]);
		expect(await hintsFor({ rows, settings, canBeBulk: false })).toEqual([]);
	});

	it.each([
		[{}, ' and were sent one by one. This run took 90 seconds'],
		[{ mode: 'dryRun' as const }, ''],
	])('a warning says what Send Bulk would save for many items: %j', async (settings, took) => {
		const message = `1,001 items have the same text${took}. 'Send Bulk' with 'The Input Items' needs 3 requests for them instead of 1,001.`;
		const hints = await hintsFor({ rows: numbered(1_001, 'a'), settings });
		expect(hints).toContainEqual(warning(message));
		expect(await hintsFor({ rows: numbered(1_000, 'a') })).toMatchObject([
			info(expect.stringMatching(/^1,000 items have the same text[.]/)),
		]);
	});

	it('no hint names equal messages that are few, differ, or do not go out', async () => {
		const failed = { request: undefined, reason: OPTED_OUT };
		for (const rows of [
			numbered(19, 'a'),
			repeat(40, 0).map((_, at) => row(String(at), String(at))),
			numbered(40, 'a').map((each) => ({ ...each, ...failed })),
			numbered(40, 'a').map((each) => ({ ...each, identity: undefined })),
			numbered(40, 'a').map((each) => ({ ...each, ...sent('1', { outcome: undefined }) })),
		]) {
			expect(await hintsFor({ rows })).toEqual([]);
		}
	});

	it('a hint counts equal messages to one number', async () => {
		const rows = [row('1', 'a'), row('1', 'b'), row('1', 'a'), row('2', 'a'), row('1', 'a')];
		const rest =
			"sent to a recipient to whom an earlier item sends the same text: 1, 1. If this is a mistake, remove the duplicates or use a Send-Once Key. If a list comes out of a node more than once, switch on 'Execute Once' in its settings.";
		expect(await hintsFor({ rows })).toEqual([info(`2 messages were ${rest}`)]);
		const settings = { mode: 'dryRun' as const };
		expect(await hintsFor({ rows, settings })).toContainEqual(info(`2 messages would be ${rest}`));
	});
});

describe('the hints of a test', () => {
	const settings = { mode: 'test' as const, testNumber: '62899' };
	const test = (outcome: Result['outcome']) => ({ items: [0], outcome, to: '62899', testOf: '1' });
	const others = results(ACCEPTED, ACCEPTED, OPTED_OUT);

	it.each<[string, Result[], object]>([
		[
			'is queued',
			[test(ACCEPTED), ...others],
			info(
				'Test: one message is queued for 62899, and none for anybody else. 4 recipients: 2 ready, 1 queued, 1 skipped. 0 requests.',
			),
		],
		[
			'is refused',
			[test(NOT_SENT), ...others],
			warning(
				'Test: nothing was queued. The gateway refused the message. 4 recipients: 2 ready, 1 skipped, 1 not queued. 0 requests.',
			),
		],
		[
			'is uncertain',
			[test(UNCERTAIN), ...others],
			warning(
				'Test: it is not certain that the message is queued. The connection was lost. 4 recipients: 2 ready, 1 skipped, 1 uncertain. 0 requests.',
			),
		],
		[
			'has nothing to send',
			results(NOT_SENT),
			warning(
				'Test: nothing was queued, because no message is ready. 1 recipient: 0 ready, 1 refused. 0 requests.',
			),
		],
	])('a hint says what became of a test that %s', async (_, recipients, hint) => {
		expect((await hintsFor({ recipients, settings }))[0]).toEqual(hint);
	});
});

describe('the hints of a dry run', () => {
	const dryRun = { mode: 'dryRun' as const };

	it('the hints of a dry run say how much would be sent, and how long that takes', async () => {
		const recipients = results(ACCEPTED, ACCEPTED, NOT_SENT, OPTED_OUT);
		const requests = results(...repeat(31, ACCEPTED), NOT_SENT, OPTED_OUT);
		const summary =
			'Dry run: nothing was queued. 4 recipients: 2 ready, 1 skipped, 1 refused. 31 requests';
		expect(await hintsFor({ recipients, requests, settings: dryRun })).toEqual([
			info(`${summary}.`),
		]);
		const settings = { ...dryRun, requestsPerMinute: 30 };
		expect(await hintsFor({ recipients, requests, settings })).toEqual([
			info(`${summary}; about 2 minutes at 30 requests per minute.`),
		]);
	});

	it('the hints of a dry run count as queued what an earlier try of the execution has sent', async () => {
		const earlier = results(ACCEPTED, ACCEPTED, UNCERTAIN).map(replayed);
		const recipients = [...earlier, ...results(ACCEPTED)];
		expect(await hintsFor({ recipients, settings: dryRun })).toEqual([
			info(
				'Dry run: nothing was queued. 4 recipients: 1 ready, 2 queued, 1 uncertain. 0 requests.',
			),
			info(QUEUED_EARLIER_TWO),
		]);
	});

	it.each<[string, Result[], boolean]>([
		['stop at one of two messages', results(ACCEPTED, NOT_SENT), true],
		['stop at the only message', results(NOT_SENT), false],
		['send all messages', results(ACCEPTED, OPTED_OUT), false],
	])('a dry run tells whether the real run would %s', async (_, recipients, isTold) => {
		const [hint] = await hintsFor({ recipients, settings: { ...dryRun, continueOnFail: false } });
		expect(
			hint?.message.endsWith("unless 'On Error' of this node is 'Continue (using error output)'."),
		).toBe(isTold);
	});

	it('the hints of a dry run name no time if nothing would be sent', async () => {
		const refused = results(NOT_SENT);
		const settings = { ...dryRun, requestsPerMinute: 30 };
		expect(await hintsFor({ recipients: refused, requests: refused, settings })).toEqual([
			info('Dry run: nothing was queued. 1 recipient: 0 ready, 1 refused. 0 requests.'),
		]);
	});

	it('the hints of a dry run say what is not known of Send-Once Keys', async () => {
		const unknown = info(
			'A dry run does not look up the Send-Once Keys of earlier executions: a message that is already queued is shown as ready.',
		);
		const rows = [sent('1'), { ...sent('2'), sendOnceKey: 'k' }];
		expect(await hintsFor({ rows, settings: dryRun })).toContainEqual(unknown);
		expect(await hintsFor({ rows })).toEqual([]);
		const without = await hintsFor({ rows: [sent('1')], settings: dryRun });
		expect(without).not.toContainEqual(unknown);
	});

	it('the hints of a dry run say why an item is skipped because of its Send-Once Key', async () => {
		const requests = results(keyTaken('k', true));
		expect(await hintsFor({ requests, settings: dryRun })).toContainEqual(
			info('1 item skipped because of the Send-Once Key: an earlier item has the same key.'),
		);
	});
});

describe('the time limit of a workflow', () => {
	const advice =
		"Raise the timeout in the workflow's settings, or send fewer items in one execution.";
	const stops = (time: string) => `and n8n stops this workflow after ${time}. ${advice}`;
	const batches = (batchInterval: number) => ({ batchSize: 10, batchInterval });

	it('a hint says that the time limit of a workflow is too short for the pauses between batches', async () => {
		const requests = results(...repeat(31, ACCEPTED));
		const settings = batches(1_001);
		expect(await hintsFor({ requests, settings, timeLimit: 3 })).toEqual([
			warning(`The pauses set in the option 'Batching' add up to 4 seconds, ${stops('3 seconds')}`),
		]);
		expect(await hintsFor({ requests, settings: batches(1_000), timeLimit: 3 })).toEqual([]);
		expect(await hintsFor({ requests, settings, timeLimit: 0 })).toEqual([]);
		expect(await hintsFor({ requests, settings, timeLimit: -1 })).toEqual([]);
	});

	it('a hint says that the time limit of a workflow is too short for what the plan allows', async () => {
		const requests = results(...repeat(31, ACCEPTED));
		const settings = { requestsPerMinute: 10 };
		const perMinute =
			"31 requests at 10 per minute ('Requests per Minute' in the credential) take 3 minutes or more,";
		expect(await hintsFor({ requests, settings, timeLimit: 1 })).toEqual([
			warning(`${perMinute} ${stops('1 second')}`),
		]);
		expect(await hintsFor({ requests, settings, timeLimit: 180 })).toEqual([]);
		const fewer = { requests: requests.slice(1), settings };
		expect(await hintsFor({ ...fewer, timeLimit: 120 })).toEqual([]);
	});

	it('a hint blames the plan if batches take no longer, as fewer pauses would not help', async () => {
		const requests = results(...repeat(31, ACCEPTED));
		const settings = { ...batches(60_000), requestsPerMinute: 10 };
		const [hint] = await hintsFor({ requests, settings, timeLimit: 60 });
		expect(hint?.message).toContain('31 requests at 10 per minute');
	});

	it('a hint about the time limit counts only the requests that this run makes', async () => {
		const [earlier] = results(ACCEPTED).map(replayed);
		const made = results(...repeat(11, NOT_SENT), ...repeat(10, UNCERTAIN));
		const rest = [...repeat(20, earlier as Result), ...results(...repeat(20, OPTED_OUT))];
		const settings = batches(5_000);
		const texts = (await hintsFor({ requests: [...made, ...rest], settings, timeLimit: 1 })).map(
			({ message }) => message,
		);
		expect(texts).toContainEqual(
			expect.stringContaining("option 'Batching' add up to 10 seconds,"),
		);
	});

	it('no hint calls the time limit of a workflow too short without batches and without a plan', async () => {
		const requests = results(...repeat(1_000, ACCEPTED));
		expect(await hintsFor({ requests, timeLimit: 1 })).toEqual([]);
		expect(await hintsFor({ timeLimit: 1 })).toEqual([]);
	});
});

/** An row to whom the message went, unless it has another outcome. */
function sent(
	to: string,
	more: {
		doubt?: NonNullable<Row['recipient']>['doubt'];
		identity?: string;
		outcome?: typeof ACCEPTED | typeof NOT_SENT;
	} = {},
): Row {
	const recipient = { to, asEntered: to, ...(more.doubt && { doubt: more.doubt }) };
	const outcome = 'outcome' in more ? more.outcome : ACCEPTED;
	return {
		item: 0,
		sendOnceKey: '',
		identity: more.identity,
		recipient,
		request: { isBulk: false, isEarlier: false, outcome },
	};
}
