import { parseAnswer, readAnswer } from '../../nodes/MessagingGateway/gateway/answer';
import {
	BASE_URL_CLEANING,
	cleaned,
	TOKEN_CLEANING,
} from '../../nodes/MessagingGateway/gateway/cleaning';
import { checkedBaseUrl, checkedToken } from '../../nodes/MessagingGateway/gateway/credential';
import { parseJson, wordsOfHtml } from '../../nodes/MessagingGateway/gateway/answerBody';
import { maskOf } from '../../nodes/MessagingGateway/gateway/secrets';
import { decodedName, fileNameIn } from '../../nodes/MessagingGateway/files/contentDisposition';
import { formatOf } from '../../nodes/MessagingGateway/files/format';
import { splitExpression } from '../../nodes/MessagingGateway/input/expression';
import { nameAndType } from '../../nodes/MessagingGateway/files/nameAndType';
import { toGroupId } from '../../nodes/MessagingGateway/input/groupId';
import { toIdentifier } from '../../nodes/MessagingGateway/input/text';
import { parseCountryCode } from '../../nodes/MessagingGateway/numbers/countryCode';
import { entriesOf } from '../../nodes/MessagingGateway/numbers/numberList';
import { parsePhoneNumber } from '../../nodes/MessagingGateway/numbers/phoneNumber';
import { readWritten } from '../../nodes/MessagingGateway/numbers/written';
import { quote, trimmed } from '../../nodes/MessagingGateway/shared/text';
import { expectLinear } from '../support/linear';

/** Characters. What takes the square of the time for four times as many is seen within a second. */
const SIZE = 5_000;

/** What takes some programs very long if there is much of it. */
const PIECES = [
	...[
		' ',
		'\u00A0',
		'\n',
		'0',
		'1.',
		'(0)',
		'-',
		'/',
		'\\',
		'"',
		'"\\',
		'\\"',
		'"\\;',
		"'",
		'=?a?q?',
		'; ',
	],
	...['%25', '%5c', '&#0', '&amp;', '\\u0041', '<', '<a ', '<script>', '</script ', '[', '{"a":'],
	...['a=', 'a@', 'http://', '{{ ', '$json', '\u200B', '😀', '\uD83D', '/api/', 'bearer ', '1 2 '],
	...['.', 'a.', ';', '=', '; filename*', '<title>', '</head ', '{{ a }} \\\\ '],
];

const ASKED = {
	url: 'https://a.example/api/v1/message/send',
	baseUrl: 'https://a.example',
	answer: 'envelope',
} as const;

function refusalInJson(message: string): unknown {
	const body = JSON.stringify({ message });
	return readAnswer(parseAnswer({ status: 200, headers: {}, body }), ASKED);
}

const READERS: Array<[name: string, read: (text: string) => unknown]> = [
	['the cleaning of a Base URL', (text) => cleaned(text, BASE_URL_CLEANING)],
	['the cleaning of a token', (text) => cleaned(text, TOKEN_CLEANING)],
	['a Base URL', checkedBaseUrl],
	['a token', checkedToken],
	['a token in an answer', maskOf('12|sec/ret+tok\\en')],
	['the words of a page', wordsOfHtml],
	['a refusal', (body) => readAnswer(parseAnswer({ status: 400, headers: {}, body }), ASKED)],
	['a refusal in JSON', refusalInJson],
	['the JSON of an answer', parseJson],
	['the name that a server gives a file', fileNameIn],
	['a country code', (text) => parseCountryCode(text, '')],
	['the name of a file', decodedName],
	[
		'the safe name of a file',
		(name) => nameAndType('document', { name, mimeType: '', beginning: Buffer.from('%PDF-1.7') }),
	],
	['the first bytes of a file', (text) => formatOf(Buffer.from(text))],
	['the ID of a group', (text) => toGroupId(text, 'group ID')],
	['the expression of a text', (text) => splitExpression(`=${text}`)],
	['a phone number', (text) => parsePhoneNumber(`+${text}`, '62')],
	['what is no phone number', (text) => readWritten(text.slice(0, -1))],
	['a list', entriesOf],
	['an identifier', (text) => toIdentifier(text, 'key')],
	['a quotation', quote],
	['a text without space around it', trimmed],
];

it.each(READERS)(
	'%s takes at most about twice as long for a text of twice the length',
	(_, read) => {
		const attempt = (text: string) => () => {
			try {
				read(text);
			} catch {
				// Most of them refuse such texts.
			}
		};
		for (const piece of PIECES) {
			const long = (size: number) => piece.repeat(size / piece.length);
			expectLinear((size) => attempt(`a${long(size)}b`), SIZE);
			expectLinear((size) => attempt(`+62${long(size)}`), SIZE);
		}
	},
);

it.each<[string, (size: number) => string]>([
	['signs', (size) => '/'.repeat(size)],
	['letters', (size) => 'a'.repeat(size)],
	['one sign in the middle', (size) => `${'a'.repeat(size / 2)}-${'a'.repeat(size / 2)}`],
	['parts that begin alike', (size) => 'ab'.repeat(size / 2)],
])(
	'a token of %s is looked for in time that grows with the token, and with the answer',
	(_, token) => {
		const [some, answer] = [token(2_000), token(100_000)];
		expectLinear((size) => () => maskOf(token(size))(answer), 2_000);
		expectLinear((size) => () => maskOf(some)(token(size)), 50_000);
		expectLinear((size) => () => maskOf(some)(`${token(1_999)}x`.repeat(size / 2_000)), 50_000);
	},
);

it('a long token is looked for in many short texts in time that grows with the texts', () => {
	const texts = (size: number) => Array.from({ length: size }, (_, index) => `text ${index}`);
	expectLinear((size) => () => maskOf('s3cr/t'.repeat(size))(texts(size)), 1_000);
});
