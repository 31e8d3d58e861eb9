/** Tests with real servers on the other side: PHP, and nginx in front of it. */
module.exports = {
	...require('../e2e/jest.config.js'),
	testMatch: ['<rootDir>/test/servers/**/*.servers.test.ts'],
};
