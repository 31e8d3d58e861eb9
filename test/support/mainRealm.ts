/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

/**
 * The global objects of this process. Jest gives each test file others, and loads all modules again for it. n8n's engine
 * takes seconds to load, so it is loaded once in a process, with these.
 */
export const mainRealm = runInThisContext('globalThis') as typeof globalThis;

/** Returns the `require` of Node.js for a file, in place of Jest's. */
export function requireFor(file: string): NodeJS.Require {
	return mainRealm.process.getBuiltinModule('node:module').createRequire(file);
}

// The node is loaded again for each test file: what another one has left in its modules does not reach this one.
const { cache } = requireFor(__filename);
const built = join(__dirname, '../../dist');
for (const file of Object.keys(cache)) if (file.startsWith(built)) delete cache[file];
