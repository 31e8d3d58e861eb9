/** The specifications of the rooms only. Mutation testing runs them thousands of times. */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/rooms/**/*.test.ts'],
};
