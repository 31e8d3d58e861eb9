/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Each row of "What happens next" in docs/nothing-twice.md is proven by a test, which has this title. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROOFS: Record<string, string[]> = {
	'*Retry*, each time of the newest execution, whatever you corrected in this node': [
		'the node sends the rest in a retry, and puts everything out in order',
		'the node sends the messages behind an uncertain one',
		'the node sends everything if it is retried often enough',
		'a Retry sends a corrected text to the rest only, %s',
		'a Retry sends each message once if %s',
		'a message to another number is sent, and not replayed',
		'the node sends to one corrected number out of 500, and not again to the others',
		'the node does not send what was accepted again through another Device ID, %s',
		'the node does not send what was accepted again with another Default Country Code, %s',
		'the node sends the rest around an item that is wrong in the data of an earlier node',
	],
	'*Retry* with *Uncertain Messages on Retry* set to *Send Again*': [
		'the node sends an uncertain message again in a retry with the option set in the saved workflow',
	],
	'*Retry* an older execution, or press *Retry* twice': [
		'the node sends nothing if the oldest of several retries is retried again, and names the newer one',
		'the node sends each message once in two retries at once',
		'the node sends each message once, however often an execution is retried that failed before the node ran',
	],
	"*Retry* while n8n's database is not available": [
		'the node sends nothing in a retry that cannot reach the history, and the rest in the next one',
	],
	'*Retry* after this node was replaced, or after n8n ended in the middle': [
		'a Retry holds back what a node that was replaced under its name may have sent',
		'the node holds back what it may have sent when n8n ended in the middle of the execution',
	],
	"*Stop*, or the workflow's time limit": [
		'the node reports $kind that is stopped $name as it is, and frees its key unless it may have left',
		'the node reports in a canceled retry what the first try sent, %s',
		'a Retry of %s after the time limit sends nothing twice',
		'a Retry after the Stop button leaves nothing that further retries send twice',
	],
	'A new execution, with Send-Once Keys': [
		'the node keeps the key of an uncertain message taken',
		'the node skips a list in a new execution of whose Send-Once Key a part was sent, and Retry finishes it',
	],
	'A new execution, without Send-Once Keys': [
		'the node sends everything again in a new execution without a Send-Once Key',
		'a sub-workflow with Retry On Fail and no key sends again what its first try sent, as README says',
	],
};

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/nothing-twice.md'), 'utf8');
const table = /^## What happens next$[^]*?^\| ---.*\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? '';
const tests = ['test/node', 'test/n8n']
	.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
	.filter((path) => path.endsWith('.test.ts'))
	.map((path) => readFileSync(path, 'utf8'))
	.join('\n');

test('each row of the table has a proof, and each proof a row', () => {
	expect([...table.matchAll(/^\| (.+?) \|/gm)].map(([, step]) => step)).toEqual(
		Object.keys(PROOFS),
	);
});

test.each(Object.values(PROOFS).flat())('there is a test that "%s"', (title) => {
	// The title opens a test or a table of tests, with or without a suffix.
	const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	expect(tests).toMatch(new RegExp(`['"]${escaped}( \\(.*\\))?['"],`));
});
