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

/** The browser's own way to write a date and a time, in its own time zone. */
const LOCAL_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Without the period or bracket that ends a sentence. */
const WEB_ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

let total = 0;
let recipientTotal = 0;

/** Content from a message is inserted as text, never as markup. */
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

/** `1 message`, `5,000 messages` */
function counted(count, noun) {
	return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The ID of a text is that of a contact group, the ID of a file that of a chat group. */
function recipientText({ endpoint, groupId, recipients, recipientCount }) {
	if (groupId !== undefined) {
		return `${endpoint === 'v1/sendgroup' ? 'Contact group' : 'Chat group'} ${groupId}`;
	}
	return recipientCount === 1 ? recipients[0] : counted(recipientCount, 'recipient');
}

/** The gateway's times are in UTC, without a time zone. */
function timeOf({ at }) {
	const time = element('time');
	const date = new Date(`${at.replace(' ', 'T')}Z`);
	time.dateTime = date.toISOString();
	time.textContent = LOCAL_TIME.format(date);
	time.title = `${at} UTC`;
	return time;
}

function head(message) {
	const row = element('div', 'head');
	row.append(
		element('h2', 'to', recipientText(message)),
		element('span', 'badge', KINDS[message.endpoint]),
		timeOf(message),
	);
	return row;
}

function recipientList({ recipients, recipientCount }) {
	const details = element('details');
	const more = recipientCount - recipients.length;
	details.append(
		element('summary', '', `Show the ${counted(recipientCount, 'recipient')}`),
		element(
			'p',
			'small',
			recipients.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''),
		),
	);
	return details;
}

/** A text with clickable web addresses, such as the link under a question. */
function textOf(text) {
	const paragraph = element('p', 'text');
	for (const [index, part] of text.split(WEB_ADDRESS).entries()) {
		const isAddress = index % 2 === 1;
		paragraph.append(isAddress ? linkInTab(part, part) : part);
	}
	return paragraph;
}

function linkInTab(href, content) {
	const link = element('a');
	link.href = href;
	link.target = '_blank';
	link.rel = 'noopener noreferrer';
	link.append(content);
	return link;
}

/** Files that the browser can show open in a new tab. All others are saved. */
function linkTo({ queueId, file }, content) {
	if (!file.isKept) return content;
	const address = `outbox/files/${encodeURIComponent(queueId)}`;
	if (file.type) return linkInTab(address, content);
	const link = element('a');
	link.href = address;
	link.download = file.name;
	link.append(content);
	return link;
}

function preview({ queueId, file }) {
	const image = element('img');
	image.src = `outbox/files/${encodeURIComponent(queueId)}`;
	image.alt = `Preview of ${file.name}`;
	return image;
}

function fileRow(message) {
	const { file } = message;
	const row = element('div', 'file');
	if (file.type === 'jpeg' || file.type === 'png') {
		const opened = linkTo(message, preview(message));
		// The name beside it is the same link, so the keyboard needs only one stop.
		opened.tabIndex = -1;
		row.append(opened);
	}
	const name = element('div', 'file-name');
	name.append(linkTo(message, document.createTextNode(file.name)));
	const facts = element('div');
	const size = sizeText(file.size);
	facts.append(name, element('div', 'small', file.isKept ? size : `${size}, not kept here`));
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
	item.dataset.numbers = message.recipients.map((number) => ` ${digitsOf(number)}`).join('');
	item.append(head(message));
	if (message.groupId !== undefined && message.recipientCount > 0) {
		item.append(element('div', 'small', `with number ${message.recipients[0]}`));
	}
	if (message.text) item.append(textOf(message.text));
	if (message.file) item.append(fileRow(message));
	if (message.recipientCount > 1) item.append(recipientList(message));
	return item;
}

function add(message) {
	list.prepend(card(message));
	if (list.children.length > MOST_SHOWN) list.lastElementChild.remove();
}

function digitsOf(number) {
	return number.replace(/\(0\)/g, '').replace(/\D/g, '');
}

/**
 * Returns the search terms for the recipients' digits, so that 0812… finds 62812… and +62 812… finds 0812…. A country
 * code has one to three digits.
 */
function partsOfNumber(words) {
	const digits = digitsOf(words);
	const inner = digits.replace(/^0+/, '');
	if (inner === '' || /[^\d\s+().\p{Pd}]/u.test(words)) return [];
	const isLocal = /^0(?!0)/.test(digits);
	const codes = isLocal ? [] : [1, 2, 3].filter((length) => inner.length > length + 2);
	return [inner, ...codes.map((length) => ` 0${inner.slice(length)}`)];
}

function refresh() {
	const words = search.value.trim().toLowerCase();
	const numbers = partsOfNumber(words);
	let shown = 0;
	for (const item of list.children) {
		const { dataset } = item;
		const isFound =
			dataset.words.includes(words) || numbers.some((part) => dataset.numbers.includes(part));
		item.hidden = !isFound;
		if (!item.hidden) shown++;
	}
	document.getElementById('empty').hidden = list.children.length > 0;
	document.getElementById('nothing-found').hidden = shown > 0 || list.children.length === 0;
	const all = counted(total, 'message');
	state.textContent =
		words === ''
			? `${all} queued for ${counted(recipientTotal, 'recipient')}`
			: `${shown.toLocaleString('en-US')} of ${all}`;
}

function count(sums) {
	({ total, recipientTotal } = sums);
	refresh();
}

const updates = new EventSource('outbox/updates');
updates.addEventListener('outbox', ({ data }) => {
	const outbox = JSON.parse(data);
	list.replaceChildren();
	outbox.messages.forEach(add);
	count(outbox);
});
updates.addEventListener('queued', ({ data }) => {
	const queued = JSON.parse(data);
	add(queued.message);
	count(queued);
});
updates.addEventListener('error', () => {
	state.textContent = 'The gateway does not answer. Trying again …';
});
search.addEventListener('input', refresh);
