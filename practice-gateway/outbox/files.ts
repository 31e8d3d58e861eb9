/** The files of messages, served so that nothing in them can run in the outbox's name. */
import type { FastifyInstance } from 'fastify';
import type { Ledger } from '../ledger';
import { safe } from './headers';

/** Types that the browser opens. It saves everything else. */
const OPENED = { jpeg: 'image/jpeg', png: 'image/png', pdf: 'application/pdf' };

export type FileType = keyof typeof OPENED;

/** The file loads nothing, runs nothing, and shares no origin with the outbox. */
const POLICY = "default-src 'none'; sandbox";

const NOT_KEPT = 'The gateway does not keep this file: it is too large, too old, or was cleared.';

export function serveFiles(scope: FastifyInstance, ledger: Ledger): void {
	scope.get('/outbox/files/:queueId', async (request, reply) => {
		const { queueId } = request.params as { queueId: string };
		const file = ledger.messages.find((message) => message.queueId === queueId)?.file;
		if (!file?.bytes) return await reply.code(404).send({ message: NOT_KEPT });
		return await reply.headers(headersOf(file.name, typeOf(file.bytes))).send(file.bytes);
	});
}

function headersOf(name: string, type: FileType | undefined): Record<string, string> {
	const disposition = type ? 'inline' : 'attachment';
	return {
		...safe(type ? OPENED[type] : 'application/octet-stream', POLICY),
		'Content-Disposition': `${disposition}; filename*=UTF-8''${encoded(name)}`,
	};
}

/** A name as RFC 8187 writes it in a header. Through a buffer, because half a character throws. */
function encoded(name: string): string {
	return encodeURIComponent(Buffer.from(name).toString()).replace(
		/['()*!]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

/** By the bytes, not by the sender's label. */
export function typeOf(bytes: Buffer): FileType | undefined {
	if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
	if (bytes.subarray(0, 4).equals(Buffer.from('\x89PNG', 'latin1'))) return 'png';
	return bytes.subarray(0, 5).equals(Buffer.from('%PDF-')) ? 'pdf' : undefined;
}
