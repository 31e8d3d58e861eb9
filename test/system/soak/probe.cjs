/**
 * Preloaded into n8n: on SIGUSR2 it writes into the file PROBE_FILE what this process holds. It tells
 * what no API of n8n does: whether the node's module has let go of everything.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

if (process.env.PROBE_FILE && process.argv.includes('start')) {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc');
	const inUse = () => {
		const path = Object.keys(require.cache).find((each) =>
			each.endsWith('/MessagingGateway.node.js'),
		);
		return path === undefined ? {} : require.cache[path].exports.inUse();
	};
	process.on('SIGUSR2', () => {
		collectGarbage();
		const resources = process.getActiveResourcesInfo();
		const held = {
			...inUse(),
			timers: resources.filter((name) => name === 'Timeout').length,
			sockets: resources.filter((name) => /TCP.*Wrap/.test(name)).length,
			heapMb: process.memoryUsage().heapUsed / 2 ** 20,
		};
		// Whole, as somebody waits for the file.
		writeFileSync(`${process.env.PROBE_FILE}.part`, JSON.stringify(held));
		renameSync(`${process.env.PROBE_FILE}.part`, process.env.PROBE_FILE);
	});
}
