import type { IDataObject } from 'n8n-workflow';
import type { Run } from '../support/engine/engine';
import type { Send } from './sends';

const coloured = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number) => (text: string) =>
	coloured ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = paint(1);
const dim = paint(2);
const red = paint(31);
const green = paint(32);

const row = (what: string, to: string, content: string) =>
	`${bold(what.padEnd(26))}${to.padEnd(21)}${content}`;

export const HEADING = row(
	'What the node did',
	'To',
	'What was sent, and what the gateway answered',
);

/** A line for each message, and under it what the gateway answered. */
export function describeSend({ title, to, contents }: Send, run: Run): string {
	return contents
		.map((content, index) => {
			const first = index === 0;
			const answer = run.output[0]?.[index]?.json;
			return [
				row(first ? title : '', first ? to : '', content),
				row('', '', answer ? accepted(answer) : refused(run)),
			].join('\n');
		})
		.join('\n');
}

function accepted({ code, message, data }: IDataObject): string {
	const { queue_id: queue, status } = (data ?? {}) as IDataObject;
	const place = queue ? dim(` (queue ${String(queue)}, ${String(status)})`) : '';
	const words = [code, message].filter(Boolean).map(String).join(' ');
	return `${green('✓')} ${words || 'accepted'}${place}`;
}

const refused = ({ error }: Run): string =>
	`${red('✗')} ${[error?.message ?? 'no answer', error?.description].filter(Boolean).join(' ')}`;
