import { decodedName, fileNameIn } from '../../../nodes/MessagingGateway/files/contentDisposition';

/** As Node.js hands over a header: each byte as one Latin-1 character. */
const raw = (header: string): string => Buffer.from(header).toString('latin1');
it.each([
	['', ''],
	['attachment', ''],
	['"attachment"', ''],
	['attachment;', ''],
	['attachment \t ', ''],
	['attachment; filename=', ''],
	['attachment; filename@="rates.pdf"', ''],
	['attachment; name="foo-%41.html"', ''],
	['attachment; xfilename=foo.html', ''],
	['attachment; foo=foo filename=bar', ''],
	['attachment filename=bar', ''],
	['attachment; "x"filename=bar', ''],
	['attachment; example="filename=example.txt"', ''],
	['attachment; creation-date="Wed, 12 Feb 1997 16:29:51 -0500"', ''],
])('the name that a server gives a file is empty in %s', (header, name) => {
	expect(fileNameIn(header)).toBe(name);
});

it.each([
	['inline; filename="foo.html"', 'foo.html'],
	['inline; filename="Not an attachment!"', 'Not an attachment!'],
	['attachment; FILENAME="plans.pdf";', 'plans.pdf'],
	['attachment;filename="plans.pdf" \t;    \t\t foo=bar', 'plans.pdf'],
	['attachment; filename="the \\"plans\\".pdf"', 'the "plans".pdf'],
	['attachment; filename="Here\'s a semicolon;.html"', "Here's a semicolon;.html"],
	['attachment; foo="bar"; filename="foo.html"', 'foo.html'],
	['attachment; foo="\\"\\\\";filename="foo.html"', 'foo.html'],
	['attachment; filename=foo,bar.html', 'foo,bar.html'],
	['attachment; filename=foo.html ;', 'foo.html'],
	['attachment; ;filename=foo', 'foo'],
	['attachment; filename=foo bar.html', 'foo bar.html'],
	["attachment; filename='foo.bar'", "'foo.bar'"],
	['attachment; filename =  "foo.html"', 'foo.html'],
	['attachment; filename="foo.html"; filename="bar.html"', 'foo.html'],
	['attachment; filename=foo[1](2).html', 'foo[1](2).html'],
	['x=y; filename=foo.html', 'foo.html'],
	['filename=foo.html', 'foo.html'],
	['; filename=foo.html', 'foo.html'],
	['inline; attachment; filename=foo.html', 'foo.html'],
	['attachment; filename="foo.html".txt', 'foo.html'],
	['attachment; filename="bar', 'bar'],
	['attachment; filename="foo;bar', 'foo;bar'],
	['attachment; filename="foo;bar\\', 'foo;bar'],
	['attachment; filename=foo"bar".html', 'foo"bar".html'],
	['attachment; filename="/foo.html"', '/foo.html'],
	['attachment; filename="\\\\foo.html"', '\\foo.html'],
	['attachment; filename="C:\\docs\\new.pdf"', 'C:\\docs\\new.pdf'],
	['attachment; filename="50%.html"', '50%.html'],
	['attachment; dummy="filename=evil.pdf"; filename="good.pdf"', 'good.pdf'],
	['attachment; dummy="; filename=evil.pdf"; filename="good.pdf"', 'good.pdf'],
])('the name that a server gives a file is written plainly in %s', (header, name) => {
	expect(fileNameIn(header)).toBe(name);
});

it('the name that a server gives a file is looked for in the first 8,192 characters', () => {
	const headerOf = (length: number) => `${'filename=a.pdf'.padStart(length, ';')};`;
	expect(fileNameIn(headerOf(8_192))).toBe('a.pdf');
	expect(fileNameIn(headerOf(9_000))).toBe('');
});

