export { N8nApi, OWNER } from './api';
export type { N8nSettings } from './environment';
export { headlessN8n, type HeadlessN8n } from './headless';
export { ensureN8n, type N8nPaths } from './host';
export { freePort } from './ports';
export { DEFAULT_N8N_VERSION } from './releases';
export { startN8n, type N8nServer, type StartOptions } from './server';
export type * from './types';
export {
	createEmptyUserFolder,
	createUserFolder,
	installNode,
	packNode,
	removeUserFolder,
} from './userFolder';
export {
	at,
	CREDENTIAL_TYPE,
	gatewayNode,
	givenItems,
	node,
	NODE_TYPE,
	readFiles,
	trigger,
	workflow,
	type Arrow,
	type GatewayNode,
} from './workflows';
