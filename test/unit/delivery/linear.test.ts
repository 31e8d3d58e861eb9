/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What a run costs grows with its items, its numbers and its keys, and not with their square. */
import type { IContextObject } from 'n8n-workflow';
import { RateLimiter } from '../../../nodes/MessagingGateway/delivery/pace/rateLimiter';
import {
	deliver,
	FakeHistory,
	stored,
	type Answer,
	type Given,
	type Mode,
	type Wish,
} from './deliver';
import { expectLinearRun } from '../../support/linear';

const upTo = (size: number) => Array.from({ length: size }, (_, at) => at);
const numberOf = (at: number) => `628${100_000 + at}`;
/** Items to 500 numbers, each of which gets many of them. */
const toFew = (size: number, key?: string): Wish[] =>
	upTo(size).map((at) => ({
		numbers: [numberOf(at % 500)],
		text: `text ${Math.floor(at / 500)}`,
		...(key && { key: `${key} ${at}` }),
	}));
const toMany = (size: number, key?: string): Wish[] =>
	upTo(size).map((at) => ({
		numbers: [numberOf(at)],
		text: 'Hello',
		...(key && { key: `${key} ${at}` }),
	}));
const listOf = (size: number): Wish[] => [{ numbers: upTo(size).map(numberOf), text: 'Hello' }];
const knownUpTo = (size: number) => new FakeHistory(...upTo(size).map((at) => `known ${at}`));

/** Runs it, and then its retry. */
async function twice(mode: Mode, wishes: Wish[], answer: Answer, settings: Given['settings']) {
	const context: IContextObject = {};
	await deliver(mode, wishes, { context, settings, answer: () => answer });
	await deliver(mode, wishes, { context: stored(context), settings, isRetry: true });
}

it.each<[string, (size: number) => Promise<unknown>]>([
	['numbers in a list', async (size) => await deliver('list', listOf(size))],
	['items with one text', async (size) => await deliver('items', toMany(size))],
	['items to the same numbers', async (size) => await deliver('items', toFew(size))],
	['items with keys', async (size) => await deliver('items', toMany(size, 'new'))],
	[
		'items to the same numbers with keys that are known',
		async (size) => await deliver('items', toFew(size, 'known'), { history: knownUpTo(size) }),
	],
	[
		'messages with keys, each known',
		async (size) => await deliver('singles', toMany(size, 'known'), { history: knownUpTo(size) }),
	],
	[
		'messages that are not tried',
		async (size) => await deliver('singles', toMany(size, 'k'), { answer: () => 'token' }),
	],
	[
		'items that are refused with their keys',
		async (size) => await deliver('items', toMany(size, 'k'), { answer: () => 'notSent' }),
	],
	[
		'uncertain numbers that go out again',
		async (size) => await twice('list', listOf(size), 'uncertain', { resendUncertain: true }),
	],
	[
		'uncertain items that go out again',
		async (size) => await twice('items', toFew(size), 'uncertain', { resendUncertain: true }),
	],
	[
		'messages that a retry does not send',
		async (size) => await twice('singles', toMany(size), 'accepted', {}),
	],
	[
		'messages that a retry sends',
		async (size) => await twice('singles', toMany(size), 'notSent', {}),
	],
])('%s take at most about twice as long if there are twice as many', async (_name, run) => {
	await expectLinearRun(run, 1_500);
});

/** Executions that wait for permits at once, and use none. */
async function wait(executions: number, requestsPerMinute: number): Promise<void> {
	const permits: Array<Awaited<ReturnType<RateLimiter['permit']>>> = [];
	const limiters = upTo(executions).map(() => {
		const limiter = RateLimiter.join(
			`plan of ${requestsPerMinute}`,
			requestsPerMinute,
			new AbortController().signal,
		);
		for (let request = 0; request < 5; request++) {
			void limiter.permit().then((permit) => permits.push(permit));
		}
		return limiter;
	});
	await new Promise((resolve) => setTimeout(resolve));
	for (const permit of permits) if (permit && 'end' in permit) permit.end();
	limiters.forEach((limiter) => limiter.leave());
}

it.each([0, 60])(
	'executions that wait for a plan of %i take at most about twice as long if there are twice as many',
	async (plan) => await expectLinearRun(async (size) => await wait(size, plan), 2_500),
);

it('subscriptions of one minute take at most about twice as long if there are twice as many', async () => {
	let subscriptions = 0;
	await expectLinearRun(async (size) => {
		for (let end = subscriptions + size; subscriptions < end; subscriptions++) {
			const halt = new AbortController().signal;
			const limiter = RateLimiter.join(`one of ${subscriptions}`, 5, halt);
			const permit = await limiter.permit();
			if (permit && 'end' in permit && permit.start())
				permit.end({ outcome: 'accepted', envelope: {} });
			limiter.leave();
		}
	}, 2_500);
});
