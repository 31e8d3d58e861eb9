import { NodeOperationError } from 'n8n-workflow';
import { Pace } from '../../../nodes/MessagingGateway/delivery/pace/pace';
import { Sender } from '../../../nodes/MessagingGateway/delivery/sender';
import { notSentBecauseOf, type Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import type { Upload } from '../../../nodes/MessagingGateway/shared/file';

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
const REQUEST: GatewayRequest = { path: [], format: 'json', fields: {}, answer: 'envelope' };

interface Given {
	maxRetries?: number;
	halting?: AbortController;
	onTry?: (tries: number) => void;
}

/** Sends once to a gateway that gives `answers`, the last of them again and again. */
async function send(answers: Outcome[], given: Given = {}, request = REQUEST) {
	const { maxRetries = 3, halting = new AbortController(), onTry } = given;
	const pace = Pace.join('one', { requestsPerMinute: 0, maxConcurrency: 5 }, halting.signal);
	const started = Date.now();
	const times: number[] = [];
	let tries = 0;
	const sender = new Sender(
		async () => {
			tries++;
			times.push(Date.now() - started);
			onTry?.(tries);
			return answers[Math.min(tries, answers.length) - 1] as Outcome;
		},
		pace,
		maxRetries,
		halting.signal,
	);
	const outcome = await sender.send(async () => request);
	pace.leave();
	expect(Pace.count).toBe(0);
	return { outcome, tries, times };
}

describe('trying again', () => {
	it.each<[string, Outcome]>([
		['what was accepted', ACCEPTED],
		['what was refused', failed('notSent')],
		['what is uncertain', failed('uncertain')],
	])('does not happen to %s', async (_name, answer) => {
		expect(await send([answer, ACCEPTED], { onTry: () => undefined })).toMatchObject({
			outcome: answer,
			tries: 1,
		});
	});

	it('happens if waiting helps, until the message is accepted', async () => {
		const { outcome, tries } = await send([BUSY, BUSY, ACCEPTED]);
		expect({ outcome, tries }).toEqual({ outcome: ACCEPTED, tries: 3 });
	});

	it('stops once the message is uncertain', async () => {
		const { outcome, tries } = await send([BUSY, failed('uncertain'), ACCEPTED]);
		expect({ outcome: outcome?.outcome, tries }).toEqual({ outcome: 'uncertain', tries: 2 });
	});

	it.each([0, 1, 3])('happens at most %s times', async (maxRetries) => {
		const { outcome, tries } = await send([BUSY], { maxRetries });
		expect(tries).toBe(maxRetries + 1);
		expect(outcome).toBe(BUSY);
	});

	it.each<[string, { busy?: true }, number[]]>([
		['1, 2, 4 and 8 s where the gateway cannot be reached', {}, [0, 1, 3, 7, 15]],
		['past a minute where a busy one does not say how long', { busy: true }, [0, 1, 11, 71, 131]],
	])('waits %s', async (_name, retry, seconds) => {
		jest.useFakeTimers();
		try {
			const sending = send([failed('notSent', retry)], { maxRetries: 4 });
			await jest.runAllTimersAsync();
			expect((await sending).times.map((ms) => ms / 1000)).toEqual(seconds);
		} finally {
			jest.useRealTimers();
		}
	});

	it('waits as long as the gateway says, up to a minute', async () => {
		jest.useFakeTimers();
		try {
			const sending = send([failed('notSent', { afterMs: 60_000 }), ACCEPTED]);
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

	it('leaves a longer wait to the person', async () => {
		const answer = failed('notSent', { afterMs: 60_001 });
		expect(await send([answer, ACCEPTED])).toMatchObject({ outcome: answer, tries: 1 });
	});

	it('does not begin a message while that wait lasts', async () => {
		const halt = new AbortController().signal;
		const pace = Pace.join('asked to wait', { requestsPerMinute: 0, maxConcurrency: 5 }, halt);
		const exchange = jest.fn(async () => failed('notSent', { afterMs: 3_600_000 }));
		const prepare = jest.fn(async () => REQUEST);
		const sender = new Sender(exchange, pace, 3, halt);
		await sender.send(prepare);
		expect(await sender.send(prepare)).toEqual({
			outcome: 'notSent',
			origin: 'gateway',
			what: 'notSent',
			advice:
				'Wait another 60 minutes: the gateway asked n8n to pause, so n8n did not send this message.',
		});
		expect([prepare.mock.calls.length, exchange.mock.calls.length]).toEqual([1, 1]);
		pace.leave();
	});

	it('gets no further request once everything has halted', async () => {
		const halting = new AbortController();
		const answer = failed('notSent', { afterMs: 59_000 });
		setTimeout(() => halting.abort(), 20);
		expect(await send([answer, ACCEPTED], { halting })).toMatchObject({
			outcome: answer,
			tries: 1,
		});
	}, 30_000);
});

describe('a file that goes with it', () => {
	const withFile = (released: () => void): GatewayRequest => {
		const open = async () => Buffer.from('x');
		const content: Upload = { name: 'a', contentType: 'b', size: 1, open, release: released };
		return { ...REQUEST, file: { field: 'image', content } };
	};

	it.each<[string, Outcome[]]>([
		['accepted', [ACCEPTED]],
		['refused', [failed('notSent')]],
		['tried again', [BUSY, ACCEPTED]],
	])('is closed once, when the message was %s', async (_name, answers) => {
		let released = 0;
		await send(
			answers,
			{},
			withFile(() => released++),
		);
		expect(released).toBe(1);
	});

	it('may hold on to nothing', async () => {
		const request = withFile(() => undefined);
		delete request.file?.content.release;
		expect((await send([ACCEPTED], {}, request)).outcome).toBe(ACCEPTED);
	});
});

describe('what stops a message before its request began', () => {
	const stopped = async (error: unknown) => {
		const halt = new AbortController().signal;
		const pace = Pace.join('one', { requestsPerMinute: 0, maxConcurrency: 5 }, halt);
		const sender = new Sender(async () => ACCEPTED, pace, 3, halt);
		const outcome = await sender.send(async () => {
			throw error;
		});
		pace.leave();
		return outcome;
	};

	it('is not sent, in the words of what was refused', async () => {
		expect(await stopped(new InputError('It is empty', 'Fill it.'))).toEqual({
			outcome: 'notSent',
			origin: 'input',
			what: 'It is empty',
			advice: 'Fill it.',
		});
	});

	it('is found inside of an error of n8n', () => {
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

	it('keeps its own step, and has none otherwise', () => {
		const gone = new InputError('It is gone', 'It was deleted.', 'Make it again.');
		expect(notSentBecauseOf(gone)).toMatchObject({
			advice: 'It was deleted.',
			step: 'Make it again.',
		});
		expect(notSentBecauseOf(new InputError('It is empty', 'Fill it.'))).not.toHaveProperty('step');
	});

	it('is described by its own description, if it has one', () => {
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
	])('comes with the advice to check the parameters otherwise', (error) => {
		expect(notSentBecauseOf(error)).toMatchObject({
			outcome: 'notSent',
			origin: 'input',
			what: 'x',
			advice: 'Check the parameters of this node for this item.',
		});
	});

	it.each([undefined, null])('may be thrown as %s', async (thrown) => {
		expect((await stopped(thrown))?.outcome).toBe('notSent');
	});
});

describe('a message whose run halts', () => {
	const LIMITS = { requestsPerMinute: 1, maxConcurrency: 5 };

	it('is neither begun nor prepared while it waits for its turn', async () => {
		const halting = new AbortController();
		const pace = Pace.join('halts', LIMITS, halting.signal);
		const prepare = jest.fn(async () => REQUEST);
		const exchange = jest.fn(async () => ACCEPTED);
		const sender = new Sender(exchange, pace, 3, halting.signal);
		await sender.send(prepare);
		const second = sender.send(prepare);
		halting.abort();
		expect(await second).toBeUndefined();
		expect([prepare.mock.calls.length, exchange.mock.calls.length]).toEqual([1, 1]);
		pace.leave();
	});

	it.each(['comes in', 'breaks off'])('is not begun while its file still %s', async (how) => {
		const halting = new AbortController();
		const pace = Pace.join('file', { ...LIMITS, requestsPerMinute: 0 }, halting.signal);
		const exchange = jest.fn(async () => ACCEPTED);
		const outcome = await new Sender(exchange, pace, 3, halting.signal).send(async () => {
			halting.abort();
			if (how === 'breaks off') throw new Error('This operation was aborted');
			return REQUEST;
		});
		expect(outcome).toBeUndefined();
		expect(exchange).not.toHaveBeenCalled();
		pace.leave();
	});
});

it('gives its turn to another where there is nothing to send after all', async () => {
	const halt = new AbortController().signal;
	const pace = Pace.join('nothing', { requestsPerMinute: 1, maxConcurrency: 5 }, halt);
	const sender = new Sender(async () => ACCEPTED, pace, 3, halt);
	expect(await sender.send(async () => undefined)).toBeUndefined();
	expect(await sender.send(async () => REQUEST)).toBe(ACCEPTED);
	pace.leave();
});
