/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { N8nPaths } from '../n8n/index';

export type Row = Record<string, string | number | null>;

export interface Statement {
	sql: string;
	values?: Array<string | number | null>;
}

const SCRIPT = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
const all = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const rows = all.map(({ sql, values = [] }) => database.prepare(sql).all(...values));
database.close();
console.log(JSON.stringify(rows));
`;

/** Reads and changes the database of an n8n that does not run, by the SQLite of n8n's own Node.js. */
export function inDatabase(n8n: N8nPaths, userFolder: string, statements: Statement[]): Row[][] {
	const path = join(userFolder, '.n8n', 'database.sqlite');
	const input = JSON.stringify(statements);
	const args = ['--no-warnings', '-e', SCRIPT, path];
	const output = execFileSync(n8n.node, args, { input, maxBuffer: 2 ** 28 });
	return JSON.parse(output.toString()) as Row[][];
}

/** Returns the statement that adds a row to a table. */
export function insert(table: string, row: Row): Statement {
	const names = Object.keys(row).map((name) => `"${name}"`);
	const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`;
	return { sql, values: Object.values(row) };
}
