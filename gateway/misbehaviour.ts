import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault, Misbehaviour } from './types';

/** A reset takes back what the other side has not read yet. */
const UNTIL_READ_MS = 30;

const BEFORE_BODY = new Set<Fault>(['resetBeforeBody', 'resetDuringBody']);

/** The rules in force, and how they are carried out on a real socket. */
export class Misconduct {
	private rules: Array<Misbehaviour & { left: number }> = [];
	private seed = 42;

	add(rule: Misbehaviour): void {
		this.rules.push({ ...rule, left: rule.times ?? Infinity });
	}

	clear(): void {
		this.rules = [];
		this.seed = 42;
	}

	/** The rule for a request of which only the head is known; those that need its body come later. */
	atHead(url: string): Misbehaviour | undefined {
		return this.take(({ path, recipient, fault }) => {
			const early = recipient === undefined && fault !== undefined && BEFORE_BODY.has(fault);
			return early && (path === undefined || url.includes(path));
		});
	}

	/** The rule for a request that has been read. */
	atBody(url: string, recipients: string[]): Misbehaviour | undefined {
		return this.take(({ path, recipient, fault }) => {
			if (fault && BEFORE_BODY.has(fault)) return false;
			if (path !== undefined && !url.includes(path)) return false;
			return recipient === undefined || recipients.includes(recipient);
		});
	}

	private take(fits: (rule: Misbehaviour) => boolean): Misbehaviour | undefined {
		const rule = this.rules.find(
			(each) =>
				each.left > 0 && fits(each) && (each.rate === undefined || this.chance() < each.rate),
		);
		if (rule) rule.left--;
		return rule;
	}

	/** The same sequence in each run: a linear congruential generator. */
	private chance(): number {
		this.seed = (this.seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return this.seed / 2 ** 32;
	}
}

/** Breaks the connection while the body is on its way. */
export function breakEarly(fault: Fault, request: IncomingMessage): void {
	if (fault === 'resetBeforeBody') request.socket.resetAndDestroy();
	else request.once('data', () => request.socket.resetAndDestroy());
}

/** Answers wrongly on a raw response; `body` is what a right answer would be. */
export function answerWrongly(fault: Fault, response: ServerResponse, body: string): void {
	const { socket } = response;
	const json = { 'Content-Type': 'application/json' };
	switch (fault) {
		case 'silence':
			return;
		case 'halfAnswer':
			response.writeHead(200, { ...json, 'Content-Length': Buffer.byteLength(body) });
			response.write(body.slice(0, body.length / 2), () => {
				setTimeout(() => socket?.resetAndDestroy(), UNTIL_READ_MS);
			});
			return;
		case 'wrongLength':
			response.writeHead(200, { ...json, 'Content-Length': Buffer.byteLength(body) + 10 });
			response.write(body, () => socket?.end());
			return;
		case 'slowDrip':
			response.writeHead(200, json);
			drip(response, body);
			return;
		case 'endlessAnswer':
			response.writeHead(200, json);
			pour(response);
			return;
		case 'http10':
			socket?.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${body}`);
			return;
		default:
			socket?.resetAndDestroy();
	}
}

function drip(response: ServerResponse, body: string, at = 0): void {
	if (response.destroyed) return;
	if (at === body.length) return void response.end();
	response.write(body[at]);
	setTimeout(() => drip(response, body, at + 1), 100).unref();
}

function pour(response: ServerResponse): void {
	const chunk = Buffer.alloc(64 * 1024, ' ');
	while (!response.destroyed && response.write(chunk));
	if (!response.destroyed) response.once('drain', () => pour(response));
}
