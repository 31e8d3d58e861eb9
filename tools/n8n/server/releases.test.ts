import { DEFAULT_N8N_VERSION, releaseOf } from './releases';

it('an n8n that npm does not have is refused at once, with what to do', () => {
	expect(() => releaseOf('3.0.0')).toThrow(/^npm has no n8n 3\.0\.0 that runs: .*Docker image/);
	expect(releaseOf(DEFAULT_N8N_VERSION)).toHaveProperty('node');
});
