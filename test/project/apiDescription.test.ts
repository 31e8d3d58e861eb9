/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
/** docs/gateway.openapi.yaml is valid OpenAPI, and describes the requests that the practice gateway takes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endpoints } from '../../practice-gateway/endpoints';
import { API_DESCRIPTION, ApiDescription } from '../support/apiDescription';

const root = resolve(__dirname, '../..');

/** The manual shows neither failures nor addresses, so two rules of the linter cannot be met. */
function lint(...files: string[]): string[][] {
	const script = `
		import { createConfig, lint } from '@redocly/openapi-core';
		const rules = { 'operation-4xx-response': 'off', 'no-server-example.com': 'off' };
		const config = await createConfig({ extends: ['recommended-strict'], rules });
		const results = [];
		for (const ref of ${JSON.stringify(files)}) {
			const problems = await lint({ ref, config });
			results.push(problems.map(({ ruleId, message }) => ruleId + ': ' + message));
		}
		console.log(JSON.stringify(results));`;
	const args = ['--input-type=module', '--eval', script];
	return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as never;
}

it('the description is valid OpenAPI 3.1, by the strict rules of a linter', () => {
	const folder = mkdtempSync(join(tmpdir(), 'description-'));
	const text = readFileSync(API_DESCRIPTION, 'utf8');
	const broken = join(folder, 'broken.yaml');
	writeFileSync(broken, text.replace("schemas/DeviceId' }", "schemas/Device' }"));
	const [problems, problemsOfBroken] = lint(API_DESCRIPTION, broken);
	rmSync(folder, { recursive: true });

	expect(text).toMatch(/^openapi: 3\.1\./);
	expect(problems).toEqual([]);
	expect(problemsOfBroken).toEqual([expect.stringContaining('no-unresolved-refs')]);
});

it('it describes each endpoint of the practice gateway, and no other', () => {
	const text = readFileSync(API_DESCRIPTION, 'utf8');
	const described = [...text.matchAll(/^ {2}(\/api\/\S+):$/gm)].map(([, path]) => path);
	const served = endpoints.map(({ path }) => path.replace(':groupID', '{groupID}'));
	expect(described.sort()).toEqual(served.sort());
});

it.each([
	[
		'v1/message/send',
		'form',
		{ deviceid: 'd', number: '628' },
		["the body must have required property 'message'"],
	],
	['v1/message/send', 'json', {}, ['application/json is not described']],
	['v1/message/sendbulk', 'json', { number: [628] }, ['/number/0 must be string']],
	['v1/message/sendbulk', 'form', { 'number[]': '628', message: 'Hi' }, []],
	[
		'v1/message/send',
		'form',
		{ deviceid: 'd', number: '628', message: 'Hi', to: '1' },
		['the field to is not described'],
	],
	[
		'v2/message/send-image',
		'multipart',
		{ phone: '628' },
		["the body must have required property 'image'"],
	],
] as const)('a request to %s as %s with %j is checked', (path, format, fields, problems) => {
	const received = { path: `/api/${path}`, format, fields };
	const found = new ApiDescription().problemsOf(received);
	expect(found).toEqual(problems.map((problem) => `/api/${path}: ${problem}`));
});
