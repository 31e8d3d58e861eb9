import { webAddress } from '../../../nodes/MessagingGateway/shared/webAddress';

describe('a web address', () => {
	it.each([
		'https://a.example/b',
		' https://a.example/b\n',
		'\u00A0https://a.example/\u200Bb\u3000',
	])('has no space and nothing invisible around it: %j', (text) => {
		expect(webAddress(text)?.href).toBe('https://a.example/b');
	});

	it.each(['', 'a.example', 'ftp://a.example', 'file:///etc/hosts', undefined, {}])(
		'is not %j',
		(text) => {
			expect(webAddress(text)).toBeUndefined();
		},
	);
});
