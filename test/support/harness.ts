/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { basename, extname, join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import {
	createEngine,
	type Engine,
	type EngineOptions,
	type ItemInput,
	type Run,
	type RunOptions,
} from './engine/engine';
import type { Gateway, GatewayOptions } from '../../practice-gateway/index';
import { startDescribedGateway } from './describedGateway';

/** The error in the output item of a message that was not sent, or may not have been. */
export interface ItemError {
	message: string;
	description: string;
	outcome: 'notSent' | 'uncertain';
	httpCode?: string;
	recipients?: string[];
}

/** The test bench for all tests of a file: n8n's engine with the node, and the embedded gateway. */
export class Harness {
	gateway!: Gateway;
	engine!: Engine;

	async open(engine: EngineOptions = {}, gateway: GatewayOptions = {}): Promise<void> {
		this.gateway = await startDescribedGateway(gateway);
		this.engine = await createEngine(engine);
	}

	async close(): Promise<void> {
		await this.gateway.close();
		await this.engine.close();
	}

	/** The fields of the credential for this gateway. */
	get credential() {
		const { baseUrl, token: accessToken, deviceId } = this.gateway;
		return { baseUrl, accessToken, deviceId };
	}

	/** Runs the node once, with the gateway's credential unless `options` has another one. */
	async run(parameters: INodeParameters, options: RunOptions = {}): Promise<Run> {
		return await this.engine.run({ credential: this.credential, ...options, parameters });
	}

	/** How many requests have reached the gateway since the last `clear`. */
	get requestCount(): number {
		return this.gateway.requests.length;
	}

	/** The texts that the gateway has queued, in order. */
	get texts(): Array<string | undefined> {
		return this.gateway.messages.map(({ text }) => text);
	}
}

export function useHarness(engine?: EngineOptions, gateway?: GatewayOptions): Harness {
	const harness = new Harness();
	beforeAll(async () => await harness.open(engine, gateway));
	afterEach(() => {
		harness.gateway.behave();
		harness.gateway.clear();
	});
	afterAll(async () => await harness.close());
	return harness;
}

export const NUMBER = '6281234567890';
export const CONTINUE_ON_FAIL = { onError: 'continueRegularOutput' } as const;
export const TO_ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

export { freePort } from '../../tools/n8n/server/ports';
export { numberOf } from './numbers';
export { until } from './until';

type Options = Record<string, unknown>;

export function text(more: Options = {}): INodeParameters {
	return {
		resource: 'text',
		operation: 'send',
		phoneNumber: NUMBER,
		message: 'Hello',
		...more,
	} as INodeParameters;
}

export function bulk(more: Options = {}): INodeParameters {
	return { ...text({ operation: 'sendBulk' }), ...more } as INodeParameters;
}

export function groupText(more: Options = {}): INodeParameters {
	return { ...text({ operation: 'sendToGroup', groupId: 'team' }), ...more } as INodeParameters;
}

export function file(
	resource: 'image' | 'document',
	operation: 'send' | 'sendToGroup',
	more: Options = {},
): INodeParameters {
	const group = operation === 'sendToGroup' ? { groupId: 'team' } : {};
	return { resource, operation, phoneNumber: NUMBER, ...group, ...more } as INodeParameters;
}

const MIME_TYPES: Record<string, string> = {
	'.jpg': 'image/jpeg',
	'.png': 'image/png',
	'.pdf': 'application/pdf',
	'.csv': 'text/csv',
	'.doc': 'application/msword',
	'.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	'.xls': 'application/vnd.ms-excel',
	'.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	'.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** Returns the bytes of a sample file. */
export const sample = (name: string): Buffer => readFileSync(join(__dirname, 'files', name));

/** Returns an item with a sample file, under its own name or another one. */
export function withFile(name: string, fileName: string | undefined = basename(name)): ItemInput {
	const mimeType = MIME_TYPES[extname(name)] as string;
	return { binary: { data: { fileName, mimeType, content: sample(name) } } };
}

/** Returns one item for each set of fields. */
export const withJson = (...fields: Array<NonNullable<ItemInput['json']>>): ItemInput[] =>
	fields.map((json) => ({ json }));

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the error in an output item. */
export const errorOf = (run: Run, index = 0): ItemError =>
	run.output[0]?.[index]?.json.error as unknown as ItemError;

export const jsonOf = (run: Run) => (run.output[0] ?? []).map(({ json }) => json);

/** Returns, for each output item, the input items that it is linked to. */
export function linksOf(run: Run, output = 0): number[][] {
	return (run.output[output] ?? []).map(({ pairedItem }) =>
		[pairedItem].flat().map((link) => (typeof link === 'object' ? link.item : Number(link))),
	);
}

/** Fails unless every input item is linked to exactly one output item. */
export function expectEachOnce(run: Run, items: number): void {
	const links = run.output.flatMap((_, output) => linksOf(run, output)).flat();
	expect(links.sort((a, b) => a - b)).toEqual(Array.from({ length: items }, (_, i) => i));
}

const listening = async (server: Server): Promise<number> => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
};

/**
 * Runs `use` with a separate HTTP server, for example one that serves a file or that a redirect
 * points to.
 */
export async function withServer<T>(
	listener: RequestListener,
	use: (url: string, server: HttpServer) => Promise<T>,
): Promise<T> {
	const server = createServer(listener);
	const url = `http://127.0.0.1:${await listening(server)}`;
	try {
		return await use(url, server);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}
