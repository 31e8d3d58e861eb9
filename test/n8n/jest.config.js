/** Tests in a real n8n, two at a time: each waits for its n8n for most of its time. */
module.exports = {
	...require('../../jest.config.js'),
	testMatch: ['<rootDir>/test/n8n/**/*.test.ts'],
	maxWorkers: 2,
	testTimeout: 600_000,
};
