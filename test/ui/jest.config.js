/** Tests in a real browser, of n8n's editor and of the embedded gateway's outbox. */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: '../..',
	testMatch: ['<rootDir>/{gateway,test}/**/*.ui.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	maxWorkers: 1,
	testTimeout: 300_000,
};
