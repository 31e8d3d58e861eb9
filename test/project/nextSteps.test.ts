/** Each row of "What happens next" in docs/nothing-twice.md is proven by a test, which has this title. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROOFS: Record<string, string[]> = {
	'*Retry*, each time of the newest execution': [
		'sends the rest, and outputs everything in order',
		'an uncertain message holds up none of those behind it',
		'can be repeated until everything is sent',
	],
	'*Retry* with *Uncertain Messages on Retry* set to *Send Again*': [
		'sends it again with the option set in the saved workflow',
	],
	'Correct a message or a number in this node, save, then *Retry with currently saved workflow*': [
		'sends a message with another %s, and does not replay it',
		'sends to one corrected number out of 500, and not again to the others',
	],
	'Correct the device, the country code or the token, then *Retry*': [
		'another Device ID, %s',
		'a Default Country Code, %s',
	],
	'[Leave out what an earlier node got wrong](#wrong-data-from-an-earlier-node), then *Retry*': [
		'sends the rest around an item that is wrong in the data of an earlier node',
	],
	'*Retry* an older execution after a newer *Retry*': [
		'sends nothing when it is retried again after a newer one, and names that one',
	],
	'Press *Retry* twice at once': [
		'two retries at once send each message once',
		'sends each message once, however often it is retried',
	],
	"*Retry* while n8n's database is not available": [
		'a retry that cannot reach the history sends nothing, and the next one sends the rest',
	],
	"*Stop*, or the workflow's time limit": [
		'%s is reported as it is, and its key is free unless it may have left',
		'stops waiting for an answer at once, and sends nothing else',
		'a canceled retry reports what the first try sent as sent, %s',
	],
	'*Retry* after the time limit': ['by the time limit, a Retry of %s sends nothing twice'],
	'*Retry* after *Stop*': [
		'by the Stop button, a Retry leaves nothing that further retries send twice',
	],
	'A new execution, with Send-Once Keys': ['keeps the key of an uncertain message taken'],
	'A new execution, with one Send-Once Key for a list that was sent in part': [
		'skips a list with a Send-Once Key of which a part was sent, and Retry finishes it',
	],
	'A new execution, without Send-Once Keys': [
		'sends everything again without a Send-Once Key',
		'with Retry On Fail and without a key sends again what the first try sent, as README says',
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
