/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** The nodes of n8n that this one is compared with, from the packages of a real n8n. */
import type { ICredentialType, INode, INodeType, IVersionedNodeType } from 'n8n-workflow';
import { join } from 'node:path';

const BASE_NODES = join(process.env.N8N_CORE_DIR ?? '', '..', 'n8n-nodes-base', 'dist');

const CREDENTIAL_ID = { id: 'credential', name: 'Gateway account' };

export const HTTP_REQUEST: Partial<INode> = {
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
};
export const SET: Partial<INode> = { type: 'n8n-nodes-base.set', typeVersion: 3.4 };
export const TELEGRAM: Partial<INode> = {
	type: 'n8n-nodes-base.telegram',
	typeVersion: 1.2,
	credentials: { telegramApi: CREDENTIAL_ID },
};

/** The usual way to make other nodes try again. */
export const RETRY_ON_FAIL: Partial<INode> = { retryOnFail: true, maxTries: 3 };

export function peers() {
	return {
		nodeTypes: {
			'n8n-nodes-base.httpRequest': loaded<IVersionedNodeType>(
				'nodes/HttpRequest/HttpRequest.node.js',
				'HttpRequest',
			),
			'n8n-nodes-base.set': loaded<IVersionedNodeType>('nodes/Set/Set.node.js', 'Set'),
			'n8n-nodes-base.telegram': loaded<INodeType>('nodes/Telegram/Telegram.node.js', 'Telegram'),
		},
		credentialTypes: {
			telegramApi: loaded<ICredentialType>('credentials/TelegramApi.credentials.js', 'TelegramApi'),
		},
	};
}

function loaded<T>(path: string, name: string): T {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const classes = require(join(BASE_NODES, path)) as Record<string, new () => T>;
	const Loaded = classes[name];
	if (!Loaded) throw new Error(`n8n has no ${name}`);
	return new Loaded();
}
