/** Unit and engine tests: everything that needs no n8n server. Special suites have a config of their own. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/{gateway,test}/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '\\.(e2e|ui|soak|queue|servers)\\.test\\.ts$'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
	testTimeout: 60_000,
};
