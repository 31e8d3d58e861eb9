/** The specification of each file of the node. Mutation testing runs them thousands of times. */
module.exports = {
	...require('../../jest.config.js'),
	testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
};
