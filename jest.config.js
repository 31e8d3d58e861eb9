const { availableParallelism } = require('node:os');

/** Everything that needs no n8n server: `npm test`. The other suites have a config in their folder. */
module.exports = {
	rootDir: __dirname,
	testEnvironment: '<rootDir>/test/environment.js',
	testMatch: [
		'<rootDir>/practice-gateway/**/*.test.ts',
		'<rootDir>/test/{unit,node,project}/**/*.test.ts',
		'<rootDir>/tools/**/*.test.ts',
	],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }],
	},
	cacheDirectory: '<rootDir>/node_modules/.cache/jest',
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
	testSequencer: '<rootDir>/test/longFirst.js',
	// One more than there are cores, because a test waits for much of its time.
	maxWorkers: availableParallelism() + 1,
	// A busy machine needs more time. That says nothing about the node.
	testTimeout: 180_000,
};
