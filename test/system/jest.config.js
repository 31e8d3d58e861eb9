/** Whole systems: thousands of sends, n8n's queue mode, PHP and nginx. One file at a time: some count open files. */
module.exports = {
	...require('../../jest.config.js'),
	testMatch: ['<rootDir>/test/system/**/*.test.ts'],
	maxWorkers: 1,
	testTimeout: 600_000,
};
