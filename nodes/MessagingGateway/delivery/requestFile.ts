import type { Upload } from '../shared/file';
import { unlessStopped } from '../shared/time';
import type { Message } from './message';

/** The file of one request, if it has one. It is opened before the request's turn, and again for each further try. */
export class RequestFile {
	private file?: Upload;
	/** It is part of a request, so it must stay the same file. */
	private isUsed = false;
	private fault?: { error: unknown };

	/** @param halt aborts when nothing new may begin */
	constructor(
		private readonly message: Pick<Message, 'openFile'>,
		private readonly halt: AbortSignal,
	) {}

	/** Whether the request need not wait for its file: it is open, or cannot be sent. */
	get isOpen(): boolean {
		if (!this.message.openFile || this.fault) return true;
		return this.file !== undefined && this.file.isOpen?.() !== false;
	}

	/** Opens the file for the next try. Never throws: `get` does. */
	async open(): Promise<void> {
		const { halt } = this;
		try {
			// A file downloaded now is as good as one from before the wait.
			if (!this.isUsed && !this.isOpen) this.drop();
			await this.find();
			await this.file?.openAhead?.(halt);
		} catch (error) {
			this.fault = { error };
		}
	}

	/**
	 * Resolves to the file; to undefined if there is none.
	 *
	 * @throws InputError if it cannot be sent
	 */
	async get(): Promise<Upload | undefined> {
		if (this.fault) throw this.fault.error;
		await this.find();
		this.isUsed = true;
		return this.file;
	}

	/** Closes it. */
	release(): void {
		this.file?.release?.();
	}

	private drop(): void {
		this.release();
		this.file = undefined;
	}

	private async find(): Promise<void> {
		const { message, halt } = this;
		if (this.file || !message.openFile) return;
		this.file = await unlessStopped(halt, message.openFile(), (late) => late.release?.());
	}
}
