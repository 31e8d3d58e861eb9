/** Tests of n8n's queue mode, with a real Redis and PostgreSQL. */
module.exports = {
	...require('../e2e/jest.config.js'),
	testMatch: ['<rootDir>/test/queue/**/*.queue.test.ts'],
};
