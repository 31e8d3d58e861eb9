/* eslint-disable @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
import { startGateway, type Gateway } from '../../practice-gateway/index';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	removeUserFolder,
	startN8n,
	type N8nServer,
	type N8nSettings,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { credentialData } from './credentialData';

/** A gateway, an n8n with the packed node, and the credential that connects them. */
export interface Site {
	gateway: Gateway;
	n8n: N8nServer;
	credential: SavedCredential;
	userFolder: string;
	/** Also stops an n8n that was started to replace the first one. */
	close(): Promise<void>;
}

export async function openSite(settings: Omit<N8nSettings, 'userFolder'> = {}): Promise<Site> {
	const gateway = await startGateway();
	const userFolder = await createUserFolder();
	const site: Partial<Site> = {};
	const close = async () => {
		await site.n8n?.stop();
		await gateway.close();
		removeUserFolder(userFolder);
	};
	try {
		const n8n = (site.n8n = await startN8n({ ...settings, userFolder }));
		const data = credentialData(gateway);
		const credential = await n8n.api.createCredential('Gateway', CREDENTIAL_TYPE, data);
		return Object.assign(site, { gateway, n8n, credential, userFolder, close });
	} catch (error) {
		await close();
		throw error;
	}
}
