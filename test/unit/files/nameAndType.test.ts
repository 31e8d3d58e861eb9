import fc from 'fast-check';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { type FileKind, nameAndType } from '../../../nodes/MessagingGateway/files/nameAndType';
import { inputErrorOf } from '../../support/rooms';

const IMAGES = ['jpg', 'jpeg', 'png'];
const DOCUMENTS = [...IMAGES, 'doc', 'docx', 'pdf', 'csv', 'ppt', 'pptx', 'xls', 'xlsx'];
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

const nameOf = (name: unknown, kind: FileKind = 'document', mimeType?: string) =>
	nameAndType(kind, { name, mimeType }).name;
it.each(IMAGES)('an image may end in .%s, in any case', (extension) => {
	const contentType = TYPES[extension];
	expect(nameAndType('image', { name: `a.${extension}` })).toEqual({
		name: `a.${extension}`,
		contentType,
	});
	const upper = `A.${extension.toUpperCase()}`;
	expect(nameAndType('image', { name: upper })).toEqual({ name: upper, contentType });
});

it.each(DOCUMENTS)('a document may end in .%s, in any case', (extension) => {
	const contentType = TYPES[extension];
	expect(nameAndType('document', { name: `my file.${extension}` }).contentType).toBe(contentType);
	expect(nameAndType('document', { name: `x.${extension.toUpperCase()}` }).contentType).toBe(
		contentType,
	);
});

it.each(['gif', 'webp', 'svg', 'txt'])('an image may not end in .%s', (extension) => {
	expect(inputErrorOf(() => nameOf(`a.${extension}`, 'image'))).toMatchObject({
		what: `The gateway does not accept “a.${extension}” as an image`,
		advice: 'Use a file that ends in .jpg, .jpeg or .png.',
	});
});

it.each(DOCUMENTS.filter((extension) => !IMAGES.includes(extension)))(
	'a document is not sent as an image, even under another name: .%s',
	(extension) => {
		const advice =
			"To send this file as it is, choose the resource 'Document'. An image ends in .jpg, .jpeg or .png.";
		const ending = { name: `a.${extension.toUpperCase()}` };
		const typeOnly = { name: 'a', mimeType: TYPES[extension] };
		for (const given of [ending, typeOnly]) {
			expect(inputErrorOf(() => nameAndType('image', given))).toMatchObject({
				what: `The gateway does not accept “${given.name}” as an image`,
				advice,
			});
		}
	},
);

it.each(['image', 'document'] as const)('a name without an ending may get one: %s', (kind) => {
	expect(inputErrorOf(() => nameOf('scan', kind)).advice).toMatch(
		/^Use a file that ends in .+ or \.\w+\. If only the extension is missing, set the option 'File Name'\.$/,
	);
	expect(inputErrorOf(() => nameOf('scan.exe', kind)).advice).not.toContain('File Name');
});

it.each(['exe', 'txt', 'zip', 'docm', 'pdfx', 'constructor', '__proto__', 'toString', 'pdf.exe'])(
	'a document may not end in .%s',
	(extension) => {
		expect(inputErrorOf(() => nameOf(`a.${extension}`)).what).toContain('as a document');
	},
);

it('the extension of a file is its last ending only', () => {
	expect(nameAndType('document', { name: 'a.exe.pdf' }).contentType).toBe('application/pdf');
});

it.each(['Smith & Co..pdf', 'a...pdf', '.hidden.pdf', 'a .pdf'])(
	'an extension may stand after anything: %s',
	(name) => {
		expect(nameOf(name)).toBe(name);
	},
);

it('a file goes by its ending, not by the type that another program gave', () => {
	const given = { name: 'a.pdf', mimeType: 'image/png' };
	expect(nameAndType('document', given).contentType).toBe('application/pdf');
	inputErrorOf(() => nameAndType('document', { name: 'a.exe', mimeType: 'application/pdf' }));
});

it.each(Object.values(TYPES))('a name without an ending gets it from the type %s', (mimeType) => {
	const { name, contentType } = nameAndType('document', { name: 'letter', mimeType });
	expect(contentType).toBe(mimeType);
	expect(TYPES[name.replace('letter.', '')]).toBe(mimeType);
});

it.each([
	['image/jpg', 'jpg'],
	['application/csv', 'csv'],
	['application/x-pdf', 'pdf'],
	['Application/PDF; charset=binary', 'pdf'],
	[' text/csv ;header=present', 'csv'],
])('a name without an ending understands the type %s', (mimeType, extension) => {
	expect(nameOf('letter', 'document', mimeType)).toBe(`letter.${extension}`);
});

