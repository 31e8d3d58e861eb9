/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IPairedItemData,
} from 'n8n-workflow';
import { extname } from 'node:path';
import type { Host } from './host';

/** A file for an item; `content` is its bytes, or the path of a file to read. */
export interface FileInput {
	fileName?: string;
	mimeType: string;
	content: Buffer | string;
}

export interface ItemInput {
	json?: IDataObject;
	binary?: Record<string, FileInput | IBinaryData>;
	pairedItem?: IPairedItemData | IPairedItemData[] | number;
}

export interface ExecutionLocation {
	workflowId: string;
	executionId: string;
}

/** Returns input items as a previous node would pass them on, with their files stored by n8n. */
export async function prepareItems(
	host: Host,
	input: ItemInput[] | number,
	location: ExecutionLocation,
): Promise<INodeExecutionData[]> {
	if (typeof input === 'number') {
		return Array.from({ length: input }, (_, index) => ({ json: { index } }));
	}
	const items: INodeExecutionData[] = [];
	for (const { json = {}, binary, pairedItem } of input) {
		const item: INodeExecutionData = { json };
		if (pairedItem !== undefined) item.pairedItem = pairedItem;
		if (binary) item.binary = await storeFiles(host, binary, location);
		items.push(item);
	}
	return items;
}

async function storeFiles(
	host: Host,
	files: NonNullable<ItemInput['binary']>,
	location: ExecutionLocation,
): Promise<IBinaryKeyData> {
	const stored: IBinaryKeyData = {};
	for (const [name, file] of Object.entries(files)) {
		stored[name] = isFileInput(file) ? await storeFile(host, file, location) : file;
	}
	return stored;
}

const isFileInput = (file: FileInput | IBinaryData): file is FileInput => 'content' in file;

async function storeFile(
	{ core, n8n, container }: Host,
	{ fileName, mimeType, content }: FileInput,
	location: ExecutionLocation,
): Promise<IBinaryData> {
	const service = container.get(core.BinaryDataService);
	const binary: IBinaryData = {
		mimeType,
		fileType: n8n.fileTypeFromMimeType(mimeType),
		data: '',
	};
	if (fileName !== undefined) {
		binary.fileName = fileName;
		binary.fileExtension = extname(fileName).slice(1);
	}
	const target = { type: 'execution' as const, ...location };
	return typeof content === 'string'
		? await service.copyBinaryFile(target, binary, content)
		: await service.store(target, content, binary);
}
