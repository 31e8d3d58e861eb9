import { denialIn } from '../../../nodes/MessagingGateway/gateway/denial';

/** As real gateways and frameworks write it. */
const NO = [
	...[false, 0, '0', 'false', 'FALSE', ' False ', 'no', 'failed', 'error', -1].flatMap((value) => [
		{ success: value },
		{ status: value },
		{ ok: value },
		{ result: value },
		{ Success: value },
		{ isSuccess: value },
		{ is_successful: value },
		{ Succeeded: value },
	]),
	...[400, 404, 429, 500, 503, 1001, '401', '502', '404 Not Found', '402 Payment Required'].flatMap(
		(value) => [
			{ status: value },
			{ statusCode: value },
			{ status_code: value },
			{ StatusCode: value },
			{ httpStatus: value },
			{ 'http-code': value },
			{ response_code: value },
			{ error_code: value },
			{ errorCode: value },
			{ errcode: value },
			{ errno: value },
		],
	),
	...['Failed', 'ERROR', 'SEND_FAILED', 'sendFailed', 'not-sent', 'Device is disconnected'],
	...['rejected', 'expired', 'Not Found', 'Message not sent', 'Invalid token', 'HTTP 429 Too Many'],
	...['gagal', 'GAGAL: nomor tidak terdaftar', 'fallido', 'no enviado', 'não enviado', 'échoué'],
	...['fehlgeschlagen', 'nicht gesendet', 'erro', 'فشل', 'विफल'],
]
	.flatMap<unknown>((each) =>
		typeof each === 'string' ? [{ status: each }, { data: { status: each } }] : each,
	)
	.concat([
		...[
			'Not a group',
			true,
			1,
			7,
			{ code: 7 },
			['x'],
			{ phone: ['is wrong'] },
			'true',
			'E101',
		].flatMap((value) => [
			{ error: value },
			{ errors: value },
			{ Error: value },
			{ has_error: value },
			{ errorMessage: value },
			{ exception: value },
			{ failed: value },
		]),
		{ error_code: 'DEVICE_OFFLINE' },
		{ errcode: 40001, errmsg: 'invalid credential' },
		{ data: { status: false } },
		{ data: { success: 'false' } },
		{ data: { success: 0 } },
		{ data: { status: 'KO' } },
		{ status: 'Connection Closed' },
		{ state: 'TIMED_OUT' },
		{ data: { error: 'No credit' } },
		{ data: [{ status: 'queued' }, { status: 'failed' }] },
		{ result: { status: 'error' } },
		{ status: { code: 500 } },
		{ meta: { code: 400 } },
		{ response: { data: { status: 'undelivered' } } },
		{ success: 0, failed: 3 },
		{ success: true, status: 'error' },
		{ status: 'success', error: 'Quota exceeded' },
		[{ status: 'error' }],
		false,
		'Group not found',
	]);

it.each(NO.map((each) => [JSON.stringify(each), each]))(
	'an answer says no: %s',
	(_json, answer) => {
		expect(denialIn(answer)).toEqual(expect.any(String));
		const envelope =
			Array.isArray(answer) || typeof answer !== 'object' ? { data: answer } : answer;
		if (typeof answer === 'object')
			expect(denialIn({ code: 200, message: 'ok', ...envelope })).toBeTruthy();
	},
);

/** What only looks like it. */
const YES = [
	...[
		false,
		0,
		'0',
		'',
		[],
		{},
		null,
		'false',
		'none',
		'No error',
		[null],
		{ code: 0, message: '' },
	].flatMap((value) => [
		{ error: value },
		{ errors: value },
		{ has_errors: value },
		{ error_code: value },
		{ errorMessage: value },
		{ failed: value },
	]),
	...[
		true,
		1,
		'1',
		'true',
		200,
		'200',
		'200 OK',
		201,
		'success',
		'OK',
		'ok',
		null,
		'',
		{},
		[],
	].flatMap((value) => [
		{ success: value },
		{ status: value },
		{ ok: value },
		{ result: value },
		{ data: { status: value } },
	]),
	...[0, '0', 200, '200', '00', '', null].flatMap((value) => [
		{ statusCode: value || 200 },
		{ resultCode: value },
		{ error_code: value },
		{ errcode: value, errmsg: 'ok' },
	]),
	...[
		'sent',
		'queued',
		'Pending',
		'PENDING_ACCEPTED',
		'processing',
		'scheduled',
		'submitted',
		'delivered',
	],
	...[
		'terkirim',
		'berhasil',
		'sukses',
		'enviado',
		'encolado',
		'sucesso',
		'erfolgreich',
		'envoyé',
		'تم',
		'सफल',
	],
	...[
		'Sent without errors',
		'60 sent, 0 failed',
		'failed: 0',
		'No problem',
		'Not yet sent',
		'notified',
	],
	...['sin errores', 'Sans erreur', 'Queued for 500 recipients', 'Errorless', 'unknown'],
]
	.flatMap<unknown>((each) =>
		typeof each === 'string' ? [{ status: each }, { data: { status: each } }] : each,
	)
	.concat([
		{},
		[],
		null,
		undefined,
		5,
		'queued',
		{ success: 500, failed: 0 },
		{ sent: 0, queued: 60 },
		{ data: { status: 0 } },
		{ data: { code: 483920 } },
		{
			data: { queue_id: '500', message: 'Payment failed: error 500. Do not reply.', phone: '400' },
		},
		{ message: 'error' },
		{ errcode: 0, errmsg: 'ok' },
		{ statusText: 'OK', warnings: ['slow'] },
		{ error_code: 200 },
		{ status: { code: 200, name: 'PENDING' } },
		{ success: { toString: 200 } },
		{ device: { status: 'offline' } },
	]);

it.each(YES.map((each) => [JSON.stringify(each) ?? 'undefined', each]))(
	'an answer only looks as if it said no: %s',
	(_json, answer) => {
		expect(denialIn(answer)).toBeUndefined();
	},
);

it('the field that says no is shown with its value, of limited length', () => {
	expect(denialIn({ code: 200, success: false })).toBe('success: false');
	expect(denialIn({ data: { status: 'Failed' } })).toBe('status: "Failed"');
	expect(denialIn({ error: 'x'.repeat(10_000) })?.length).toBeLessThan(400);
});