it.each([
	["attachment; filename*=UTF-8''%E2%82%AC%20rates.pdf", '€ rates.pdf'],
	["attachment; filename*= UTF-8''foo-%c3%a4.html", 'foo-ä.html'],
	["attachment; filename* =UTF-8''foo-%c3%a4.html", 'foo-ä.html'],
	['attachment; filename*="UTF-8\'\'foo-%c3%a4.html"', 'foo-ä.html'],
	["attachment; filename*=UTF-8''A-%2541.html", 'A-%41.html'],
	["attachment; filename*=ISO-8859-1'en'%A3%20rates.pdf", '£ rates.pdf'],
	["attachment; filename*=UTF-8''foo%", 'foo%'],
	["attachment; filename*=UTF-8''f%oo.html", 'f%oo.html'],
	["attachment; filename*=UTF-8''%E4%20rates.pdf; filename=rates.pdf", 'rates.pdf'],
	["attachment; filename*=nonsense''%A4.pdf; filename=rates.pdf", 'rates.pdf'],
	["attachment; filename*=x-UTF-8''%41.pdf; filename=rates.pdf", 'rates.pdf'],
	["attachment; filename*=''foo.html; filename=bar.html", 'bar.html'],
	['attachment; filename="EURO.pdf"; filename*=UTF-8\'\'%E2%82%AC.pdf', '€.pdf'],
	['attachment; filename*=UTF-8\'\'%E2%82%AC.pdf; filename="EURO.pdf"', '€.pdf'],
	["attachment; filename*=UTF-8''first.html; filename*=UTF-8''second.html", 'first.html'],
])('the name that a server gives a file is extended in %s', (header, name) => {
	expect(fileNameIn(header)).toBe(name);
});

it.each([
	[raw('attachment; filename="für.pdf"'), 'für.pdf'],
	[raw('attachment; filename=Rechnung für 漢.pdf'), 'Rechnung für 漢.pdf'],
	['attachment; filename="f\xfcr.pdf"', 'für.pdf'],
	[raw('attachment; filename="ü"'), 'ü'],
	['attachment; filename="£ rates.pdf"', '£ rates.pdf'],
	['attachment; filename="foo-%c3%a4-%e2%82%ac.html"', 'foo-ä-€.html'],
	['attachment; filename="Invoice%207.pdf"', 'Invoice 7.pdf'],
	['attachment; filename="%E4.pdf"', '%E4.pdf'],
	['attachment; filename="50%4-%41.pdf"', '50%4-%41.pdf'],
])(
	'the name that a server gives a file keeps its letters, however they are encoded: %s',
	(header, name) => {
		expect(fileNameIn(header)).toBe(name);
	},
);

// The examples of RFC 2047, and what mail programs write.
it.each([
	['=?ISO-8859-1?Q?Andr=E9?= Pirard.pdf', 'André Pirard.pdf'],
	[
		'=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?= =?ISO-8859-2?B?dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==?=',
		'If you can read this you understand the example.',
	],
	['=?UTF-8?B?UmVjaG51bmcgTcOkcnoucGRm?=', 'Rechnung März.pdf'],
	['=?utf-8?q?Rechnung_M=C3=A4rz.pdf?=', 'Rechnung März.pdf'],
	['=?utf-8*en?q?a.pdf?=', 'a.pdf'],
	['=?gb2312?B?t6LGsS5wZGY=?=', '发票.pdf'],
	['=?x-unknown?B?YQ==?=.pdf', '=?x-unknown?B?YQ==?=.pdf'],
	['=?UTF-8?Q?=E4?=.pdf', '=?UTF-8?Q?=E4?=.pdf'],
	['uploads%2F2026%2Finv%C3%A4.pdf', 'uploads/2026/invä.pdf'],
	['100%.pdf', '100%.pdf'],
])('the name of a file has no encoding left: %s', (name, plain) => {
	expect(decodedName(name)).toBe(plain);
	expect(fileNameIn(`attachment; filename="${name}"`)).toBe(plain);
});
