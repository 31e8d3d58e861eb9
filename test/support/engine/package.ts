/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { cpSync, existsSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ICredentialType, INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import type { Host } from './host';

export interface LoadedTypes {
	nodes: Map<string, INodeType | IVersionedNodeType>;
	credentials: Map<string, ICredentialType>;
}

const CHECKOUT = resolve(__dirname, '../../..');

/** Loads a built package as n8n loads an installed community package. */
export async function loadPackage(
	host: Host,
	scratchDir: string,
	packageDir?: string,
): Promise<LoadedTypes> {
	if (packageDir === undefined) assertBuilt();
	const installed = packageDir ?? (host.foreignModules ? install(host, scratchDir) : CHECKOUT);
	const loader = new host.core.PackageDirectoryLoader(installed);
	await loader.loadAll();

	const types: LoadedTypes = { nodes: new Map(), credentials: new Map() };
	for (const [name, { type }] of Object.entries(loader.nodeTypes)) {
		types.nodes.set(`${loader.packageName}.${name}`, type);
	}
	for (const [name, { type }] of Object.entries(loader.credentialTypes)) {
		types.credentials.set(name, type);
	}
	return types;
}

export function nodeTypesOf(
	host: Host,
	types: ReadonlyMap<string, INodeType | IVersionedNodeType>,
) {
	const getByName = (name: string) => {
		const type = types.get(name);
		if (!type) throw new Error(`There is no node type "${name}"`);
		return type;
	};
	const nodeTypes: INodeTypes = {
		getByName,
		getByNameAndVersion: (name, version) =>
			host.n8n.NodeHelpers.getVersionedNodeType(getByName(name), version),
		getKnownTypes: () => ({}),
	};
	return nodeTypes;
}

/** Copies the package next to another n8n's modules, so that it does not find the checkout's. */
function install({ foreignModules }: Host, scratchDir: string): string {
	const target = join(scratchDir, 'package');
	cpSync(join(CHECKOUT, 'package.json'), join(target, 'package.json'));
	cpSync(join(CHECKOUT, 'dist'), join(target, 'dist'), { recursive: true });
	symlinkSync(resolve(foreignModules ?? ''), join(target, 'node_modules'), 'junction');
	return target;
}

function assertBuilt() {
	const built = newest(join(CHECKOUT, 'dist'));
	if (built === 0) throw new Error('The package is not built. Run "npx gulp build" first.');
	if (Math.max(newest(join(CHECKOUT, 'nodes')), newest(join(CHECKOUT, 'credentials'))) > built) {
		throw new Error('The built package is older than its sources. Run "npx gulp build" again.');
	}
}

function newest(dir: string): number {
	if (!existsSync(dir)) return 0;
	return readdirSync(dir, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.reduce((time, { parentPath, name }) => {
			return Math.max(time, statSync(join(parentPath, name)).mtimeMs);
		}, 0);
}
