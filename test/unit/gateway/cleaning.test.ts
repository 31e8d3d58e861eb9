import {
	BASE_URL_CLEANING,
	cleaned,
	TOKEN_CLEANING,
} from '../../../nodes/MessagingGateway/gateway/cleaning';
it.each(['“Bearer abc”', ' bearer "abc"\n', 'Bearer  abc', 'abc'])(
	'a token is what is in the paste: %j',
	(text) => {
		expect(cleaned(text, TOKEN_CLEANING)).toBe('abc');
	},
);

it.each([undefined, null, '', ' '])('a token is empty if the credential has none: %j', (text) => {
	expect(cleaned(text, TOKEN_CLEANING)).toBe('');
});

it.each([
	['gateway.example', 'https://gateway.example'],
	[' https://gateway.example/api/v2/\u200B', 'https://gateway.example'],
	['http://gateway.example/waba/api', 'http://gateway.example/waba'],
])('a base URL is cleaned: %j', (text, address) => {
	expect(cleaned(text, BASE_URL_CLEANING)).toBe(address);
});
