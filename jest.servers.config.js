/** Real servers as the other side of the node: PHP, and nginx in front of it; see test/servers. */
module.exports = {
	...require('./jest.e2e.config.js'),
	testMatch: ['<rootDir>/test/servers/**/*.servers.test.ts'],
};
