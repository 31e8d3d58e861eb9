/* global document, EventSource */
const list = document.getElementById('messages');
const state = document.getElementById('state');
const search = document.getElementById('search');
const MOST_SHOWN = 500;

const KINDS = {
	'v1/send': 'Text',
	'v1/sendbulk': 'Bulk text',
	'v1/sendgroup': 'Group text',
	'v2/send-image': 'Image',
	'v2/send-group-image': 'Group image',
	'v2/send-document': 'Document',
	'v2/send-group-document': 'Group document',
};

let total = 0;

/** Everything that comes from a message goes in as text, never as markup. */
function element(name, className, text) {
	const made = document.createElement(name);
	if (className) made.className = className;
	if (text !== undefined) made.textContent = text;
	return made;
}

function sizeText(bytes) {
	if (bytes < 1024) return `${bytes} bytes`;
	const inKilobytes = bytes < 1024 * 1024;
	const value = bytes / (inKilobytes ? 1024 : 1024 * 1024);
	return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${inKilobytes ? 'KB' : 'MB'}`;
}

function recipientText({ groupId, recipients, recipientCount }) {
	if (groupId !== undefined) return `Group ${groupId}`;
	return recipientCount === 1 ? recipients[0] : `${recipientCount} numbers`;
}

function head(message) {
	const row = element('div', 'head');
	row.append(
		element('h2', 'to', recipientText(message)),
		element('span', 'badge', KINDS[message.endpoint]),
		element('time', '', `${message.at} UTC`),
	);
	return row;
}

function recipientList({ recipients, recipientCount }) {
	const details = element('details');
	const more = recipientCount - recipients.length;
	details.append(
		element('summary', '', `Show the ${recipientCount} numbers`),
		element('p', 'small', recipients.join(', ') + (more > 0 ? ` and ${more} more` : '')),
	);
	return details;
}

function fileRow({ queueId, file }) {
	const row = element('div', 'file');
	if (file.isImage) {
		const image = element('img');
		image.src = `inbox/images/${encodeURIComponent(queueId)}`;
		image.alt = `Preview of ${file.name}`;
		row.append(image);
	}
	const facts = element('div');
	facts.append(
		element('div', 'file-name', file.name),
		element('div', 'small', sizeText(file.size)),
	);
	row.append(facts);
	return row;
}

function card(message) {
	const item = element('li', 'message');
	item.dataset.words = [
		recipientText(message),
		message.recipients.join(' '),
		message.text ?? '',
		message.file?.name ?? '',
		KINDS[message.endpoint],
	]
		.join(' ')
		.toLowerCase();
	item.append(head(message));
	if (message.groupId !== undefined && message.recipientCount > 0) {
		item.append(element('div', 'small', `with number ${message.recipients[0]}`));
	}
	if (message.text) item.append(element('p', 'text', message.text));
	if (message.file) item.append(fileRow(message));
	if (message.recipientCount > 1) item.append(recipientList(message));
	return item;
}

function add(message) {
	list.prepend(card(message));
	if (list.children.length > MOST_SHOWN) list.lastElementChild.remove();
}

function refresh() {
	const words = search.value.trim().toLowerCase();
	let shown = 0;
	for (const item of list.children) {
		item.hidden = !item.dataset.words.includes(words);
		if (!item.hidden) shown++;
	}
	document.getElementById('empty').hidden = list.children.length > 0;
	document.getElementById('nothing-found').hidden = shown > 0 || list.children.length === 0;
	const all = `${total} ${total === 1 ? 'message' : 'messages'}`;
	state.textContent = words === '' ? `${all} queued` : `${shown} of ${all}`;
}

const updates = new EventSource('inbox/updates');
updates.addEventListener('inbox', ({ data }) => {
	const inbox = JSON.parse(data);
	list.replaceChildren();
	inbox.messages.forEach(add);
	total = inbox.total;
	refresh();
});
updates.addEventListener('queued', ({ data }) => {
	add(JSON.parse(data));
	total++;
	refresh();
});
updates.addEventListener('error', () => {
	state.textContent = 'The gateway does not answer. Trying again …';
});
search.addEventListener('input', refresh);
