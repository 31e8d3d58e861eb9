/** What protects somebody holds, or nothing that it guards goes out and the error names it: each guard, each odd value. */
import type { INode, INodeParameters } from 'n8n-workflow';
import { useFastClock } from '../support/fastClock';
import { bulk, NUMBER, numberOf, text, useHarness } from '../support/harness';

const harness = useHarness();

/** What an expression can give, and a workflow that a program wrote. */
const ODD_VALUES: Array<[source: string, value: unknown]> = [
	['undefined', undefined],
	['null', null],
	["' \\n'", ' \n'],
	['NaN', NaN],
	['[]', []],
	["[undefined, null, '']", [undefined, null, '']],
	['({})', {}],
	['new Date(0)', '1970-01-01T00:00:00.000Z'],
	["'false'", 'false'],
	["'maybe'", 'maybe'],
	["'x'.repeat(50_000)", 'x'.repeat(50_000)],
	['true', true],
	['-7.5', -7.5],
];

/** What a program may write where n8n takes no expression. */
const FIXED = ['null', "'maybe'"];

const SENDS = ['text', 'list', 'items', 'question', 'tool'] as const;
type Send = (typeof SENDS)[number];

interface Guard {
	/** What a message calls it. */
	label: string;
	/** What protects, in JavaScript. An option without this takes no expression. */
	good?: string;
	/** What does not protect. Without one, it is to leave the option out. */
	open?: string;
	/** Which of the odd values can be read, and mean that there is nothing to protect. */
	clear?: string[];
	/** Who is to get the message. */
	numbers?: string[];
	sends?: readonly Send[];
	options?: INodeParameters;
	node?: Partial<INode>;
	/** How the gateway answers its first request. */
	misbehavior?: Parameters<typeof harness.gateway.misbehave>[0];
	/** How often the workflow runs. */
	runs?: number;
	/** Whether a run waits for a second: n8n between two tries, or the node for the gateway. */
	waits?: boolean;
	/** Returns whether somebody has what the guard keeps from them. */
	isBroken: () => boolean;
}

const receivers = () => harness.gateway.messages.flatMap(({ recipients }) => recipients);
const hasSomebodyTwice = () => new Set(receivers()).size < receivers().length;
const COUNTRY = { defaultCountryCode: '62' };
const LOCAL = '081234567890';
const EITHER = '819012345678';

const GUARDS: Record<string, Guard> = {
	dryRun: {
		label: 'Dry Run',
		good: 'true',
		clear: ["'false'"],
		isBroken: () => receivers().length > 0,
	},
	skipNumbers: {
		label: 'Skip Numbers',
		good: `['${NUMBER}']`,
		clear: ['[]'],
		sends: ['text', 'list', 'items', 'tool'],
		isBroken: () => receivers().includes(NUMBER),
	},
	sendOnceKey: {
		label: 'Send-Once Key',
		good: "'order ' + $json.phone",
		runs: 2,
		isBroken: hasSomebodyTwice,
	},
	invalidNumbers: {
		label: 'Invalid Numbers',
		good: "'refuse'",
		open: 'skip',
		numbers: [NUMBER, '12'],
		sends: ['list'],
		isBroken: () => receivers().length > 0,
	},
	doubtfulNumbers: {
		label: 'Doubtful Numbers',
		good: "'refuse'",
		open: 'send',
		numbers: [EITHER, NUMBER],
		options: COUNTRY,
		isBroken: () => receivers().includes(EITHER),
	},
	defaultCountryCode: {
		label: 'Default Country Code',
		good: "'62'",
		numbers: [LOCAL, NUMBER],
		isBroken: () => receivers().includes(LOCAL),
	},
	onUncertain: {
		label: 'If Uncertain',
		open: 'resend',
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		misbehavior: { fault: 'resetAfterBody', times: 1, queueAnyway: true },
		sends: ['text', 'list', 'items', 'question'],
		waits: true,
		isBroken: hasSomebodyTwice,
	},
	maxRetries: {
		label: 'Max Retries',
		misbehavior: { respond: { status: 503, headers: { 'retry-after': '1' } }, times: 1 },
		numbers: [NUMBER],
		waits: true,
		isBroken: () => harness.requestCount > 1,
	},
};

