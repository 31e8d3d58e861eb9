/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** n8n's command line: imports data and runs one workflow to its end, without a server. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IRun } from 'n8n-workflow';
import { n8nEnvironment, type N8nSettings } from './environment';
import { ensureN8n, type N8nPaths } from './host';
import { freePort } from './ports';
import { run } from './processes';
import type { CredentialToImport, WorkflowToImport } from './types';

export interface HeadlessN8n {
	importCredentials(credentials: CredentialToImport[]): Promise<void>;
	importWorkflow(workflow: WorkflowToImport): Promise<void>;
	/** Runs a workflow. Resolves to its data; throws an error with n8n's output if the workflow fails. */
	execute(workflowId: string): Promise<IRun>;
}

export async function headlessN8n(
	settings: N8nSettings & { version?: string },
): Promise<HeadlessN8n> {
	const n8n = await ensureN8n(settings.version);
	return {
		importCredentials: async (credentials) => {
			await importFrom(n8n, settings, { what: 'credentials', content: credentials });
		},
		importWorkflow: async (workflow) => {
			await importFrom(n8n, settings, {
				what: 'workflow',
				content: [{ active: false, versionId: randomUUID(), ...workflow }],
			});
		},
		execute: async (workflowId) => {
			const output = await command(n8n, settings, ['execute', `--id=${workflowId}`, '--rawOutput']);
			return runDataIn(output);
		},
	};
}

async function importFrom(
	n8n: N8nPaths,
	settings: N8nSettings,
	{ what, content }: { what: 'credentials' | 'workflow'; content: unknown[] },
): Promise<void> {
	const file = join(settings.userFolder, `${what}-${randomUUID()}.json`);
	writeFileSync(file, JSON.stringify(content));
	try {
		const output = await command(n8n, settings, [`import:${what}`, `--input=${file}`]);
		if (!output.includes('Successfully imported')) throw failure(`import ${what}`, output);
	} finally {
		rmSync(file, { force: true });
	}
}

async function command(n8n: N8nPaths, settings: N8nSettings, args: string[]): Promise<string> {
	const env = n8nEnvironment(n8n, settings, await freePort());
	const { code, stdout, stderr } = await run(n8n.node, [n8n.cli, ...args], { env });
	if (code !== 0) throw failure(args.join(' '), stdout + stderr);
	return stdout;
}

/** n8n may print notices before and after the data, despite --rawOutput. */
function runDataIn(output: string): IRun {
	const data = /^\{$.*?^\}$/ms.exec(output);
	if (!data) throw failure('execute the workflow', output);
	return JSON.parse(data[0]) as IRun;
}

function failure(what: string, output: string): Error {
	return new Error(`n8n could not ${what}:\n${output.split('\n').slice(-40).join('\n')}`);
}
