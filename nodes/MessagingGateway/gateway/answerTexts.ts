/** The texts that people read about the gateway's answers. */

import { LOOK_FIRST } from './outcome';

/** One sentence without its period, and the advice that follows it. */
export interface Texts {
	what: string;
	advice: string;
}

/** The parts of a request that the texts about its refusal mention. */
export interface Refused {
	path: string;
	baseUrl: string;
	pathAdvice?: string;
	hasFile: boolean;
}

/** The texts for statuses that say why the gateway refused a message. */
export const REFUSALS: Record<number, (refused: Refused) => Texts> = {
	401: rejectedToken,
	402: () => ({
		what: 'The gateway requires a payment: the plan may have expired, or its credit may be used up',
		advice: 'Renew the plan at your gateway, or ask its provider.',
	}),
	403: () => ({
		what: 'The gateway does not allow this message',
		advice: 'Ask the provider of the gateway what this access token and this device may send.',
	}),
	404: ({ path, baseUrl, pathAdvice }) => ({
		what: `The gateway does not know the path ${path}`,
		advice: `Correct the Base URL in the credential (now ${baseUrl}).${pathAdvice ? ` ${pathAdvice}` : ''}`,
	}),
	405: ({ path, baseUrl }) => ({
		what: `The gateway accepts no messages at the path ${path}`,
		advice: `Correct the Base URL in the credential (now ${baseUrl}).`,
	}),
	407: () => ({
		what: 'A proxy between n8n and the gateway requires a sign-in',
		advice: "Ask the administrator of n8n to configure the proxy's user name and password.",
	}),
	410: ({ path, baseUrl }) => ({
		what: `The path ${path} no longer exists at the gateway`,
		advice: `Ask the provider of the gateway for the Base URL (now ${baseUrl}).`,
	}),
	413: ({ hasFile }) =>
		hasFile
			? {
					what: 'The file is too large for the gateway',
					advice: 'Send a smaller file, or ask the provider of the gateway for the limit.',
				}
			: {
					what: 'The message is too large for the gateway',
					advice: "Shorten the text. For many numbers, lower the option 'Numbers per Request'.",
				},
	419: ({ baseUrl }) => ({
		what: 'The gateway answered like a web page, not like an API',
		advice: `Correct the Base URL in the credential (now ${baseUrl}).`,
	}),
	440: rejectedToken,
	498: rejectedToken,
};

/** The statuses whose texts are about the path. */
export const ABOUT_PATH: ReadonlySet<number> = new Set([404, 405, 407, 410, 419]);

function rejectedToken({ baseUrl }: Refused): Texts {
	return {
		what: 'The gateway rejected the access token',
		advice: `Copy the token from your gateway into the credential again, or correct the Base URL (now ${baseUrl}).`,
	};
}

export const REFUSED = 'The gateway refused the message';

/** The advice after a refusal. */
export const CORRECTIONS = {
	device: "Check the Device ID in the credential, and the option 'Device ID' if you set it.",
	named: 'Correct the value that the gateway names.',
	unknown:
		'The gateway does not say why. Check the Device ID and what this item sends, or ask the provider of the gateway.',
};

/** The texts for answers that do not say whether the gateway accepted the message. */
export const UNUSABLE = {
	noAnswer: 'The gateway did not send a usable answer',
	endless: 'The gateway sent an answer that is too long',
	cutOff: 'The gateway sent an answer that was cut off',
	notJson: 'The gateway sent an answer that is not JSON',
	empty: 'The gateway sent an empty answer',
	noCode: 'The gateway sent an answer without a result code',
	seeOther:
		'The gateway answered with a redirect that does not say whether it accepted the message',
};

export const CONTRADICTORY: Texts = {
	what: 'The gateway reported success and an error in the same answer',
	advice: `${LOOK_FIRST} If it is not there, ask the provider of the gateway what this answer means.`,
};

export const CHECK_OUTBOX_AND_BASE_URL = `${LOOK_FIRST} Also check that the Base URL in the credential leads to the gateway itself.`;

export const BUSY = {
	tooMany: 'The gateway is not accepting more messages right now',
	unavailable: 'The gateway is temporarily unavailable',
	advice:
		"Set 'Requests per Minute' in the credential to the limit of your plan, or send fewer messages at once with the options 'Batching' and 'Max Concurrency'.",
};

export const BROKEN = 'The gateway reported an internal error while it handled the message';

export const FILE_NOT_SENT_WHOLE: Texts = {
	what: 'The gateway answered before it had received the whole file',
	advice: LOOK_FIRST,
};

export const BLOCKED: Texts = {
	what: 'Something in front of the gateway, such as Cloudflare or a firewall, blocked n8n',
	advice:
		'Ask the provider of the gateway to let n8n through. Requests of n8n have the user agent “n8n”.',
};
