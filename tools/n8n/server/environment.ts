/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { N8nPaths } from './host';
import { cleanEnvironment } from './processes';

/** Turns off every request to the internet that n8n would make by itself. */
const OFFLINE = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

const KEEP_EVERY_EXECUTION = {
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
};

export interface N8nSettings {
	userFolder: string;
	/** The folder whose files workflows may read. */
	files?: string;
	/** Whether n8n has its editor. Without it, n8n starts in two thirds of the time. */
	hasEditor?: boolean;
	/** Additional environment variables for n8n, which override the ones set here. */
	env?: Record<string, string>;
}

export function n8nEnvironment(
	n8n: N8nPaths,
	settings: N8nSettings,
	brokerPort: number,
): Record<string, string> {
	const { PATH = '', ...passedOn } = cleanEnvironment();
	return {
		...passedOn,
		PATH: [dirname(n8n.node), PATH].join(delimiter),
		...OFFLINE,
		...withoutRegistry(n8n),
		...KEEP_EVERY_EXECUTION,
		N8N_DISABLE_UI: String(!settings.hasEditor),
		N8N_USER_FOLDER: settings.userFolder,
		N8N_SECURE_COOKIE: 'false',
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		...(settings.files ? { N8N_RESTRICT_FILE_ACCESS_TO: settings.files } : {}),
		...settings.env,
	};
}

/**
 * Disables the module that calls a registry on the internet. A release without the module does not
 * start if it is named.
 */
function withoutRegistry({ folder }: N8nPaths): Record<string, string> {
	const module = join(folder, 'node_modules/n8n/dist/modules/mcp-registry');
	return existsSync(module) ? { N8N_DISABLED_MODULES: 'mcp-registry' } : {};
}
