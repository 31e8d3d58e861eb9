/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/**
 * The workflow for the queue: a webhook sends one part of a campaign, every tenth message as a
 * file.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import {
	gatewayNode,
	node,
	workflow,
	type Arrow,
	type GatewayNode,
	type N8nServer,
} from '../../../tools/n8n/server/index';
import type { SavedCredential, SavedWorkflow } from '../../../tools/n8n/server/types';

export const FILES = join(__dirname, '../../support/files');

/** Messages of one part. */
export const SENDS = 200;

export const MAX_CONCURRENCY = 5;

export interface Campaign {
	saved: SavedWorkflow;
	/** Starts a separate execution that sends one part. */
	post(part: number): Promise<void>;
}

/** Returns the ID of each message, which is its text or the name of its file. */
export function idsOf(part: number): string[] {
	return Array.from({ length: SENDS }, (_, index) => `${part}-${index}`);
}

const MESSAGES = `={{ Array.from({ length: ${SENDS} }, (_, i) => ({
	id: $json.body.part + '-' + i,
	phone: String(6280000000000 + $json.body.part * 1000 + i),
	isFile: i % 10 === 0,
})) }}`;

export interface CampaignOptions {
	withKey: boolean;
	/** Puts a "Remove Duplicates" that remembers for the whole workflow before the messages. It removes none. */
	removesDuplicates?: boolean;
}

export async function createCampaign(
	{ api, url }: N8nServer,
	credential: SavedCredential,
	{ withKey, removesDuplicates = false }: CampaignOptions,
): Promise<Campaign> {
	const path = randomUUID();
	const remove = node('Remove Duplicates', 'n8n-nodes-base.removeDuplicates', 2, {
		operation: 'removeItemsSeenInPreviousExecutions',
		dedupeValue: '={{ $execution.id }} {{ $json.id }}',
		options: { scope: 'workflow' },
	});
	const saved = await api.createWorkflow(
		workflow(
			'Campaign',
			[
				node(
					'Webhook',
					'n8n-nodes-base.webhook',
					2,
					{ httpMethod: 'POST', path },
					{ webhookId: path },
				),
				node('List', 'n8n-nodes-base.set', 3.4, assigned('messages', MESSAGES)),
				node('Messages', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'messages' }),
				...(removesDuplicates ? [remove] : []),
				node('Is a file', 'n8n-nodes-base.if', 2.2, isTrue('={{ $json.isFile }}')),
				node('Read', 'n8n-nodes-base.readWriteFile', 1, {
					operation: 'read',
					fileSelector: join(FILES, 'document.pdf'),
				}),
				gatewayNode('Documents', sends("$('Is a file').item.json", true, withKey), credential),
				gatewayNode('Texts', sends('$json', false, withKey), credential),
			],
			[
				['Webhook', 'List'],
				['List', 'Messages'],
				...(removesDuplicates
					? ([
							['Messages', remove.name],
							[remove.name, 'Is a file'],
						] as Arrow[])
					: ([['Messages', 'Is a file']] as Arrow[])),
				['Is a file', 'Read', 0],
				['Read', 'Documents'],
				['Is a file', 'Texts', 1],
			],
		),
	);
	await api.activate(saved);
	return { saved, post: async (part) => await post(`${url}/webhook/${path}`, { part }) };
}

function sends(json: string, isFile: boolean, withKey: boolean): GatewayNode {
	const options = {
		maxConcurrency: MAX_CONCURRENCY,
		...(withKey ? { sendOnceKey: `={{ ${json}.id }}` } : {}),
	};
	const message = isFile
		? { resource: 'document', options: { ...options, fileName: `={{ ${json}.id }}.pdf` } }
		: { resource: 'text', options, message: `={{ ${json}.id }}` };
	return { ...message, operation: 'send', phoneNumber: `={{ ${json}.phone }}` };
}

function assigned(name: string, value: string): IDataObject {
	return { assignments: { assignments: [{ id: name, name, type: 'array', value }] }, options: {} };
}

function isTrue(leftValue: string): IDataObject {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const options = { version: 2, caseSensitive: true, typeValidation: 'loose' };
	const conditions = [{ id: 'is-true', leftValue, rightValue: '', operator }];
	return { conditions: { options, combinator: 'and', conditions } };
}

/** Posts to a webhook. n8n answers 404 until the main process has registered it. */
export async function post(url: string, body: object, tries = 100): Promise<void> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (response.ok) return;
	if (response.status !== 404 || tries === 0) {
		throw new Error(`The webhook answered ${response.status}: ${await response.text()}`);
	}
	await sleep(200);
	await post(url, body, tries - 1);
}
