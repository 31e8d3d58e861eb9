/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** What `npm run n8n` does with workflows that are in n8n from an earlier time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewWorkflow, SavedWorkflow } from './server/types';
import { Shelf } from './shelf';

/** Keeps workflows as n8n does: each save gives them another version. */
class Workflows {
	readonly all: SavedWorkflow[] = [];
	private saves = 0;

	async listWorkflows() {
		return this.all;
	}

	async getWorkflow(id: string) {
		const found = this.all.find((each) => each.id === id);
		if (!found) throw new Error(`There is no workflow ${id}`);
		return { ...found };
	}

	async createWorkflow(workflow: NewWorkflow) {
		const id = String(this.all.length + 1);
		this.all.push({ ...workflow, id, versionId: `v${++this.saves}`, active: false });
		return await this.getWorkflow(id);
	}

	async updateWorkflow(id: string, changes: Partial<NewWorkflow>) {
		Object.assign(this.all[Number(id) - 1] ?? {}, changes, { versionId: `v${++this.saves}` });
		return await this.getWorkflow(id);
	}
}

let folder: string;
let n8n: Workflows;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-shelf-'));
	n8n = new Workflows();
});

afterEach(() => rmSync(folder, { recursive: true }));

const start = () => new Shelf(n8n, join(folder, 'shipped.json'));
const example = (description: string): NewWorkflow => ({
	name: 'Example',
	nodes: [],
	connections: {},
	settings: { description },
});

const trigger = (id: string): NewWorkflow['nodes'][number] => ({
	id,
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});

it('a workflow of this project is put into n8n once', async () => {
	await start().put(example('one'));
	const second = start();
	expect(await second.put(example('one'))).toMatchObject({ id: '1', versionId: 'v1' });
	expect(n8n.all).toHaveLength(1);
	expect(second.outdated).toEqual([]);
});

it('a workflow of this project is the same if only IDs differ', async () => {
	const withNode = (id: string): NewWorkflow => ({ ...example('one'), nodes: [trigger(id)] });
	await start().put(withNode('1'));
	expect(await start().put(withNode('2'))).toMatchObject({ versionId: 'v1' });
});

it('a workflow of this project follows the project if nobody has edited it, each time', async () => {
	await start().put(example('one'));
	await start().put(example('two'));
	expect(await start().put(example('three'))).toMatchObject(example('three'));
	expect(n8n.all).toHaveLength(1);
});

it('a workflow of this project stays as it is if somebody has edited it, and is named', async () => {
	await start().put(example('one'));
	await n8n.updateWorkflow('1', example('mine'));
	const next = start();
	expect(await next.put(example('two'))).toMatchObject(example('mine'));
	expect(next.outdated).toEqual(['Example']);
});

it('a workflow of this project stays as it is if it may have been edited before anything was remembered', async () => {
	await n8n.createWorkflow(example('older'));
	const shelf = start();
	expect(await shelf.put(example('one'))).toMatchObject(example('older'));
	expect(shelf.outdated).toEqual(['Example']);
});
