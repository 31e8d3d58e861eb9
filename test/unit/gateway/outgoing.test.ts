/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import type FormData from 'form-data';
import { EventEmitter } from 'node:events';
import { patchPipe, untilOver } from '../../../nodes/MessagingGateway/gateway/body';

interface Target {
	pipe?: (target: unknown) => unknown;
	end?: () => void;
}

/** A stream that does `duringPipe` while it is piped. */
const streamThat = (duringPipe: (stream: EventEmitter) => void) => {
	const stream: EventEmitter & Target = Object.assign(new EventEmitter(), {
		pipe: (target: unknown) => {
			duringPipe(stream);
			return target;
		},
	});
	return stream;
};
const ending = () => streamThat((stream) => stream.emit('end'));
const silent = () => streamThat(() => undefined);
const patched = <T>(body: T, found: (request: unknown) => void = () => undefined) => {
	patchPipe(body as FormData, found);
	return body as T & { pipe(target: unknown): unknown };
};
it('the pipes of a body lead to its request, through what lies between', () => {
	const found: unknown[] = [];
	const between = silent();
	const request = { setHeader: 1, writableFinished: false };
	expect(patched(silent(), (each) => found.push(each)).pipe(between)).toBe(between);
	expect(found).toEqual([]);
	expect(between.pipe?.(request)).toBe(request);
	expect(found).toEqual([request]);
});

it('the pipes of a body leave a target alone that cannot be piped', () => {
	const target = {};
	patched(silent()).pipe(target);
	expect(target).toEqual({});
});

it('the pipes of a body end a target only if the body has ended before the target listens', () => {
	const ended: string[] = [];
	const target = (name: string) => ({ end: () => ended.push(name) });
	patched(ending()).pipe(target('ended'));
	patched(silent()).pipe(target('open'));
	expect(ended).toEqual(['ended']);
});

it('the pipes of a body leave the end of a later stream to itself', () => {
	const between = ending();
	const end = jest.fn();
	patched(silent()).pipe(between);
	between.pipe?.({ end });
	expect(end).not.toHaveBeenCalled();
});

it('the pipes of a body may have no pipe, events or end in another release of n8n', () => {
	expect(patched({}).pipe({})).toBeUndefined();
	expect(patched(ending()).pipe({})).toEqual({});
});

describe('a request that is being sent', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const requestWith = (socket: unknown = null) =>
		Object.assign(new EventEmitter(), {
			writableFinished: false,
			destroyed: false,
			socket,
			destroy: () => undefined,
		}) as EventEmitter & Parameters<typeof untilOver>[0] & Record<string, unknown>;
	const socketWith = (writableLength: number) =>
		Object.assign(new EventEmitter(), { writableLength });

	it.each([
		['writableFinished', 'finish'],
		['destroyed', 'close'],
	])('a request that is being sent is over at once when it is %s', async (state, event) => {
		const request = requestWith();
		let isOver = false;
		void untilOver(request).then(() => (isOver = true));
		await jest.advanceTimersByTimeAsync(10);
		expect(isOver).toBe(false);

		Object.assign(request, { [state]: true });
		request.emit(event);
		await jest.advanceTimersByTimeAsync(0);
		expect(isOver).toBe(true);
	});

	it.each([
		['goes on when its socket is empty', 0, 1],
		['waits while its socket is not', 5, 0],
	])(
		'a request that is being sent %s, and whenever the socket has drained',
		async (_, length, drains) => {
			const socket = socketWith(length);
			const request = requestWith(socket);
			const drained = jest.fn();
			request.on('drain', drained);
			const over = untilOver(request);
			expect(drained).toHaveBeenCalledTimes(drains);

			socket.emit('drain');
			expect(drained).toHaveBeenCalledTimes(drains + 1);

			Object.assign(request, { destroyed: true });
			request.emit('close');
			await over;
		},
	);
});
