import type { AskedQuestion } from '../../../nodes/MessagingGateway/ask/ask';
import {
	headers,
	outdatedPage,
	overPage,
	questionPage,
	thanksPage,
} from '../../../nodes/MessagingGateway/ask/page';
import { readerOf } from '../../../nodes/MessagingGateway/ask/texts';
import type { Refusal } from '../../../nodes/MessagingGateway/ask/reply';
import { serveLink } from '../../../nodes/MessagingGateway/ask/webhook';
import type { Question } from '../../../nodes/MessagingGateway/shared/question';
import { visit, type Visit } from './webhookContext';

const approval: Question = {
	kind: 'approval',
	text: 'Refund?',
	approveLabel: 'Yes',
	declineLabel: 'No',
};
const freeText: Question = { kind: 'freeText', text: 'Why?' };

const reader = readerOf('en');

const kept = (question: Question, until?: number) =>
	JSON.stringify({ question, id: 'q1', until } satisfies AskedQuestion);

/** What n8n is told, and what the browser has got by then. */
const answer = async (more: Visit = {}, question: Question = approval) => {
	const { context, response } = visit({
		query: { question: 'q1', signature: 'signed' },
		kept: kept(question),
		...more,
	});
	return { told: await serveLink(context), response };
};

const post = async (body: unknown, question: Question = approval) =>
	await answer({ method: 'POST', body }, question);

/** The page has gone out, and n8n neither answers nor lets the execution continue. */
const shown = (status: number, body: string) => ({
	told: { noWebhookResponse: true },
	response: { status, headers: headers(), body },
});

it('the link of a question shows the question to whoever opens it, and decides nothing', async () => {
	expect(await answer()).toEqual(shown(200, questionPage(approval, reader)));
	expect(await answer({}, freeText)).toEqual(shown(200, questionPage(freeText, reader)));
});

it('the link of a question is a secret: no cache, other site or search engine gets it', async () => {
	expect((await answer()).response.headers).toMatchObject({
		'Content-Type': 'text/html; charset=utf-8',
		'Cache-Control': 'no-store',
		'Referrer-Policy': 'no-referrer',
		'X-Content-Type-Options': 'nosniff',
		'X-Robots-Tag': 'noindex, nofollow',
	});
});

it('the link of a question decides nothing if a reply comes along, but not as the page sends it', async () => {
	const body = { answer: 'approve' };
	const query = { question: 'q1', ...body };
	expect(await answer({ method: 'HEAD', body, query })).toEqual(
		shown(200, questionPage(approval, reader)),
	);
});

it.each(['Ask', 'Ask "the boss"', 'a\\b`${1}` }}', "L'équipe 👍🏽", '__proto__x\n'])(
	'the link of a question finds it whatever the name of the node: %j',
	async (name) => {
		expect(await answer({ name })).toEqual(shown(200, questionPage(approval, reader)));
	},
);

it.each<[string, Visit]>([
	['of an earlier question', { query: { question: 'q0' } }],
	['of no question', { query: {} }],
	['of several questions', { query: { question: ['q1', 'q0'] } }],
	['of a node that has kept no question', { kept: undefined }],
	['of neither', { query: {}, kept: undefined }],
])('the link of a question is closed if it is that %s, even to a reply', async (_, more) => {
	const closed = shown(410, outdatedPage(reader));
	expect(await answer(more)).toEqual(closed);
	expect(await answer({ method: 'POST', body: { answer: 'approve' }, ...more })).toEqual(closed);
});

describe('a reply', () => {
	beforeEach(() => {
		jest.useFakeTimers();
		jest.setSystemTime(new Date('2026-02-03T04:05:06.007Z'));
	});
	afterEach(() => void jest.useRealTimers());

	/** n8n sends the page, and the execution continues with one item. */
	const recorded = (words: string, data: object, question: Question = approval) => ({
		told: {
			webhookResponse: thanksPage(question, words, reader),
			workflowData: [
				[
					{
						json: { data: { ...data, respondedAt: '2026-02-03T04:05:06.007Z' } },
						pairedItem: { item: 0 },
					},
				],
			],
		},
		response: { headers: headers() },
	});

	it('a reply is one item, with the time, and n8n sends the thanks', async () => {
		expect(await post({ answer: 'approve' })).toEqual(recorded('Yes', { approved: true }));
		expect(await post({ answer: 'decline' })).toEqual(recorded('No', { approved: false }));
		expect(await post({ text: 'Too late' }, freeText)).toEqual(
			recorded('Too late', { text: 'Too late' }, freeText),
		);
	});

	it('a reply that does not count is asked for again, and the execution waits on', async () => {
		const asks = (question: Question, refused: Refusal) =>
			shown(422, questionPage(question, reader, { refused }));
		expect(await post({})).toEqual(asks(approval, { refusal: 'choose' }));
		const typed = 'a'.repeat(10_001);
		expect(await post({ text: typed }, freeText)).toEqual(
			asks(freeText, { refusal: 'tooLong', typed }),
		);
	});

	it('a reply is asked for, thanked for and refused in the language of the browser', async () => {
		const language = 'id-ID,id;q=0.9,en;q=0.8';
		const pages = await Promise.all([
			answer({ language }),
			answer({ language, method: 'POST', body: {} }),
			answer({ language, query: {} }),
		]);
		for (const { response } of pages) expect(response.body).toContain('<html lang="id" dir="ltr">');
		const { told } = await answer({ language, method: 'POST', body: { answer: 'approve' } });
		expect(told.webhookResponse).toContain('Terima kasih, jawaban Anda sudah dicatat.');
	});

	it.each([
		['counts until the last moment', 1, false],
		['is refused from the moment at which the time is over', 0, true],
	])('a reply with a time limit %s', async (_, left, isOver) => {
		const until = Date.now() + left;
		const limited = { kept: kept(approval, until) };
		const deadline = { until: new Date(until), left, timezone: 'Asia/Jakarta' };
		expect(await answer(limited)).toEqual(
			isOver
				? shown(410, overPage(approval, reader))
				: shown(200, questionPage(approval, reader, { deadline })),
		);
		const posted = await answer({ ...limited, method: 'POST', body: { answer: 'approve' } });
		expect(posted).toEqual(
			isOver ? shown(410, overPage(approval, reader)) : recorded('Yes', { approved: true }),
		);
	});
});
