/**
 * The output of each operation, for n8n's editor, which shows these fields to the next node before anything has run.
 * n8n looks schemas up by resource and operation only, so each has the fields of both choices of the option Output:
 * the gateway's answer, then a row for each recipient.
 */
const text = { type: 'string' };
const object = (properties) => ({ type: 'object', properties });

/** The queued message that the gateway shows for a file to one number. */
const record = object({
	queue_id: text,
	uuid: text,
	user_id: text,
	device_id: text,
	phone: text,
	message: text,
	attachment_id: text,
	type: text,
	category: text,
	status: text,
	updated_at: text,
	created_at: text,
});

const answer = { code: { type: 'integer' }, message: text };
const row = { to: text, status: text };
const ofText = object({ ...answer, ...row });
const ofFile = object({ ...answer, data: record, ...row, queueId: text });
/** The API does not show the answer to a file for a group. */
const ofGroupFile = ofText;
const ofQuestion = object({
	data: object({ approved: { type: 'boolean' }, text, respondedAt: text }),
});

/** By resource and operation. */
module.exports = {
	text: { send: ofText, sendAndWait: ofQuestion, sendBulk: ofText, sendToGroup: ofText },
	image: { send: ofFile, sendToGroup: ofGroupFile },
	document: { send: ofFile, sendToGroup: ofGroupFile },
};
