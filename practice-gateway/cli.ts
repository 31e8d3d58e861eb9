/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
import { parseArgs } from 'node:util';
import { startGateway } from './index';
import { parsePlan } from './plan';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '8025' },
		token: { type: 'string' },
		'device-id': { type: 'string' },
		prefix: { type: 'string' },
		plan: { type: 'string' },
		'no-retry-after': { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const HELP = `Runs a messaging gateway on this machine to try the node with. Nothing leaves the machine.

  npm run gateway -- [--port 8025] [--token TEXT] [--device-id TEXT] [--prefix /PATH]
                     [--plan 30/60] [--no-retry-after]

  --plan             Requests in so many seconds; what goes beyond gets 429 (Too Many Attempts).
  --no-retry-after   The refusal does not say when to come back.`;

async function main(): Promise<void> {
	if (values.help) return console.log(HELP);
	const plan = values.plan === undefined ? undefined : parsePlan(values.plan);
	const options = {
		plan: plan && { ...plan, retryAfter: !values['no-retry-after'] },
		token: values.token,
		deviceId: values['device-id'],
		pathPrefix: values.prefix,
		keepFiles: 'bytes' as const,
	};
	const gateway = await startGateway({ ...options, port: Number(values.port) }).catch(async () => {
		console.log(`Port ${values.port} is taken, so the gateway uses a free one.`);
		return await startGateway(options);
	});
	console.log(`The gateway is running. Enter these values in its credential in n8n:

  Base URL      ${gateway.baseUrl}
  Access Token  ${gateway.token}
  Device ID     ${gateway.deviceId}

Open its outbox in a browser: ${gateway.baseUrl}/
Press Ctrl-C to stop.`);
	process.once('SIGINT', () => void gateway.close().then(() => process.exit(0)));
	process.once('SIGTERM', () => void gateway.close().then(() => process.exit(0)));
}

void main();
