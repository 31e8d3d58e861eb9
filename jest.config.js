/** Unit and engine tests: everything that needs no n8n server. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '\\.e2e\\.test\\.ts$'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', isolatedModules: true }],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
	testTimeout: 60_000,
};
