import type { DeliverySettings } from '../delivery/deliverySettings';
import type { Result } from '../delivery/result';
import type { Row } from '../delivery/row';
import { countryCodeIn } from '../numbers/plan';
import type { HoleReport } from '../operations/textHoles';
import { Breather } from '../shared/breather';
import { isNotTried } from './cause';

/** What the hints of one run are made of. */
export interface HintInput {
	rows: readonly Row[];
	/** By request, and by recipient. */
	requests: readonly Result[];
	recipients: readonly Result[];
	/** Send-Once Keys that n8n could not free. */
	unreleasedKeys: readonly string[];
	/** Send-Once Keys of messages that an earlier try has sent, which n8n could not record. */
	unrecordedKeys: readonly string[];
	settings: DeliverySettings;
	/** Seconds after which n8n stops the workflow; 0 or less is never. */
	timeLimit: number;
	/** "Remove Duplicates" is in the way of the lock by which one worker at a time records keys. */
	lacksLock: boolean;
	/** The Send-Once Key has no expression. */
	hasFixedKey: boolean;
	/** What was seen in the options before anything was sent. */
	warnings: readonly string[];
	/** How many numbers in Skip Numbers have no country code, and none is set. */
	localOptOuts: number;
	/** What is missing in the texts. */
	holes: readonly HoleReport[];
	/** The recipients are phone numbers, not groups. */
	hasNumbers: boolean;
	/** Send Bulk could send the same texts. */
	hasBulk: boolean;
	/** Without the dry run, the node would stop at the first message that is refused. */
	wouldStop: boolean;
}

/** The sums that hints are about. */
export interface Sums {
	/** Recipients by what became of them. */
	accepted: number;
	/** Those of the accepted that went out in an earlier try. */
	earlier: number;
	skipped: number;
	notSent: number;
	uncertain: number;
	duplicates: number;
	/** Values of lists that are no numbers, each with what is wrong with it. */
	noNumbers: string[];
	/** `requests` are those that this run made, or would make. */
	requests: number;
	uncertainRequests: number;
	earlierRequests: number;
	skippedByKey: number;
	/** Recipients who got a message, or would get one, and should be checked. */
	hasNoCountryCode: Set<string>;
	looksLikeName: Set<string>;
	/** The Send-Once Keys of the items. */
	keys: Set<string>;
	/** Whether a recipient has a country code. */
	hasInternational: boolean;
	/** By country code, '' for none: recipients who got a message, or would get one. */
	byCountryCode: Map<string, number>;
}

/** Resolves to the sums that hints are about. */
export async function sumsOf({
	rows,
	requests,
	recipients,
	settings,
	hasNumbers,
}: HintInput): Promise<Sums> {
	const breather = new Breather();
	const sums = newSums();
	for (const { outcome, isEarlier, to } of recipients) {
		if (breather.isDue()) await breather.breathe();
		sums[outcome.outcome]++;
		if (outcome.outcome === 'accepted' && hasNumbers && to !== undefined) {
			const code = countryCodeIn(to);
			sums.byCountryCode.set(code, (sums.byCountryCode.get(code) ?? 0) + 1);
		}
		if (isEarlier && outcome.outcome === 'accepted') sums.earlier++;
		if (outcome.outcome !== 'skipped') continue;
		if (outcome.why === 'sameNumber' && !isEarlier) sums.duplicates++;
		if (outcome.why === 'noNumber') sums.noNumbers.push(outcome.what);
	}
	for (const { outcome, isEarlier } of requests) {
		const isAccepted = outcome.outcome === 'accepted';
		if (outcome.outcome === 'uncertain' && outcome.cause !== 'replyElsewhere')
			sums.uncertainRequests++;
		if (outcome.outcome === 'skipped' && outcome.why === 'sendOnceKey') sums.skippedByKey++;
		if (isEarlier && isAccepted) sums.earlierRequests++;
		const isMade = settings.dryRun
			? isAccepted
			: outcome.outcome !== 'skipped' && !isNotTried(outcome);
		if (isMade && !isEarlier) sums.requests++;
	}
	for (const { recipient, shipment, sendOnceKey } of rows) {
		if (breather.isDue()) await breather.breathe();
		if (sendOnceKey !== '') sums.keys.add(sendOnceKey);
		const isSent = shipment?.outcome?.outcome === 'accepted';
		if (isSent && recipient?.doubt) sums[recipient.doubt].add(recipient.to);
		if (recipient && !recipient.to.startsWith('0')) sums.hasInternational = true;
	}
	return sums;
}

function newSums(): Sums {
	return {
		accepted: 0,
		earlier: 0,
		skipped: 0,
		notSent: 0,
		uncertain: 0,
		duplicates: 0,
		noNumbers: [],
		requests: 0,
		uncertainRequests: 0,
		earlierRequests: 0,
		skippedByKey: 0,
		hasNoCountryCode: new Set(),
		looksLikeName: new Set(),
		keys: new Set(),
		hasInternational: false,
		byCountryCode: new Map(),
	};
}
