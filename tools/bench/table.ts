/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of the report: the work, what it is compared with, the result and the target. */
export interface Row {
	/** The part of the benchmark that measures it. */
	part: string;
	work: string;
	where: 'engine' | 'n8n';
	measured: string;
	against: string;
	target: string;
	/** The figure that the target is about; `limit` says which values reach it. */
	ratio: number;
	limit: { atMost?: number; atLeast?: number };
}

export function isReached({
	ratio,
	limit: { atMost = Infinity, atLeast = -Infinity },
}: Row): boolean {
	return ratio <= atMost && ratio >= atLeast;
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted[middle] ?? NaN;
}

/** Writes the rows as CSV, which code hosts show as a table. */
export function csv(rows: Row[]): string {
	const header = ['work', 'in', 'this node', 'against', 'to reach', 'figure', 'reached'];
	const lines = rows.map((row) => {
		const verdict = row.target === '' ? '' : isReached(row) ? 'yes' : 'no';
		const { work, where, measured, against, target, ratio } = row;
		return [work, where, measured, against, target, ratio.toFixed(2), verdict];
	});
	const cell = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
	return [header, ...lines].map((line) => `${line.map(cell).join(',')}\n`).join('');
}

/** Draws a bar for each row: the figure as a share of its limit, which is the dashed line. */
export function plot(rows: Row[]): string {
	const height = 34;
	const bars = rows.map((row, index) => {
		const { atMost, atLeast } = row.limit;
		const share = atMost === undefined ? (atLeast ?? 1) / row.ratio : row.ratio / atMost;
		const width = Math.max(2, Math.min(1.5, share) * 300);
		const y = 40 + index * height;
		const label = `${row.work} (${row.where})`.replace(/&/g, '&amp;').replace(/</g, '&lt;');
		const color = isReached(row) ? '#2f6fed' : '#c7412f';
		return `<text x="10" y="${y + 15}">${label}</text><rect x="400" y="${y}" width="${width.toFixed(0)}" height="20" rx="3" fill="${color}"/>`;
	});
	const bottom = 50 + rows.length * height;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 ${bottom}" font-family="sans-serif" font-size="13" role="img" aria-label="Each figure as a share of its limit">
<rect width="880" height="${bottom}" fill="#fff"/>
<text x="10" y="22" font-weight="bold">Each figure as a share of its limit (shorter is better; the line is the limit)</text>
${bars.join('\n')}
<line x1="700" y1="30" x2="700" y2="${bottom - 10}" stroke="#555" stroke-dasharray="4 4"/>
</svg>
`;
}

/** Writes the rows of the parts that were run, beside the rows from the last runs of the other parts. */
export function write(folder: string, parts: string[], measured: Row[], machine: string): void {
	const last = readFileSync(join(folder, 'benchmarks.json'), 'utf8');
	const { rows: known } = JSON.parse(last) as { rows: Row[] };
	const isMeasured = new Set(measured.map(({ part }) => part));
	const all = [...known.filter(({ part }) => !isMeasured.has(part)), ...measured];
	const rows = parts.flatMap((name) => all.filter(({ part }) => part === name));
	const report = { machine, rows: rows.map((row) => ({ ...row, reached: isReached(row) })) };
	writeFileSync(join(folder, 'benchmarks.json'), `${JSON.stringify(report, null, '\t')}\n`);
	writeFileSync(join(folder, 'benchmarks.svg'), plot(rows));
	writeFileSync(join(folder, 'benchmarks.csv'), csv(rows));
}
