/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { Run } from '../../test/support/engine/engine';
import { SENDS, type Send } from './sends';

const colored = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number) => (text: string) =>
	colored ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = paint(1);
const red = paint(31);
const green = paint(32);

const widthOf = (cells: string[]) => Math.max(...cells.map((cell) => cell.length));
const TITLES = widthOf(SENDS.map(({ title }) => title));
const RECIPIENTS = widthOf(SENDS.map(({ to }) => to));

const row = (what: string, to: string, content: string) =>
	[bold(what.padEnd(TITLES)), to.padEnd(RECIPIENTS), content].join('  ');

export const HEADING = `  ${row('Operation', 'To', 'Content')}`;

/** A line for each message: whether the gateway queued it; if not, a second line says why. */
export function describeSend({ title, to, contents }: Send, run: Run): string {
	return contents
		.map((content, index) => {
			const line = row(index === 0 ? title : '', index === 0 ? to : '', content);
			if (run.output[0]?.[index]) return `${green('✓')} ${line}`;
			return `${red('✗')} ${line}\n    ${reasonOf(run)}`;
		})
		.join('\n');
}

const reasonOf = ({ error }: Run): string =>
	[error?.message ?? 'The node gave no output.', error?.description].filter(Boolean).join(' ');
