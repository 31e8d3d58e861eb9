/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
/** Waiting for what comes a moment later, with a limit. */

/** @param what the condition, for the error */
export async function until(
	condition: () => boolean,
	what = 'the condition was met',
	within = 30_000,
): Promise<void> {
	const end = Date.now() + within;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`Not within ${within} ms: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

/** Reads again until that succeeds. Resolves to what was read; in the end, fails as the last try did. */
export async function eventually<T>(read: () => Promise<T>, within = 30_000): Promise<T> {
	const end = Date.now() + within;
	for (;;) {
		try {
			return await read();
		} catch (error) {
			if (Date.now() > end) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
