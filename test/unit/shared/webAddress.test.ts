import { webAddress } from '../../../nodes/MessagingGateway/shared/webAddress';

it.each(['https://a.example/b', ' https://a.example/b\n', '\u00A0https://a.example/\u200Bb\u3000'])(
	'a web address has no space and nothing invisible around it: %j',
	(text) => {
		expect(webAddress(text)?.href).toBe('https://a.example/b');
	},
);

it.each(['', 'a.example', 'ftp://a.example', 'file:///etc/hosts', undefined, {}])(
	'a web address is not %j',
	(text) => {
		expect(webAddress(text)).toBeUndefined();
	},
);
