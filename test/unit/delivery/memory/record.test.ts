import type { IContextObject } from 'n8n-workflow';
import { Journal } from '../../../../nodes/MessagingGateway/delivery/memory/journal';
import { stored } from '../deliver';
import { journalOptions } from './journalOptions';

const open = (context: IContextObject, operation: string) =>
	new Journal(context, journalOptions({ operation }));
const changedIn = (journal: Journal) => [0, 1, 2, 3].filter((item) => journal.isChanged(item));

it('the record knows for which items another operation may have sent something', () => {
	const context: IContextObject = {};
	const first = open(context, 'text:send');
	first.begin('0:a');
	first.begin('2:b');
	expect(changedIn(open(stored(context), 'text:send'))).toEqual([]);
	const later = stored(context);
	const bulk = open(later, 'text:sendBulk');
	expect(changedIn(bulk)).toEqual([0, 2]);
	bulk.begin('c', { numbers: ['1'], items: [3, 3], device: 'd' });
	expect(changedIn(open(stored(later), 'image:send'))).toEqual([0, 2, 3]);
});

const bulkOne = { numbers: ['1'], items: [0, 0] };

it.each([
	['a bulk text', 'text:send', { hash: [bulkOne] }, [0]],
	['a bulk text', 'text:sendBulk', { hash: [bulkOne] }, []],
	['a single text', 'text:send', { '0:hash': [{}] }, []],
	['a single text', 'text:sendBulk', { '0:hash': [{}] }, [0]],
	['both', 'text:send', { hash: [bulkOne], '2:hash': [{}] }, [0, 2]],
])('the record of 1.1 of %s tells by its form, for %s', (_, operation, requests, changed) => {
	const runs = { '0': { requests, sendOnceKeys: {} } };
	const context = { journal: { id: 'x', generation: 0, execution: '1', runs } };
	expect(changedIn(open(context, operation))).toEqual(changed);
});