it('a name without an ending is named after its kind if it has no name', () => {
	expect(nameOf('', 'document', 'application/pdf')).toBe('document.pdf');
	expect(nameOf(undefined, 'image', 'image/png')).toBe('image.png');
});

it('a name without an ending is refused if its type is unknown, or not accepted', () => {
	inputErrorOf(() => nameOf('letter', 'document', 'application/zip'));
	inputErrorOf(() => nameOf('letter', 'image', 'application/pdf'));
	inputErrorOf(() => nameOf('letter', 'image', 'application/x-pdf'));
	inputErrorOf(() => nameOf('letter', 'document', ''));
	inputErrorOf(() => nameOf('letter', 'document', 'constructor'));
	inputErrorOf(() => nameOf('letter'));
	inputErrorOf(() => nameOf('letter.pdf-old'));
	expect(inputErrorOf(() => nameOf('', 'image')).what).toBe(
		'The image has no file name, and the gateway does not accept its type',
	);
});

it('a name without an ending does not take a number for an ending', () => {
	expect(nameOf('Invoice No.5', 'document', 'application/pdf')).toBe('Invoice No.5.pdf');
	expect(nameOf('v1.2', 'image', 'image/png')).toBe('v1.2.png');
	inputErrorOf(() => nameOf('film.mp4', 'document', 'application/pdf'));
	inputErrorOf(() => nameOf('box.7z', 'document', 'application/pdf'));
});

it.each([{}, 5, null])(
	'a name without an ending is refused if its type is not a text: %j',
	(mimeType) => {
		inputErrorOf(() => nameAndType('document', { name: 'letter', mimeType }));
	},
);

it('a name without an ending does not take a hidden file for an ending', () => {
	inputErrorOf(() => nameOf('.pdf'));
	expect(nameOf('.pdf', 'document', 'application/pdf')).toBe('.pdf.pdf');
	inputErrorOf(() => nameOf('..pdf'));
});

it.each([
	['Faktur Nopember.pdf', 'Faktur Nopember.pdf'],
	['Ünïcödé 漢字 😀.pdf', 'Ünïcödé 漢字 😀.pdf'],
	['a "b" “c”.pdf', "a 'b' 'c'.pdf"],
	['../../etc/passwd.pdf', '.._.._etc_passwd.pdf'],
	['C:\\files\\a.pdf', 'C:_files_a.pdf'],
	['a\r\nX-Header: b.pdf', 'a X-Header: b.pdf'],
	['a\u0000b.pdf', 'a b.pdf'],
	['a\u2028b\u2029c.pdf', 'a b c.pdf'],
	['invoice\u202Efdp.pdf', 'invoice fdp.pdf'],
	['  a   b.pdf  ', 'a b.pdf'],
	['a\uD83D.pdf', 'a\uFFFD.pdf'],
])('the name that the recipient sees: %j is %j', (given, expected) => {
	expect(nameOf(given)).toBe(expected);
});

it('the name that the recipient sees has at most 150 characters, and keeps its ending', () => {
	expect(nameOf(`${'a'.repeat(146)}.pdf`)).toBe(`${'a'.repeat(146)}.pdf`);
	expect(nameOf(`${'a'.repeat(147)}.pdf`)).toBe(`${'a'.repeat(146)}.pdf`);
	expect(nameOf('b'.repeat(200), 'document', 'application/pdf')).toBe(`${'b'.repeat(146)}.pdf`);
});

it('the name that the recipient sees is that of the first 1,000 characters, and keeps its ending', () => {
	expect(nameOf(`a${' '.repeat(994)}b.pdf`)).toBe('a b.pdf');
	expect(nameOf(`a${' '.repeat(1_000)}b${' '.repeat(1_000)}c.pdf`)).toBe('a c.pdf');
});

it('the name that the recipient sees has at most 255 bytes, as file systems take', () => {
	expect(nameOf(`${'😀'.repeat(200)}.pdf`)).toBe(`${'😀'.repeat(62)}.pdf`);
	expect(nameOf(`${'漢'.repeat(150)}.pdf`)).toBe(`${'漢'.repeat(83)}.pdf`);
	expect(nameOf(`${'漢'.repeat(83)}aaa.pdf`)).toBe(`${'漢'.repeat(83)}aa.pdf`);
});

const chosenName = (chosen: string, name: string, mimeType?: string) =>
	nameAndType('document', { name, chosen, mimeType }).name;