const guardOf = (name: string) => GUARDS[name] as Guard;

function parametersOf(send: Send, options: INodeParameters, numbers: string[]) {
	const one = { phoneNumber: '={{ $json.phone }}', options };
	if (send === 'list') return bulk({ phoneNumbers: numbers.join(', '), options });
	if (send === 'items') return bulk({ recipientSource: 'items', options });
	return text(send === 'question' ? { ...one, operation: 'sendAndWait' } : one);
}

/** Resolves to all that a person can read of the runs. */
async function runWith(name: string, set: INodeParameters, send: Send): Promise<string> {
	const { numbers = [NUMBER, numberOf(2)], options, misbehavior, runs = 1, node } = guardOf(name);
	const asTool = send === 'tool' ? { rewireOutputLogTo: 'ai_tool' } : {};
	if (misbehavior) harness.gateway.misbehave(misbehavior);
	const said: string[] = [];
	for (let i = 0; i < runs; i++) {
		const run = await harness.run(parametersOf(send, { ...options, ...set }, numbers), {
			items: numbers.map((phone) => ({ json: { phone } })),
			node: { ...node, ...asTool } as Partial<INode>,
		});
		said.push(`${run.error?.message} ${run.error?.description} ${JSON.stringify(run.runs)}`);
	}
	return said.join('\n');
}

const each = Object.entries(GUARDS).flatMap(([name, { sends = SENDS }]) =>
	sends.map((send) => [name, send] as const),
);

describe.each(each)('the guard %s of a %s', (name, send) => {
	const { label, good, open, clear = [], waits, isBroken } = guardOf(name);
	if (waits) useFastClock(20);
	const odd = ODD_VALUES.filter(([source]) => !clear.includes(source));

	it('a guard is needed: without it somebody gets what it keeps from them', async () => {
		await runWith(name, open === undefined ? {} : { [name]: open }, send);
		expect(isBroken()).toBe(true);
	});

	if (good === undefined) {
		it.each(odd.filter(([source]) => FIXED.includes(source)))(
			'a guard holds if it is %s',
			async (_, value) => {
				await runWith(name, { [name]: value } as INodeParameters, send);
				expect(isBroken()).toBe(false);
			},
		);
		return;
	}
	it.each([...odd.map(([source]) => source), `$itemIndex === 1 ? ${good} : undefined`])(
		'a guard holds, or nothing goes out and the error names it, if it is %s',
		async (source) => {
			const said = await runWith(name, { [name]: `={{ ${source} }}` }, send);
			expect(isBroken()).toBe(false);
			const isKept = receivers().length === 0 && !said.includes('"status":"ready"');
			if (isKept) expect(said).toContain(label);
		},
	);

	it('a guard holds if it is right for the first item only', async () => {
		await runWith(name, { [name]: `={{ $itemIndex === 0 ? ${good} : undefined }}` }, send);
		expect(isBroken()).toBe(false);
	});
});

it.each(ODD_VALUES)(
	'a limit that is no number sends nothing, and the error names it: %s',
	async (source) => {
		const credential = { ...harness.credential, requestsPerMinute: `={{ ${source} }}` };
		const run = await harness.run(text(), { items: 2, credential });
		expect(harness.requestCount).toBe(0);
		expect(run.error?.message).toContain('Requests per Minute');
	},
);

const NO_CODES = ODD_VALUES.filter(([source]) => source !== "' \\n'");

it.each(NO_CODES)(
	'a Default Country Code of the credential that is none sends nothing, and the error names it: %s',
	async (source) => {
		const credential = { ...harness.credential, defaultCountryCode: `={{ ${source} }}` };
		const run = await harness.run(text({ phoneNumber: LOCAL }), { items: 2, credential });
		expect(harness.requestCount).toBe(0);
		expect(`${run.error?.message} ${run.error?.description}`).toContain('Default Country Code');
	},
);
