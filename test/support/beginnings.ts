/** The first bytes of files, as the specifications of their formats give them. */

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The container of Office files before 2007: [MS-CFB] 2.2. */
const OLE = Buffer.from('d0cf11e0a1b11ae1000000000000000000000000000000003e000300feff0900', 'hex');

/** By what it is. */
export const BEGINNINGS = {
	jpeg: Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
	png: Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
	pdf: latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n'),
	zip: latin1('PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00[Content_Types].xml'),
	ole: OLE,
	csv: latin1('name,phone\r\nAna,0812\r\n'),
	html: latin1('<!DOCTYPE html><html><title>Sign in</title></html>'),
	xml: latin1('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'),
	json: latin1('{"error":"quota exceeded"}'),
	rtf: latin1('{\\rtf1\\ansi\\deff0 Hello}'),
	heic: latin1('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic'),
	gif: latin1('GIF89a\x01\x00\x01\x00\x80\x00\x00'),
	webp: latin1('RIFF\x24\x00\x00\x00WEBPVP8 '),
	mp4: latin1('\x00\x00\x00\x20ftypisom\x00\x00\x02\x00'),
	exe: latin1('MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff'),
} as const;