it.each([
	['Report.final', 'a.pdf', undefined, 'Report.final.pdf'],
	['Report.final', 'scan', 'application/pdf', 'Report.final.pdf'],
	['Report', 'A.PDF', undefined, 'Report.pdf'],
	['setup.exe', 'a.docx', 'x/y', 'setup.exe.docx'],
	['Report.docx', 'a.pdf', undefined, 'Report.docx'],
	['Report.pdf', 'a.exe', undefined, 'Report.pdf'],
	['Report.csv', 'report.php', 'text/plain', 'Report.csv'],
	['Report.pdf', 'a.pdf', 'text/html', 'Report.pdf'],
	['Report.jpg', 'a.tmp', 'image/jpg', 'Report.jpg'],
	['Report.jpg', 'photo.jfif', 'image/pjpeg', 'Report.jpg'],
	['Report.png', 'scan', 'image/x-png', 'Report.png'],
	['Report.jpg', '', 'image/*', 'Report.jpg'],
	['Report.jpg', '', 'image/jpeg, image/jpeg', 'Report.jpg'],
])(
	'the chosen name %s of the file %s of type %s becomes %s',
	(chosen, name, mimeType, expected) => {
		expect(chosenName(chosen, name, mimeType)).toBe(expected);
	},
);

it.each([
	['Report.final', 'a.exe', 'application/pdf', 'a.exe'],
	['Report.final', 'scan', undefined, 'Report.final'],
	['Report', 'a.exe', 'application/pdf', 'a.exe'],
	['Report.pdf', 'photo.heic', 'image/heif', 'photo.heic'],
	['Report.pdf', 'login.html', 'text/html; charset=utf-8', 'login.html'],
	['Report', 'login.html', 'TEXT/HTML', 'login.html'],
])(
	'the chosen name %s does not hide that the gateway takes no %s of type %s',
	(chosen, name, mimeType, shown) => {
		expect(inputErrorOf(() => chosenName(chosen, name, mimeType))).toMatchObject({
			what: `The gateway does not accept “${shown}” as a document`,
			advice:
				'Use a file that ends in .jpg, .jpeg, .png, .pdf, .doc, .docx, .xls, .xlsx, .ppt, .pptx or .csv.',
		});
	},
);

it.each<[FileKind, string, string, string]>([
	['document', '', 'Report.pdf', 'video/mp4'],
	['document', '', 'Report', 'audio/ogg'],
	['image', 'photo', 'photo.jpg', 'image/heic'],
])('the error about the %s “%s”, called %s, names its type %s', (kind, name, chosen, mimeType) => {
	const { advice } = inputErrorOf(() => nameAndType(kind, { name, chosen, mimeType }));
	expect(advice).toMatch(
		/^The file is of the type “.+”, regardless of its name\. Use a file that ends/,
	);
	expect(advice).toContain(mimeType);
});

it('the chosen name of an image does not hide that the file is a document', () => {
	const known = { name: 'a', chosen: 'a.png', mimeType: 'application/pdf' };
	expect(inputErrorOf(() => nameAndType('image', known)).advice).toContain("'Document'");
});

it('the name that the recipient sees is not an object', () => {
	expect(inputErrorOf(() => nameOf({ name: 'a.pdf' })).what).toContain('file name');
});

it('the name that the recipient sees is always safe in a header, with an ending that the gateway accepts', () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 400 }),
		fc.string({ unit: 'grapheme', maxLength: 400 }),
		fc.string({ unit: fc.constantFrom('"', '\r', '\n', '.', '/', '\\', ' ', 'a', '\u0085') }),
	);
	const ending = fc.constantFrom('', ...DOCUMENTS.map((extension) => `.${extension}`), '.PDF');
	const mimeType = fc.constantFrom(undefined, 'application/pdf', 'image/png', 'x/y');
	const kind = fc.constantFrom<FileKind>('image', 'document');
	let taken = 0;
	fc.assert(
		fc.property(text, ending, mimeType, kind, (stem, end, type, of) => {
			try {
				const { name, contentType } = nameAndType(of, { name: stem + end, mimeType: type });
				taken++;
				const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
				expect(of === 'image' ? IMAGES : DOCUMENTS).toContain(extension);
				expect(contentType).toBe(TYPES[extension]);
				expect(name).not.toMatch(/[\p{Cc}"\\/\u2028\u2029]/u);
				expect([...name].length).toBeLessThanOrEqual(150);
				expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
				expect(name.trim()).toBe(name);
				expect(Buffer.from(name).toString('utf8')).toBe(name);
			} catch (error) {
				expect(error).toBeInstanceOf(InputError);
			}
		}),
		{ numRuns: 1_000 },
	);
	expect(taken).toBeGreaterThan(300);
});
