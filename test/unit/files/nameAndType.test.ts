import fc from 'fast-check';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { type FileKind, nameAndType } from '../../../nodes/MessagingGateway/files/nameAndType';
import { BEGINNINGS } from '../../support/beginnings';
import { inputErrorOf } from '../../support/rooms';

type Content = keyof typeof BEGINNINGS | Buffer;

const IMAGES = ['jpg', 'jpeg', 'png'];
const TYPES: Record<string, string> = {
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	png: 'image/png',
	pdf: 'application/pdf',
	csv: 'text/csv',
	doc: 'application/msword',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	xls: 'application/vnd.ms-excel',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	ppt: 'application/vnd.ms-powerpoint',
	pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};
const DOCUMENTS = Object.keys(TYPES);

interface Given {
	kind?: FileKind;
	type?: string;
	chosen?: string;
}

const read = (
	name: string,
	content: Content,
	{ kind = 'document', type = '', chosen }: Given = {},
) =>
	nameAndType(kind, {
		name,
		chosen,
		mimeType: type,
		beginning: Buffer.isBuffer(content) ? content : BEGINNINGS[content],
	});
const nameOf = (...given: Parameters<typeof read>) => read(...given).name;
const refusal = (...given: Parameters<typeof read>) => inputErrorOf(() => read(...given));

/** The contents that a file with each ending may have. */
const CONTENTS: Array<[string, Array<keyof typeof BEGINNINGS>]> = [
	['jpg', ['jpeg']],
	['jpeg', ['jpeg']],
	['png', ['png']],
	['pdf', ['pdf']],
	['docx', ['zip', 'ole']],
	['xlsx', ['zip', 'ole']],
	['pptx', ['zip', 'ole']],
	['doc', ['ole', 'html', 'xml', 'rtf', 'csv', 'json']],
	['xls', ['ole', 'html', 'xml', 'rtf', 'csv', 'json']],
	['ppt', ['ole', 'html', 'xml', 'rtf', 'csv', 'json']],
	['csv', ['csv', 'json', 'rtf']],
];

describe.each(CONTENTS)('a name that ends in .%s', (ending, contents) => {
	it.each(Object.keys(BEGINNINGS) as Array<keyof typeof BEGINNINGS>)(
		'the first bytes of a file (%s) agree with its name, or it is not sent',
		(content) => {
			for (const name of [`a.${ending}`, `A.${ending.toUpperCase()}`]) {
				if (contents.includes(content)) {
					expect(read(name, content)).toEqual({ name, contentType: TYPES[ending] });
					expect(nameOf('x.tmp', content, { chosen: name })).toBe(name);
				} else {
					const { what } = refusal(name, content, { type: TYPES[ending] });
					expect(what).toContain(`The content of “${name}” does not match its name`);
					expect(refusal('x.tmp', content, { chosen: name }).what).toContain('does not match');
				}
			}
		},
	);
});

it.each(Object.entries(TYPES))(
	'an image does not end in .%s, unless it is a picture',
	(ending, type) => {
		const [content = 'csv'] = CONTENTS.find(([each]) => each === ending)?.[1] ?? [];
		for (const name of [`a.${ending}`, 'a']) {
			if (IMAGES.includes(ending))
				expect(read(name, content, { kind: 'image' }).contentType).toBe(type);
			else expect(refusal(name, content, { kind: 'image', type }).what).toContain('as an image');
		}
	},
);

