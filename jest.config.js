/** Unit and engine tests: everything that needs no n8n server. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '\\.(e2e|ui|soak|queue|servers)\\.test\\.ts$'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
	testTimeout: 60_000,
};
