import {
	factOf,
	hasNotArrived,
	isBusy,
	notSent,
	notSentBecauseOf,
	type Outcome,
	uncertain,
} from '../../../nodes/MessagingGateway/gateway/outcome';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
const said = { what: 'No number', advice: 'Enter one.' };
const refused = { outcome: 'notSent', origin: 'input', ...said };
const ADVICE = 'Check the parameters of this node for this item.';

it('a message that an error stops before its request says what an InputError says, and its step if it has one', () => {
	const { what, advice } = said;
	expect(notSentBecauseOf(new InputError(what, advice))).toStrictEqual(refused);
	expect(notSentBecauseOf(new InputError(what, advice, 'Ask.'))).toStrictEqual({
		...refused,
		step: 'Ask.',
	});
});

it('a message that an error stops before its request says what an InputError says that n8n has wrapped', () => {
	const cause = new InputError(refused.what, refused.advice);
	expect(notSentBecauseOf(new Error('wrapped', { cause }))).toStrictEqual(refused);
});

it('a message that an error stops before its request keeps that the InputError concerns all items', () => {
	const error = new InputError(refused.what, refused.advice);
	const failure = notSentBecauseOf(Object.assign(error, { isOfWholeRun: true }));
	expect(failure).toStrictEqual({ ...refused, cause: 'wholeRun' });
});

it.each<[string, unknown, string, string]>([
	['its message and description', { message: 'No', description: 'Do.' }, 'No', 'Do.'],
	['its message', new Error('No binary data'), 'No binary data', ADVICE],
	['its message if its description is blank', { message: 'No', description: '' }, 'No', ADVICE],
	[
		'its message if its description is undefined',
		{ message: 'No', description: 'undefined <a href="https://docs.n8n.io">More info</a>' },
		'No',
		ADVICE,
	],
	...[
		['message', 'Message'],
		['caption', 'Caption'],
		['binaryPropertyName', undefined],
	].map(([parameter, label]): [string, unknown, string, string] => [
		`the field ${parameter}`,
		Object.assign(new Error('invalid syntax'), { context: { parameter } }),
		'invalid syntax',
		label ? `Check the expression in '${label}' of this node for this item.` : ADVICE,
	]),
	...['paired_item_multiple_matches', 'paired_item_no_info'].map(
		(type): [string, unknown, string, string] => [
			`the node whose items n8n cannot match, ${type}`,
			Object.assign(new Error('Multiple'), { context: { type, nodeCause: 'Form' } }),
			'Multiple',
			'n8n cannot tell which item of “Form” belongs to this one. In the expression, use a field of this item, such as {{ $json.phone }}.',
		],
	),
	['its message if its description is no text', { message: 'No', description: 5 }, 'No', ADVICE],
	['its message without the period at its end', new Error('No a.b.'), 'No a.b', ADVICE],
	['what was thrown instead of an error', 'thrown', 'thrown', ADVICE],
	['that nothing was thrown', undefined, 'undefined', ADVICE],
	['that null was thrown', null, 'null', ADVICE],
])(
	'a message that an error stops before its request has of another error: %s',
	(_, error, what, advice) => {
		const outcome = { outcome: 'notSent', origin: 'input', what, advice };
		expect(notSentBecauseOf(error)).toStrictEqual(outcome);
	},
);

it.each([
	['was not queued', notSent(said), 'This message was not queued.'],
	['may be queued', uncertain(said), 'This message may or may not be queued.'],
	['has a fact of its own', notSent({ ...said, fact: 'Two are queued.' }), 'Two are queued.'],
])('the fact of a failure tells of a message that %s', (_, failure, fact) => {
	expect(factOf(failure)).toBe(fact);
});

const CAUSE = { what: 'Not sent', advice: 'Wait.' };

it.each<[string, Outcome, isBusy: boolean, hasNotArrived: boolean]>([
	['accepted', { outcome: 'accepted', envelope: { code: 200 } }, false, false],
	['refused for good', notSent(CAUSE), false, false],
	['uncertain', uncertain(CAUSE), false, false],
	[
		'uncertain, although the gateway asks for a pause',
		uncertain({ ...CAUSE, retry: { afterMs: 0 } }),
		true,
		false,
	],
	['not sent, because nobody can be reached', notSent({ ...CAUSE, retry: {} }), false, true],
	[
		'not sent, because the gateway is busy',
		notSent({ ...CAUSE, retry: { busy: true } }),
		true,
		false,
	],
	[
		'not sent, because the gateway asks for a pause',
		notSent({ ...CAUSE, retry: { afterMs: 1_000 } }),
		true,
		false,
	],
	['uncertain, and may be tried again', uncertain({ ...CAUSE, retry: {} }), false, false],
])(
	'a request that is %s says whether the gateway is busy, and whether it has not arrived',
	(_, outcome, busy, lost) => {
		expect([isBusy(outcome), hasNotArrived(outcome)]).toEqual([busy, lost]);
	},
);
