import { onlyPlaceOf, pathInFront } from '../../../nodes/MessagingGateway/ask/reach';

it.each([
	'http://localhost:5678/webhook-waiting/1',
	'http://LOCALHOST/',
	'http://n8n.localhost/',
	'http://127.0.0.1/',
	'http://127.1/',
	'http://0.0.0.0/',
	'http://[::1]:5678/',
	'http://localhost./',
	'http://[::]/',
])('a link opens on this computer only: %s', (address) => {
	expect(onlyPlaceOf(address)).toBe('computer');
});

it.each([
	'http://n8n:5678/',
	'http://n8n.local/',
	'http://n8n.lan./',
	'http://host.docker.internal/',
	'http://10.1.2.3/',
	'http://172.16.0.1/',
	'http://172.31.255.1/',
	'http://192.168.1.20:5678/',
	'http://169.254.1.1/',
	'http://[fd12::1]/',
	'http://[fe80::1]/',
])('a link opens in this network only: %s', (address) => {
	expect(onlyPlaceOf(address)).toBe('network');
});

it.each([
	'https://n8n.example.com/webhook-waiting/1',
	'https://203.0.113.5/',
	'https://172.15.0.1/',
	'https://172.32.0.1/',
	'https://192.169.1.1/',
	'https://11.0.0.1/',
	'https://[2001:db8::1]/',
	'https://local.example.com/',
	'https://10.example.com/',
	'',
])('a link may open elsewhere: %s', (address) => {
	expect(onlyPlaceOf(address)).toBeUndefined();
});

it.each([
	['https://example.com/n8n/webhook-waiting/1/node?a=/b/', '/n8n'],
	['https://n8n.example.com/webhook-waiting/1/node', ''],
	['', ''],
])('a link has a path in front of n8n’s own, or none: %s', (address, path) => {
	expect(pathInFront(address)).toBe(path);
});
