/** Tests in a real browser: n8n's editor, the page of a question, and the practice gateway's outbox. */
module.exports = {
	...require('../../jest.config.js'),
	testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
	maxWorkers: 1,
	testTimeout: 300_000,
};
