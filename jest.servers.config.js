/** PHP and nginx as the other side; see test/servers. */
module.exports = {
	...require('./jest.config.js'),
	testMatch: ['<rootDir>/test/servers/**/*.servers.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	maxWorkers: 1,
};
