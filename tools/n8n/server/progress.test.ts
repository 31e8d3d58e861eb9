import { durationText, Progress } from './progress';

beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

function written(isTTY: boolean, use: (output: { columns: number }) => void): string {
	const lines: string[] = [];
	const output = { isTTY, columns: 30, write: (text: string) => lines.push(text) > 0 };
	use(output);
	return lines.join('');
}

test('progress is a line for each step in a log', () => {
	const text = written(false, (output) => {
		const progress = new Progress('n8n', 'Choosing', output as never);
		progress.now('Downloading');
		progress.end('Installed.');
	});
	expect(text).toBe('[n8n]   0 s  Choosing\n[n8n]   0 s  Downloading\n[n8n]   0 s  Installed.\n');
});

test('progress is one line in a terminal, which changes and never wraps', () => {
	const text = written(true, (output) => {
		const progress = new Progress(
			'n8n',
			'Choosing versions of two thousand packages',
			output as never,
		);
		progress.end('Installed.');
	});
	const shown = text.split('\r\u001b[K');
	expect(shown.slice(1)).toEqual(['[n8n]   0 s  Choosing version', '[n8n]   0 s  Installed.\n']);
	expect(Math.max(...shown.map((line) => line.length))).toBeLessThan(30);
});

test('a progress that counts does so anew for each line', () => {
	const text = written(false, (output) => {
		const progress = new Progress('n8n', 'Choosing', output as never);
		let unpacked = 0;
		progress.now(() => `Unpacked: ${(unpacked += 700)}`);
		jest.advanceTimersByTime(5_000);
		progress.end('Installed.');
	});
	expect(text).toMatch(/Unpacked: 700\n.* Unpacked: 1400\n.* Installed\.\n$/);
});

test('a wait of minutes is shown in minutes', () => {
	expect(durationText(9_000)).toBe('  9 s');
	expect(durationText(59_400)).toBe(' 59 s');
	expect(durationText(303_000)).toBe('5 min 03 s');
});
