/** The specifications of the rooms alone: what mutation testing runs, thousands of times. */
module.exports = {
	...require('./jest.config.js'),
	testMatch: ['<rootDir>/test/rooms/**/*.test.ts'],
};
