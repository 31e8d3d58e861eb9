/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { QueuedMessage } from './types';

/** Most bytes of files kept for the outbox page; the oldest files are dropped first. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** The messages that the gateway has queued, in order. */
export class Ledger extends EventEmitter {
	readonly messages: QueuedMessage[] = [];
	readonly userId = randomUUID();
	private lastQueueId = 100_000;
	private keptBytes = 0;
	private oldestKept = 0;

	constructor(private readonly countryCode: string) {
		super();
		this.setMaxListeners(0);
	}

	/** Returns the message with a queue ID and a time. `add` puts it in the queue. */
	prepare(message: Omit<QueuedMessage, 'queueId' | 'at'>): QueuedMessage {
		return { queueId: String(++this.lastQueueId), at: timestamp(new Date()), ...message };
	}

	add(queued: QueuedMessage): void {
		this.messages.push(queued);
		this.keptBytes += queued.file?.bytes?.length ?? 0;
		this.dropOldFiles();
		this.emit('queued', queued);
	}

	clear(): void {
		this.messages.length = 0;
		this.keptBytes = 0;
		this.oldestKept = 0;
		this.emit('cleared');
	}

	/** Returns the `data` of a v2 answer (section 2.1 of the API's description). */
	recordOf(message: QueuedMessage, deviceId: string) {
		const [phone = ''] = message.recipients;
		return {
			queue_id: message.queueId,
			uuid: randomUUID(),
			user_id: this.userId,
			device_id: deviceId,
			phone: phone.startsWith('0') ? this.countryCode + phone.slice(1) : phone,
			message: message.endpoint === 'v2/send-image' ? (message.text ?? '') : message.file?.name,
			attachment_id: randomUUID(),
			type: message.endpoint === 'v2/send-image' ? 'Image' : 'Document',
			category: 'Outbox',
			status: 'Pending',
			updated_at: message.at,
			created_at: message.at,
		};
	}

	private dropOldFiles(): void {
		for (
			;
			this.keptBytes > MAX_KEPT_BYTES && this.oldestKept < this.messages.length;
			this.oldestKept++
		) {
			const file = this.messages[this.oldestKept]?.file;
			this.keptBytes -= file?.bytes?.length ?? 0;
			if (file) delete file.bytes;
		}
	}
}

function timestamp(date: Date): string {
	return date.toISOString().slice(0, 19).replace('T', ' ');
}
