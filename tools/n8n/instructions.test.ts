import { instructions } from './instructions';

const running = {
	editorUrl: 'http://localhost:5678',
	workflowId: 'abc',
	gateway: { baseUrl: 'http://127.0.0.1:8025', token: 'practice-1', deviceId: 'device-1' },
	files: '/home/ana/.cache/files',
	outdated: [],
};
const text = instructions(running);

test.each([
	['the address', /http:\/\/localhost:5678\/workflow\/abc/],
	['the email', /Email\s+owner@example\.com/],
	['the password', /Password\s+Gateway2026/],
	['the outbox', /outbox.*http:\/\/127\.0\.0\.1:8025\//],
	['the Base URL', /Base URL\s+http:\/\/127\.0\.0\.1:8025\n/],
	['the token', /Access Token\s+practice-1/],
	['the device', /Device ID\s+device-1/],
	['the country code', /Default Country Code\s+your own country, such as 34\n/],
	['a number that is uncertain with every country code', /send to \+62899/],
	['where the files are', /\/home\/ana\/\.cache\/files/],
	['how to stop', /Ctrl-C/],
])('the instructions name %s', (_what, wanted) => {
	expect(text).toMatch(wanted);
});

test('the instructions name the workflows that are not those of the project', () => {
	expect(text).not.toMatch(/rename yours/);
	const outdated = ['9. Ask', '11. Check'];
	expect(instructions({ ...running, outdated })).toMatch(
		/rename yours.*\n {2}9\. Ask\n {2}11\. Check\n/,
	);
});

test('the instructions fit on a screen', () => {
	const lines = text.split('\n');
	expect(lines.length).toBeLessThanOrEqual(30);
	expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
});
