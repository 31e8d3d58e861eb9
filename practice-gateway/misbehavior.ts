/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault, Misbehavior } from './types';

/** Wait this long before a reset, which discards what the client has not read yet. */
const RESET_DELAY_MS = 30;

const BEFORE_BODY = new Set<Fault>(['resetBeforeBody', 'resetDuringBody']);

/** The rules that are active now. */
export class ActiveRules {
	private rules: Array<Misbehavior & { left: number }> = [];
	private seed = 42;

	add(rule: Misbehavior): void {
		this.rules.push({ ...rule, left: rule.times ?? Infinity });
	}

	clear(): void {
		this.rules = [];
		this.seed = 42;
	}

	/** Returns the rule for a request whose head has arrived; rules that need the body apply later. */
	takeForHead(url: string): Misbehavior | undefined {
		return this.take(({ path, recipient, fault }) => {
			const early = recipient === undefined && fault !== undefined && BEFORE_BODY.has(fault);
			return early && (path === undefined || url.includes(path));
		});
	}

	/** Returns the rule for a request that has been read completely. */
	takeForRequest(url: string, recipients: string[]): Misbehavior | undefined {
		return this.take(({ path, recipient, fault }) => {
			if (fault && BEFORE_BODY.has(fault)) return false;
			if (path !== undefined && !url.includes(path)) return false;
			return recipient === undefined || recipients.includes(recipient);
		});
	}

	private take(fits: (rule: Misbehavior) => boolean): Misbehavior | undefined {
		const rule = this.rules.find(
			(each) =>
				each.left > 0 && fits(each) && (each.rate === undefined || this.random() < each.rate),
		);
		if (rule) rule.left--;
		return rule;
	}

	/** Returns a pseudorandom number from 0 to 1, in the same sequence in each run. */
	private random(): number {
		this.seed = (this.seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return this.seed / 2 ** 32;
	}
}

/** Resets the connection before the body, or after its first bytes. */
export function resetEarly(fault: Fault, request: IncomingMessage): void {
	if (fault === 'resetBeforeBody') request.socket.resetAndDestroy();
	else request.once('data', () => request.socket.resetAndDestroy());
}

/** Writes a faulty answer to a raw response; `body` is the correct answer. */
export function answerWithFault(fault: Fault, response: ServerResponse, body: string): void {
	const { socket } = response;
	const json = { 'Content-Type': 'application/json' };
	switch (fault) {
		case 'silence':
			return;
		case 'halfAnswer':
			response.writeHead(200, { ...json, 'Content-Length': Buffer.byteLength(body) });
			response.write(body.slice(0, body.length / 2), () => {
				setTimeout(() => socket?.resetAndDestroy(), RESET_DELAY_MS);
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
