/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** `npm run demo`: the node's ways to send, in n8n's own engine, to a gateway on this computer. */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createEngine, type Engine, type Run } from '../../test/support/engine/engine';
import { startGateway } from '../../practice-gateway/index';
import { bold, describeSend, HEADING } from './report';
import { SENDS, type Send } from './sends';

const HELP = `
npm run demo [-- --once]

Sends messages of every kind to a practice gateway on this computer. Nothing leaves it.

  --once   send, say whether all arrived, and stop
  --help   this text
`;

const INTRODUCTION = `
The Messaging Gateway node runs in n8n's own engine, and sends to a practice gateway.
Both are on this computer: nothing leaves it, and nobody gets a message.
`;

type Gateway = Awaited<ReturnType<typeof startGateway>>;

async function main() {
	const { once, help } = parseArgs({
		options: { once: { type: 'boolean' }, help: { type: 'boolean' } },
	}).values;
	if (help) return console.log(HELP);

	const gateway = await startGateway({ keepFiles: 'bytes' });
	let engine: Engine | undefined;
	try {
		engine = await createEngine({ binaryMode: 'filesystem' });
		console.log(`${INTRODUCTION}\n${HEADING}`);
		const missing = await sendAll(engine, gateway);
		console.log(`\n${conclusion(missing)}`);
		if (missing.length > 0) process.exitCode = 1;
		if (!once) await letThemLook(gateway);
	} finally {
		await engine?.close();
		await gateway.close();
	}
}

/** Sends everything, and returns the titles of the sends that did not reach the gateway. */
async function sendAll(engine: Engine, gateway: Gateway): Promise<string[]> {
	const missing: string[] = [];
	const credential = {
		baseUrl: gateway.baseUrl,
		accessToken: gateway.token,
		deviceId: gateway.deviceId,
	};
	for (const send of SENDS) {
		const before = gateway.messages.length;
		const { parameters, items } = send;
		const run = await engine.run({ parameters, items, credential });
		console.log(describeSend(send, run));
		if (!arrived(send, run, gateway.messages.slice(before))) missing.push(send.title);
	}
	return missing;
}

/** Accepted, and in the gateway's queue with the text or the bytes that were sent. */
function arrived(send: Send, run: Run, queued: Gateway['messages']): boolean {
	const held = queued.map(({ file, text }) => file?.sha256 ?? text);
	return (
		run.status === 'success' &&
		run.output[0]?.length === send.contents.length &&
		isDeepStrictEqual(held, send.expected) &&
		queued.every(({ recipients }) => Math.max(1, recipients.length) === send.recipients)
	);
}

function conclusion(missing: string[]): string {
	if (missing.length > 0) return `Not everything arrived. Missing: ${missing.join(', ')}.`;
	const count = SENDS.reduce((sum, { contents }) => sum + contents.length, 0);
	return `✓ means queued. The gateway has all ${count} messages, with the text or file that was sent.`;
}

async function letThemLook({ baseUrl }: Gateway) {
	console.log(`\nSee them in the gateway's outbox:  ${bold(`${baseUrl}/`)}`);
	console.log(`Try the node in n8n's editor:     ${bold('npm run n8n')}  (in another terminal)`);
	console.log('Press Ctrl-C to stop.');
	await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
}

main().catch((error: unknown) => {
	console.error(
		`The demo could not run: ${error instanceof Error ? error.message : String(error)}`,
	);
	process.exitCode = 1;
});
