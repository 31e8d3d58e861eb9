/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ORIGINALS = join(__dirname, '..', 'support', 'files');

/** A name with what real file names contain: spaces, accents, a dash and brackets. */
const ODD_NAME = 'Résumé – 2026 (final).pdf';

export const IMAGES = ['photo.jpg', 'picture.png'];

export const DOCUMENTS = [
	...IMAGES,
	'document.pdf',
	'letter.doc',
	'letter.docx',
	'sheet.xls',
	'sheet.xlsx',
	'slides.pptx',
	'table.csv',
	ODD_NAME,
];

export interface SampleFiles {
	folder: string;
	/** A pattern for n8n's node that reads files. */
	images: string;
	documents: string;
	digest: (name: string) => { sha256: string; size: number };
	remove: () => void;
}

/** Copies the sample files to a folder that workflows may read. */
export function sampleFiles(): SampleFiles {
	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-files-'));
	const documents = join(folder, 'documents');
	for (const name of IMAGES) copy(name, join(folder, 'images'), name);
	for (const name of DOCUMENTS) copy(name === ODD_NAME ? 'document.pdf' : name, documents, name);
	return {
		folder,
		images: join(folder, 'images', '*'),
		documents: join(documents, '*'),
		digest: (name) => {
			const bytes = readFileSync(join(documents, name));
			return { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
		},
		remove: () => rmSync(folder, { recursive: true }),
	};
}

function copy(name: string, folder: string, as: string): void {
	mkdirSync(folder, { recursive: true });
	cpSync(join(ORIGINALS, name), join(folder, as));
}
