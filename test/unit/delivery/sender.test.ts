/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { NodeOperationError } from 'n8n-workflow';
import { Pace } from '../../../nodes/MessagingGateway/delivery/pace/pace';
import { send } from '../../../nodes/MessagingGateway/delivery/sender';
import { parseAnswer, readAnswer } from '../../../nodes/MessagingGateway/gateway/answer';
import { notSentBecauseOf, type Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { attemptOf } from '../../support/attempt';

const ACCEPTED: Outcome = { outcome: 'accepted', envelope: { code: 200 } };
const failed = (
	outcome: 'notSent' | 'uncertain',
	retry?: { afterMs?: number; busy?: true },
): Outcome => ({
	outcome,
	origin: 'gateway',
	what: outcome,
	advice: 'x.',
	...(retry ? { retry } : {}),
});
const BUSY = failed('notSent', { afterMs: 1 });
interface Given {
	maxRetries?: number;
	halting?: AbortController;
	onTry?: (tries: number) => void;
}

/** Sends once to a gateway that gives `answers`, the last of them again and again. */
async function sendTo(answers: Outcome[], given: Given = {}) {
	const { maxRetries = 3, halting = new AbortController(), onTry } = given;
	const pace = Pace.join('', 0, halting.signal);
	const started = Date.now();
	const times: number[] = [];
	let tries = 0;
	const exchange = async () => {
		tries++;
		times.push(Date.now() - started);
		onTry?.(tries);
		return answers[Math.min(tries, answers.length) - 1] as Outcome;
	};
	const options = { pace: pace, maxRetries: maxRetries, halt: halting.signal };
	const outcome = await send(attemptOf(pace, exchange), options);
	pace.leave();
	return { outcome, tries, times };
}

it.each<[string, Outcome]>([
	['what was accepted', ACCEPTED],
	['what was refused', failed('notSent')],
	['what is uncertain', failed('uncertain', { afterMs: 1 })],
])('the sender does not try again %s', async (_name, answer) => {
	expect(await sendTo([answer, ACCEPTED], { onTry: () => undefined })).toMatchObject({
		outcome: answer,
		tries: 1,
	});
});

it('the sender tries again if waiting helps, until the message is accepted', async () => {
	const { outcome, tries } = await sendTo([BUSY, BUSY, ACCEPTED]);
	expect({ outcome, tries }).toEqual({ outcome: ACCEPTED, tries: 3 });
});

it('the sender does not try again once the message is uncertain', async () => {
	const { outcome, tries } = await sendTo([BUSY, failed('uncertain'), ACCEPTED]);
	expect({ outcome: outcome?.outcome, tries }).toEqual({ outcome: 'uncertain', tries: 2 });
});

it.each([0, 1, 3])('the sender tries again at most %s times', async (maxRetries) => {
	jest.useFakeTimers();
	try {
		const sending = sendTo([BUSY], { maxRetries });
		await jest.runAllTimersAsync();
		const { outcome, tries } = await sending;
		expect(tries).toBe(maxRetries + 1);
		const times = maxRetries === 1 ? 'once' : `${maxRetries} times in a row`;
		const wait = `n8n waited ${times} (the limit in 'Max Retries'), and the gateway accepted no messages. `;
		expect(outcome).toMatchObject({ advice: `${maxRetries > 0 ? wait : ''}x.` });
	} finally {
		jest.useRealTimers();
	}
});

it.each<[string, { busy?: true }, number[]]>([
	['1, 2, 4 and 8 s where the gateway cannot be reached', {}, [0, 1, 3, 7, 15]],
	['past a minute where a busy one does not say how long', { busy: true }, [0, 1, 11, 71, 131]],
])('the sender waits between its tries %s', async (_name, retry, seconds) => {
	jest.useFakeTimers();
	try {
		const sending = sendTo([failed('notSent', retry)], { maxRetries: 4 });
		await jest.runAllTimersAsync();
		expect((await sending).times.map((ms) => ms / 1000)).toEqual(seconds);
	} finally {
		jest.useRealTimers();
	}
});

it('the sender waits as long as the gateway says, up to a minute', async () => {
	jest.useFakeTimers();
	try {
		const sending = sendTo([failed('notSent', { afterMs: 60_000 }), ACCEPTED]);
		await jest.advanceTimersByTimeAsync(59_000);
		let isDone = false;
		void sending.then(() => (isDone = true));
		await jest.advanceTimersByTimeAsync(900);
		expect(isDone).toBe(false);
		await jest.advanceTimersByTimeAsync(2_000);
		expect((await sending).outcome).toBe(ACCEPTED);
	} finally {
		jest.useRealTimers();
	}
});

it.each([
	[429, { 'retry-after': '2' }, [0, 2]],
	[503, {}, [0, 1]],
	['429', {}, [0, 1]],
])(
	'the sender waits after an answer of status 200 with code %p',
	async (code, headers, seconds) => {
		jest.useFakeTimers();
		try {
			const { url, baseUrl } = { url: 'https://a.test/b', baseUrl: 'https://a.test' };
			const busy = readAnswer(
				parseAnswer({ status: 200, headers, body: JSON.stringify({ code }) }),
				{ url, baseUrl, answer: 'envelope' },
			);
			const sending = sendTo([busy, ACCEPTED]);
			await jest.runAllTimersAsync();
			const { outcome, times } = await sending;
			expect(outcome).toBe(ACCEPTED);
			expect(times.map((ms) => ms / 1000)).toEqual(seconds);
		} finally {
			jest.useRealTimers();
		}
	},
);

it('told pauses in a row double where nothing is accepted', async () => {
	jest.useFakeTimers();
	try {
		const told = failed('notSent', { afterMs: 2_000 });
		const sending = sendTo([told], { maxRetries: 4 });
		await jest.runAllTimersAsync();
		expect((await sending).times.map((ms) => ms / 1000)).toEqual([0, 2, 6, 14, 30]);
	} finally {
		jest.useRealTimers();
	}
});

it('the sender leaves a wait of more than a minute to the person', async () => {
	const answer = failed('notSent', { afterMs: 60_001 });
	expect(await sendTo([answer, ACCEPTED])).toMatchObject({ outcome: answer, tries: 1 });
});

it('the sender does not begin a message while the gateway has asked for a long wait', async () => {
	const halt = new AbortController().signal;
	const pace = Pace.join('asked to wait', 0, halt);
	const exchange = jest.fn(async () => failed('notSent', { afterMs: 3_600_000 }));
	const options = { pace: pace, maxRetries: 3, halt: halt };
	await send(attemptOf(pace, exchange), options);
	expect(await send(attemptOf(pace, exchange), options)).toEqual({
		outcome: 'notSent',
		origin: 'gateway',
		what: 'notSent',
		advice:
			'Wait another 60 minutes: the gateway asked n8n to pause, so n8n did not send this message.',
	});
	expect(exchange).toHaveBeenCalledTimes(1);
	pace.leave();
});

it('the sender makes no further request once everything has halted', async () => {
	const halting = new AbortController();
	const answer = failed('notSent', { afterMs: 59_000 });
	setTimeout(() => halting.abort(), 20);
	expect(await sendTo([answer, ACCEPTED], { halting })).toMatchObject({
		outcome: answer,
		tries: 1,
	});
}, 30_000);

describe('a message that is stopped before its request', () => {
	const stopped = async (error: unknown) => {
		const halt = new AbortController().signal;
		const pace = Pace.join('one', 0, halt);
		const attempt = async () => await Promise.reject(error as Error);
		const outcome = await send(attempt, { pace, maxRetries: 3, halt: halt });
		pace.leave();
		return outcome;
	};

	it('a message that is stopped before its request is not sent, in the words of what was refused', async () => {
		expect(await stopped(new InputError('It is empty', 'Fill it.'))).toEqual({
			outcome: 'notSent',
			origin: 'input',
			what: 'It is empty',
			advice: 'Fill it.',
		});
	});

	it('a message is not sent if an error of n8n holds what was refused', () => {
		const node = {
			name: 'n',
			type: 't',
			typeVersion: 1,
			id: '1',
			position: [0, 0],
			parameters: {},
		};
		const inner = new InputError('It is empty', 'Fill it.');
		const outer = new NodeOperationError(node as never, inner);
		outer.cause = inner;
		expect(notSentBecauseOf(outer)).toMatchObject({ what: 'It is empty', advice: 'Fill it.' });
	});

	it('a message that is not sent keeps its own step, and has none otherwise', () => {
		const gone = new InputError('It is gone', 'It was deleted.', 'Make it again.');
		expect(notSentBecauseOf(gone)).toMatchObject({
			advice: 'It was deleted.',
			step: 'Make it again.',
		});
		expect(notSentBecauseOf(new InputError('It is empty', 'Fill it.'))).not.toHaveProperty('step');
	});

	it('a message that an error stops has the description of the error, if it has one', () => {
		const error = Object.assign(new Error('No such field'), { description: 'Look at the name.' });
		expect(notSentBecauseOf(error)).toEqual({
			outcome: 'notSent',
			origin: 'input',
			what: 'No such field',
			advice: 'Look at the name.',
		});
	});

	it.each([
		new Error('x'),
		Object.assign(new Error('x'), { description: '' }),
		'x',
		{ message: 'x' },
	])('an error without a description advises to check the parameters', (error) => {
		expect(notSentBecauseOf(error)).toMatchObject({
			outcome: 'notSent',
			origin: 'input',
			what: 'x',
			advice: 'Check the parameters of this node for this item.',
		});
	});

	it.each([undefined, null])('an error may be thrown as %s', async (thrown) => {
		expect((await stopped(thrown))?.outcome).toBe('notSent');
	});
});

describe('a message whose run halts', () => {
	it('a message whose run halts is not begun while it waits for its turn', async () => {
		const halting = new AbortController();
		const pace = Pace.join('halts', 1, halting.signal);
		const exchange = jest.fn(async () => ACCEPTED);
		const options = { pace: pace, maxRetries: 3, halt: halting.signal };
		await send(attemptOf(pace, exchange), options);
		const second = send(attemptOf(pace, exchange), options);
		halting.abort();
		expect(await second).toBeUndefined();
		expect(exchange).toHaveBeenCalledTimes(1);
		pace.leave();
	});

	it('a message whose run halts has no outcome, whatever breaks off with it', async () => {
		const halting = new AbortController();
		const pace = Pace.join('file', 0, halting.signal);
		const attempt = async () => {
			halting.abort();
			return await Promise.reject(new Error('This operation was aborted'));
		};
		const options = { pace, maxRetries: 3, halt: halting.signal };
		expect(await send(attempt, options)).toBeUndefined();
		pace.leave();
	});
});
