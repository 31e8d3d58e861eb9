/** Thousands of sends to a gateway that misbehaves. One file at a time: the tests count open files. */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/soak/**/*.soak.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	maxWorkers: 1,
	testTimeout: 300_000,
};