it.each<[string, Content, string, string]>([
	['photo.jpg', 'heic', 'a HEIC photo', 'Use a file that ends in'],
	['photo.jpg', 'webp', 'a WebP picture', 'Use a file that ends in'],
	[
		'photo.png',
		'jpeg',
		'a JPEG picture',
		"a name that ends in .jpg or .jpeg in the option 'File Name'",
	],
	['out.png', Buffer.from('broken'), 'plain text', 'returned an error'],
	['invoice.pdf', 'xml', 'a web page or an error message', 'returned an error'],
	['invoice.pdf', 'html', 'a web page or an error message', 'returned an error'],
	['invoice.pdf', 'json', 'JSON, perhaps an error message', 'returned an error'],
	['invoice.pdf', Buffer.from('quota exceeded'), 'plain text', 'returned an error'],
	['letter.doc', 'zip', 'a ZIP archive or an Office file', '.docx, .xlsx or .pptx'],
	['list.csv', 'html', 'a web page or an error message', 'returned an error'],
	['list.csv', 'mp4', 'a video', 'Use a file that ends in'],
])('the error about %s says what it seems to be, and what to do', (name, content, is, step) => {
	const { what, advice } = refusal(name, content);
	expect(what).toBe(`The content of “${name}” does not match its name: it seems to be ${is}`);
	expect(advice).toContain(step);
});

it('the error about a file of an unknown format does not guess', () => {
	expect(refusal('a.png', Buffer.alloc(40)).what).toBe(
		'The content of “a.png” does not match its name',
	);
	expect(refusal('a.pdf', Buffer.from('%PD')).what).toContain('does not match');
});

it.each<[string, Buffer]>([
	['after line breaks', Buffer.from('\r\n\r\n%PDF-1.4')],
	['after the mark of UTF-8', Buffer.from('\uFEFF%PDF-1.4')],
	['after warnings of a program', Buffer.from('<br />\n<b>Notice</b>: x\n%PDF-1.4\0')],
	['as the 1,020th character', Buffer.from(`${'x'.repeat(1_019)}%PDF-1.4`)],
])('a PDF may begin %s, as its readers accept', (_, content) => {
	expect(nameOf('a.pdf', content)).toBe('a.pdf');
});

it.each<[string, Buffer]>([
	['later', Buffer.from(`${'x'.repeat(1_020)}%PDF-1.4`)],
	['in an error message', Buffer.from('{"error":"it must begin with %PDF-"}')],
	['in a page', Buffer.from('<!doctype html><p>%PDF-1.4')],
])('a PDF does not begin %s', (_, content) => {
	expect(refusal('a.pdf', content).what).toContain('does not match');
});

it.each<[string, Buffer]>([
	['UTF-16, as Excel writes it', Buffer.from('\uFEFFname\tphone', 'utf16le')],
	['UTF-16, the other way around', Buffer.from('\uFEFFname\tphone', 'utf16le').swap16()],
	['UTF-8 with a mark', Buffer.from('\uFEFFnama,nomor')],
	['Windows-1252', Buffer.from('M\xfcller,5 \x80', 'latin1')],
	['letters that begin other files', Buffer.from('MZ,BM,GIF8,ID3')],
	['signs of old databases', Buffer.from('a\x0bb,c\x1d\r\n\x1a')],
	['one letter', Buffer.from('a')],
])('a CSV file may hold %s', (_, content) => {
	expect(nameOf('a.csv', content)).toBe('a.csv');
});

it('an .xls file may have no container, as some programs write it', () => {
	const content = Buffer.from('0908080000001000000000000', 'hex');
	expect(nameOf('a.xls', Buffer.concat([content, Buffer.alloc(8)]))).toBe('a.xls');
});

