import type { NodeExecutionHint } from 'n8n-workflow';

import type { HintInput, Sums } from './sums';
import { quote } from '../shared/quote';
import { count, figure, firstOf, info, warning } from './figures';

/** Who got nothing, on purpose. */
export function skips(
	{ settings, hasFixedKey }: HintInput,
	sums: Sums,
): Array<NodeExecutionHint | undefined> {
	const { duplicates, skippedByKey, earlierRequests, noNumbers, keys } = sums;
	const why = settings.dryRun
		? 'an earlier item has the same key'
		: 'a message with that key is already queued, or may be. To send it again, change the key';
	const fixed = hasFixedKey
		? ' The key is a fixed text, the same for every item and every execution: use an expression that differs for each message, e.g. {{ $json.orderId }}.'
		: '';
	return [
		info(
			duplicates > 0 &&
				`${count(duplicates, 'duplicate phone number')} skipped: each number gets the same text only once.`,
		),
		(hasFixedKey ? warning : info)(
			skippedByKey > 0 &&
				`${count(skippedByKey, 'item')} skipped because of the Send-Once Key: ${why}.${fixed}`,
		),
		info(
			settings.dryRun &&
				keys.size > 0 &&
				'A dry run does not look up the Send-Once Keys of earlier executions: a message that is already queued is shown as ready.',
		),
		info(
			earlierRequests > 0 &&
				`${count(earlierRequests, 'request')} ${earlierRequests === 1 ? 'was' : 'were'} already accepted in an earlier try of this execution, so ${earlierRequests === 1 ? 'it was' : 'they were'} not queued again.`,
		),
		warning(
			noNumbers.length > 0 &&
				`${noNumbers.length === 1 ? '1 entry was' : `${figure(noNumbers.length)} entries were`} left out of the list: ${firstOf(noNumbers)}.`,
		),
	];
}

/** What a person should check about recipients who got a message, or would get one. */
export function doubts({ settings }: HintInput, { hasNoCountryCode, looksLikeName }: Sums) {
	const went = settings.dryRun ? 'would go' : 'went';
	const groups = [...looksLikeName].map(quote);
	return [
		info(
			hasNoCountryCode.size > 0 &&
				`Messages ${went} to ${count(hasNoCountryCode.size, 'phone number')} with a leading 0 and without a country code: ${firstOf([...hasNoCountryCode])}. If your gateway does not know the country, set 'Default Country Code' in the credential, e.g. to 62.`,
		),
		warning(
			groups.length > 0 &&
				`${firstOf(groups)} ${groups.length === 1 ? 'looks like the name of a group, not like its ID' : 'look like the names of groups, not like their IDs'}. If nothing arrives, enter the ID that your gateway shows next to the name.`,
		),
	];
}
