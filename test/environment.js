const { TestEnvironment } = require('jest-environment-node');

// A process that ends by itself frees the memory of all its test files first, which takes longer than Jest waits. Work
// that a test has left behind still keeps it from ending.
process.once('beforeExit', () => process.exit());

const timers = new Set();

/** For older releases of n8n, which cannot cut a wait short: after Stop, its timer runs on for up to a minute. */
class OlderHost extends TestEnvironment {
	async teardown() {
		for (const timer of timers) timer.unref();
		timers.clear();
		await super.teardown();
	}
}

if (process.env.N8N_CORE_DIR) {
	const { setTimeout } = globalThis;
	const remembering = (...given) => {
		const timer = setTimeout(...given);
		timers.add(timer);
		return timer;
	};
	Object.defineProperties(remembering, Object.getOwnPropertyDescriptors(setTimeout));
	globalThis.setTimeout = remembering;
}

/** Jest's own environment of a test. */
module.exports = process.env.N8N_CORE_DIR ? OlderHost : TestEnvironment;