describe('a name without a real ending', () => {
	it.each<[string, Content, string, string]>([
		['Quote.v2', 'pdf', 'application/pdf', 'Quote.v2.pdf'],
		['Report 28.Nov', 'pdf', 'application/pdf', 'Report 28.Nov.pdf'],
		['Report 3.Apr', 'pdf', '', 'Report 3.Apr.pdf'],
		['Invoice No.5', 'pdf', 'text/html', 'Invoice No.5.pdf'],
		['Rechnung shop.com', 'pdf', 'x/y', 'Rechnung shop.com.pdf'],
		['letter.pdf-old', 'pdf', '', 'letter.pdf-old.pdf'],
		['.pdf', 'pdf', '', '.pdf.pdf'],
		['v1.2', 'png', '', 'v1.2.png'],
		['1042.html', 'pdf', 'application/pdf', '1042.pdf'],
		['x.axd', 'pdf', 'application/octet-stream', 'x.pdf'],
		['download.PHP', 'jpeg', '', 'download.jpg'],
		['file.bin', 'png', 'application/octet-stream', 'file.png'],
		['photo.jfif', 'jpeg', 'image/jpeg', 'photo.jpg'],
		['photo.JPE', 'jpeg', '', 'photo.jpg'],
		['', 'pdf', '', 'document.pdf'],
		['scan', 'zip', TYPES.xlsx as string, 'scan.xlsx'],
		['scan', 'ole', TYPES.ppt as string, 'scan.ppt'],
		['scan', 'csv', 'Application/CSV; charset=utf-8', 'scan.csv'],
		['export.php', 'csv', ' text/csv ;header=present', 'export.csv'],
		['scan', 'csv', TYPES.xls as string, 'scan.xls'],
	])('%j (%s, %s) becomes %j', (name, content, type, expected) => {
		expect(nameOf(name, content, { type })).toBe(expected);
		expect(nameOf(name, content, { type, chosen: 'Mine.v3' })).toMatch(/^Mine\.v3\.[a-z]+$/);
	});

	it.each<[string, Content, string]>([
		['scan', 'zip', 'application/zip'],
		['scan', 'zip', TYPES.xls as string],
		['scan', 'csv', 'text/plain'],
		['scan', 'mp4', 'application/pdf'],
		['scan', 'heic', 'image/jpeg'],
		['login.html', 'html', 'text/html'],
		['a.exe', 'exe', 'application/pdf'],
		['a.exe', 'pdf', 'application/pdf'],
		['film.mp4', 'pdf', 'application/pdf'],
		['box.7z', 'pdf', 'application/pdf'],
		['letter.txt', 'csv', 'text/csv'],
		['a.docm', 'zip', TYPES.docx as string],
		['photo.heic', 'heic', 'image/heif'],
		['constructor', 'csv', 'constructor'],
		['a.constructor', 'csv', '__proto__'],
	])('%j (%s) of the type %s is not sent', (name, content, type) => {
		expect(refusal(name, content, { type }).what).toContain(
			`The gateway does not accept “${name}” as a document`,
		);
		expect(refusal(name, content, { type, chosen: 'Report' }).what).toContain(`“${name}”`);
	});

	it('tells which ending to enter', () => {
		expect(refusal('letter.txt', 'csv').advice).toBe(
			"If it is the right file, enter a name that ends in .csv, .doc, .xls or .ppt in the option 'File Name'.",
		);
		expect(refusal('a.pdf', 'pdf', { kind: 'image' }).advice).toContain("'Document'");
		expect(refusal('', 'mp4').what).toContain('does not accept a file as a document');
	});
});

it.each<[string, string, Content, string]>([
	['Report.final', 'a.pdf', 'pdf', 'Report.final.pdf'],
	['Report', 'A.PDF', 'pdf', 'Report.pdf'],
	['setup.exe', 'a.docx', 'zip', 'setup.exe.docx'],
	['Report.pdf', 'a.exe', 'pdf', 'Report.pdf'],
	['Report.csv', 'report.php', 'csv', 'Report.csv'],
	['INV/2026/XI/7', 'a.pdf', 'pdf', 'INV_2026_XI_7.pdf'],
])('the chosen name %s of the file %s (%s) becomes %s', (chosen, name, content, expected) => {
	expect(nameOf(name, content, { chosen })).toBe(expected);
});

