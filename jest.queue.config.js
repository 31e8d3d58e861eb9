/** n8n's queue mode with a real Redis and PostgreSQL; see test/queue. */
module.exports = {
	...require('./jest.e2e.config.js'),
	testMatch: ['<rootDir>/test/queue/**/*.queue.test.ts'],
};
