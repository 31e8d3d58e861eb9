/** Many thousands of sends to a gateway that misbehaves; one at a time, as open files are counted. */
module.exports = {
	...require('./jest.config.js'),
	testMatch: ['<rootDir>/test/**/*.soak.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	maxWorkers: 1,
	testTimeout: 300_000,
};
