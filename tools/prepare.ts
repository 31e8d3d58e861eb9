/**
 * Installs everything that the suites of `.ci/run` need besides the modules: Debian's packages, n8n and its Node.js.
 */
import { installMissingPackages, PACKAGES } from '../test/support/debian/index';
import { ensureN8n } from './n8n/server/index';

installMissingPackages('.ci/run', ...(Object.keys(PACKAGES) as Array<keyof typeof PACKAGES>));
void ensureN8n();
