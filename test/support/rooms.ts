/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IExecuteFunctions, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { InputError } from '../../nodes/MessagingGateway/shared/inputError';
import { Engine, type ItemInput } from './engine/engine';
import { loadHost } from './engine/host';

export const TOKEN = 'sec/ret+token';

export interface NodeOptions {
	credential?: object;
	parameters?: INodeParameters;
	items?: ItemInput[] | number;
	/** The fields of the node; n8n drops parameters without a field. */
	properties?: INodeProperties[];
	binaryMode?: 'default' | 'filesystem';
}

/**
 * Runs `body` with the context that n8n's real engine gives to a node: request helper, binary storage
 * and history of keys. Does not load this project's node, so that each room can be tested on its own.
 */
export async function inNode<T>(
	body: (context: IExecuteFunctions) => Promise<T>,
	options: NodeOptions = {},
): Promise<T> {
	let outcome: { value: T } | { error: unknown } | undefined;
	const node: INodeType = {
		description: {
			displayName: 'Room',
			name: 'messagingGateway',
			group: ['output'],
			version: 1,
			description: 'Does what a test tells it to',
			defaults: { name: 'Room' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'messagingGatewayApi' }],
			properties: options.properties ?? [],
		},
		async execute() {
			try {
				outcome = { value: await body(this) };
			} catch (error) {
				outcome = { error };
			}
			return [[]];
		},
	};
	const engine = new Engine(
		await loadHost(),
		{
			nodes: new Map([['n8n-nodes-messaging-gateway.messagingGateway', node]]),
			credentials: new Map([['messagingGatewayApi', new MessagingGatewayApi()]]),
		},
		mkdtempSync(join(tmpdir(), 'rooms-')),
		options.binaryMode ?? 'default',
	);
	try {
		const run = await engine.run({
			credential: options.credential ?? {},
			parameters: options.parameters ?? {},
			items: options.items ?? 1,
		});
		if (!outcome) throw run.error ?? new Error('The node did not run');
	} finally {
		await engine.close();
	}
	if ('error' in outcome) throw outcome.error;
	return outcome.value;
}

export interface RunningServer {
	url: string;
	server: Server;
	/** Connections that are open now. */
	sockets: Set<Socket>;
	close(): Promise<void>;
}

/** Starts a server on a free port of this machine. */
export async function serve(listener: RequestListener): Promise<RunningServer> {
	return await running(createServer(listener), 'http');
}

/** Starts the same server with TLS and a self-signed certificate. */
export async function serveTls(listener: RequestListener): Promise<RunningServer> {
	const folder = mkdtempSync(join(tmpdir(), 'rooms-tls-'));
	const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
	const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
	const files = ['-keyout', key, '-out', cert, '-days', '2'];
	const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
	execFileSync('openssl', ['req', ...kind, ...files, ...subject], { stdio: 'ignore' });
	const options = { key: readFileSync(key), cert: readFileSync(cert) };
	rmSync(folder, { recursive: true });
	const server = createTlsServer(options, listener).on('tlsClientError', () => undefined);
	return await running(server, 'https');
}

async function running(server: Server, protocol: 'http' | 'https'): Promise<RunningServer> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		socket.on('error', () => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `${protocol}://127.0.0.1:${port}`,
		server,
		sockets,
		close: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}

/** Returns the InputError that `work` throws; fails if it throws anything else or nothing. */
export function inputErrorOf(work: () => unknown): InputError {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return error as InputError;
	}
	throw new Error('Nothing was thrown');
}

/**
 * Resolves to the InputError that `work` rejects with; fails if it rejects with anything else or
 * resolves.
 */
export async function inputErrorFrom(work: Promise<unknown>): Promise<InputError> {
	const error = await work.then(
		() => new Error('Nothing was thrown'),
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(InputError);
	return error as InputError;
}

/** Returns how many files, sockets and pipes this process has open. */
export function openDescriptors(): number {
	return readdirSync('/proc/self/fd').length;
}
