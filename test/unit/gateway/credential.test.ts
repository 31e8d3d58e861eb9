import {
	checkedBaseUrl,
	checkedRequestsPerMinute,
	checkedToken,
	enteredCountryCode,
	type GatewayCredential,
} from '../../../nodes/MessagingGateway/gateway/credential';
import { inputErrorOf } from '../../support/rooms';

const credential = (fields: object) => fields as Partial<GatewayCredential>;

it('the credential is refused without a Base URL, and without a token', () => {
	expect(inputErrorOf(() => checkedBaseUrl(undefined)).what).toContain('is not a web address');
	expect(inputErrorOf(() => checkedToken(undefined)).what).toContain('is missing');
});

it('a token that is as long as it may be is refused for what is wrong with it', () => {
	expect(inputErrorOf(() => checkedToken('é'.repeat(8_192))).what).toContain('not allowed');
});

it.each([null, undefined, true, {}, [], '', ' '])(
	'the credential is refused if its requests per minute are %j, which is no number',
	(requestsPerMinute) => {
		const read = () => checkedRequestsPerMinute(credential({ requestsPerMinute }));
		expect(inputErrorOf(read).what).toContain("'Requests per Minute'");
	},
);

it('the Default Country Code may be a number, but not an expression that returns nothing', () => {
	expect(enteredCountryCode(credential({ defaultCountryCode: 62 }))).toBe('62');
	const read = () => enteredCountryCode(credential({ defaultCountryCode: null }));
	expect(inputErrorOf(read)).toMatchObject({
		what: "The expression of 'Default Country Code' in the credential returns no code",
		advice: 'Correct it, or empty the field.',
	});
});

it.each([
	['https://gateway.example.com/#/login', 'a “#”'],
	['https://gateway.example.com/app#/login?next=/', 'a “#”'],
	['https://gateway.example.com/?token=1#x', 'a “?”'],
	['https://ana:pw@gateway.example.com', 'a user name or a password'],
])(
	'the credential is refused if its Base URL is %s, with the part that is too much',
	(url, part) => {
		expect(inputErrorOf(() => checkedBaseUrl(url))).toMatchObject({
			what: `The Base URL in the credential contains ${part}`,
			advice: 'Enter only the address of the gateway, such as https://gateway.example.com.',
		});
	},
);
