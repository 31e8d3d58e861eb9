/** Tests that start a real n8n. One at a time: each n8n takes its own ports and memory. */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/**/*.e2e.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	maxWorkers: 1,
	testTimeout: 600_000,
};
