/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import Fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { endpoints, isEndpoint } from './endpoints';
import { serveOutbox } from './outbox/index';
import { Ledger } from './ledger';
import { answerWithFault, resetEarly, ActiveRules } from './misbehavior';
import { PlanCounter } from './plan';
import { readBody } from './reading';
import type { Gateway, GatewayOptions, Misbehavior, ReceivedRequest } from './types';

/** Largest upload: more than any test sends. */
const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;

/** Starts the whole API on a real socket, with the outbox page and the controls for tests. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
	const gateway = new GatewayServer(options);
	await gateway.listen();
	return gateway;
}

class GatewayServer implements Gateway {
	baseUrl = '';
	readonly token: string;
	readonly deviceId: string;
	readonly requests: ReceivedRequest[] = [];
	private readonly ledger: Ledger;
	private readonly activeRules = new ActiveRules();
	private readonly plan?: PlanCounter;
	private readonly server: FastifyInstance;
	private readonly prefix: string;
	private readonly closing = new AbortController();

	constructor(private readonly options: GatewayOptions) {
		this.token = options.token ?? `demo-${randomUUID()}`;
		this.deviceId = options.deviceId ?? randomUUID();
		this.prefix = (options.pathPrefix ?? '').replace(/\/+$/, '');
		this.ledger = new Ledger(options.countryCode ?? '62');
		if (options.plan) this.plan = new PlanCounter(options.plan);
		setMaxListeners(0, this.closing.signal);
		this.server = Fastify({
			https: options.tls ?? null,
			bodyLimit: 64 * 1024 * 1024,
			forceCloseConnections: true,
			routerOptions: { maxParamLength: 5_000 },
		}) as unknown as FastifyInstance;
		this.server.removeContentTypeParser('text/plain');
		this.server.addHook('onRequest', async (request, reply) => this.recordRequest(request, reply));
		void this.server.register(formbody, { bodyLimit: 64 * 1024 * 1024 });
		void this.server.register(multipart, { limits: { fileSize: MAX_UPLOAD_BYTES } });
		void this.server.register(async (scope) => this.addRoutes(scope), { prefix: this.prefix });
		this.server.setNotFoundHandler(async (request, reply) => await this.notFound(request, reply));
		this.server.setErrorHandler<FastifyError>(async ({ statusCode, message }, request, reply) => {
			const code = statusCode ?? (request.isMultipart() ? 400 : 500);
			await reply.code(code).send({ code, message });
		});
	}

	get messages() {
		return this.ledger.messages;
	}

	get refusedByPlan() {
		return this.plan?.refused ?? 0;
	}

	misbehave(rule: Misbehavior): void {
		this.activeRules.add(rule);
	}

	behave(): void {
		this.activeRules.clear();
	}

	clear(): void {
		this.ledger.clear();
		this.requests.length = 0;
	}

	async listen(): Promise<void> {
		const { port = 0, host = '127.0.0.1', tls } = this.options;
		await this.server.listen({ port, host });
		const address = this.server.server.address() as AddressInfo;
		this.baseUrl = `${tls ? 'https' : 'http'}://${host}:${address.port}${this.prefix}`;
	}

	async close(): Promise<void> {
		this.closing.abort();
		this.server.server.closeAllConnections();
		await this.server.close();
	}

	private addRoutes(scope: FastifyInstance): void {
		scope.addHook('onRequest', async (request, reply) => await this.onRequest(request, reply));
		for (const rules of endpoints) {
			scope.post(rules.path, async (request, reply) => {
				await this.handle(request, reply, rules);
			});
		}
		this.addControls(scope);
		serveOutbox(scope, this.ledger);
	}

	/** Runs before the body is read: checks the token first, as a real gateway does. */
	private async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
		if (!isApi(request.url)) return;
		const rule = this.activeRules.takeForHead(request.url);
		if (rule?.fault) {
			reply.hijack();
			resetEarly(rule.fault, request.raw);
			return;
		}
		if (request.headers.authorization !== `Bearer ${this.token}`) {
			return void (await reply.code(401).send({ code: 401, message: 'Unauthenticated.' }));
		}
		const seconds = this.plan?.take();
		if (seconds === undefined) return;
		if (this.options.plan?.retryAfter !== false) void reply.header('Retry-After', seconds);
		await reply.code(429).send({ message: 'Too Many Attempts.' });
	}

	private recordRequest(request: FastifyRequest, reply: FastifyReply): void {
		if (this.options.keepRequests === false || !isApi(request.url)) return;
		const { method, originalUrl: url, headers } = request;
		const received: ReceivedRequest = { method, url, headers };
		this.requests.push(received);
		reply.raw.once('finish', () => (received.status = reply.raw.statusCode));
	}

	private async handle(
		request: FastifyRequest,
		reply: FastifyReply,
		rules: (typeof endpoints)[number],
	): Promise<void> {
		const { groupID } = request.params as { groupID?: string };
		if (groupID === '') return void reply.callNotFound();
		const body = await readBody(request, this.options.keepFiles === 'bytes');
		this.options.onBody?.({ path: rules.path, ...body });
		const draft = rules.read(body, groupID);
		const rule = this.activeRules.takeForRequest(request.url, draft.recipients);
		if (rule?.latency) await wait(rule.latency, undefined, { signal: this.closing.signal });

		const errors = rules.check(draft, this.deviceId);
		const isInvalid = Object.keys(errors).length > 0;
		const answersNormally = !rule || (!rule.respond && !rule.fault);
		if (isInvalid && answersNormally) {
			const message = 'The given data was invalid.';
			return void (await reply.code(422).send({ message, errors }));
		}
		const queued = this.ledger.prepare(draft);
		if (answersNormally || rule.queueAnyway) this.ledger.add(queued);
		const envelope = {
			code: 200,
			message: rules.queued,
			...(rules.hasRecord ? { data: this.ledger.recordOf(queued, this.deviceId) } : {}),
		};
		if (rule?.fault) {
			reply.hijack();
			return answerWithFault(rule.fault, reply.raw, JSON.stringify(envelope));
		}
		const { status, headers = {}, body: answer } = rule?.respond ?? { status: 200, body: envelope };
		await reply
			.code(status)
			.headers(headers)
			.send(answer ?? '');
	}

	private async notFound(request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const path = (request.url.split('?')[0] ?? '').slice(this.prefix.length);
		if (isEndpoint(path) && request.method !== 'POST') {
			const message = `The ${request.method} method is not supported for this route.`;
			return void (await reply.code(405).header('Allow', 'POST').send({ code: 405, message }));
		}
		await reply.code(404).send({ code: 404, message: `The route ${path} could not be found.` });
	}

	/** Adds endpoints for tests in other processes. */
	private addControls(scope: FastifyInstance): void {
		scope.post('/_control/misbehave', async (request) => {
			this.misbehave(request.body as Misbehavior);
			return {};
		});
		scope.post('/_control/behave', async () => {
			this.behave();
			return {};
		});
		scope.post('/_control/clear', async () => {
			this.clear();
			return {};
		});
		scope.get('/_control/messages', async () => this.messages.map(withoutBytes));
		scope.get('/_control/refused', async () => ({ refusedByPlan: this.refusedByPlan }));
		scope.get('/_control/requests', async () => this.requests);
	}
}

function isApi(url: string): boolean {
	return url.includes('/api/');
}

function withoutBytes({ file, ...message }: Gateway['messages'][number]) {
	return file ? { ...message, file: { ...file, bytes: undefined } } : message;
}