it.each([
	['Faktur Nopember.pdf', 'Faktur Nopember.pdf'],
	['Ünïcödé 漢字 😀.pdf', 'Ünïcödé 漢字 😀.pdf'],
	['می‌خواهم 👨‍👩‍👧.pdf', 'می‌خواهم 👨‍👩‍👧.pdf'],
	['a "b" “c”.pdf', "a 'b' 'c'.pdf"],
	['../../etc/passwd.pdf', 'passwd.pdf'],
	['C:\\files\\a.pdf', 'a.pdf'],
	['uploads/2026/', '2026.pdf'],
	['a\r\nX-Header: b.pdf', 'a X-Header: b.pdf'],
	['a\u0000b.pdf', 'a b.pdf'],
	['a\u2028b\u2029c.pdf', 'a b c.pdf'],
	['invoice\u202Efdp.pdf', 'invoicefdp.pdf'],
	['in\u00ADvoice\uFEFF.pdf', 'invoice.pdf'],
	['  a   b.pdf  ', 'a b.pdf'],
])('the name that the recipient sees: %j is %j', (given, expected) => {
	expect(nameOf(given, 'pdf')).toBe(expected);
});

it('the name that the recipient sees has at most 150 characters, and keeps its ending', () => {
	expect(nameOf(`${'a'.repeat(146)}.pdf`, 'pdf')).toBe(`${'a'.repeat(146)}.pdf`);
	expect(nameOf(`${'a'.repeat(147)}.pdf`, 'pdf')).toBe(`${'a'.repeat(146)}.pdf`);
	expect(nameOf('b'.repeat(200), 'pdf')).toBe(`${'b'.repeat(146)}.pdf`);
});

it('the name that the recipient sees is that of the first 1,000 characters, and keeps its ending', () => {
	expect(nameOf(`a${' '.repeat(994)}b.pdf`, 'pdf')).toBe('a b.pdf');
	expect(nameOf(`a${' '.repeat(1_000)}b${' '.repeat(1_000)}c.pdf`, 'pdf')).toBe('a c.pdf');
});

it('the name that the recipient sees has at most 255 bytes, as file systems take', () => {
	expect(nameOf(`${'😀'.repeat(200)}.pdf`, 'pdf')).toBe(`${'😀'.repeat(62)}.pdf`);
	expect(nameOf(`${'漢'.repeat(150)}.pdf`, 'pdf')).toBe(`${'漢'.repeat(83)}.pdf`);
	expect(nameOf(`${'漢'.repeat(83)}aaa.pdf`, 'pdf')).toBe(`${'漢'.repeat(83)}aa.pdf`);
});

it('the name that the recipient sees is always safe in a header, with an ending that the gateway accepts', () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 400 }),
		fc.string({ unit: 'grapheme', maxLength: 400 }),
		fc.string({ unit: fc.constantFrom('"', '\r', '\n', '.', '/', '\\', ' ', 'a', '\u0085') }),
	);
	const ending = fc.constantFrom('', ...DOCUMENTS.map((each) => `.${each}`), '.PDF');
	const type = fc.constantFrom('', 'application/pdf', 'image/png', 'x/y');
	const kind = fc.constantFrom<FileKind>('image', 'document');
	const content = fc.constantFrom(...Object.values(BEGINNINGS));
	let taken = 0;
	fc.assert(
		fc.property(text, ending, type, kind, content, text, (stem, end, type, kind, bytes, chosen) => {
			try {
				const { name, contentType } = read(stem + end, bytes, { kind, type, chosen });
				taken++;
				const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
				expect(kind === 'image' ? IMAGES : DOCUMENTS).toContain(extension);
				expect(contentType).toBe(TYPES[extension]);
				expect(name).not.toMatch(/[\p{Cc}"\\/\u2028\u2029]/u);
				expect([...name].length).toBeLessThanOrEqual(150);
				expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
				expect(name.trim()).toBe(name);
			} catch (error) {
				expect(error).toBeInstanceOf(InputError);
			}
		}),
		{ numRuns: 2_000 },
	);
	expect(taken).toBeGreaterThan(200);
});
