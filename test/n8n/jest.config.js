/** Tests in a real n8n. One at a time: each n8n takes its own ports and memory. */
module.exports = {
	...require('../../jest.config.js'),
	testMatch: ['<rootDir>/test/n8n/**/*.test.ts'],
	maxWorkers: 1,
	testTimeout: 600_000,
};
