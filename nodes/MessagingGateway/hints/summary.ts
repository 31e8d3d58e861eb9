import type { NodeExecutionHint } from 'n8n-workflow';

import { isFailure } from '../delivery/shipment';
import { nameOfCode } from '../numbers/plan';
import type { HintInput, Sums } from './sums';
import { count, figure, info, warning } from './figures';

const MOST_COUNTRIES = 8;

/**
 * Says what became of how many recipients; a warning if nothing is queued.
 *
 * @param isToldWhy another hint says that, and names the cause
 */
export function summaryOf(
	input: HintInput,
	sums: Sums,
	isToldWhy = false,
): NodeExecutionHint | undefined {
	const { recipients, settings } = input;
	const { dryRun, testNumber } = settings;
	const summary = `${count(recipients.length, 'recipient')}: ${partsOf(input, sums)}.${countriesOf(sums)}`;
	if (!dryRun) {
		if (recipients.length <= 1) return undefined;
		const isThrown = sums.notSent > 0 && !settings.continueOnFail;
		const isVain = sums.accepted + sums.uncertain === 0;
		return isVain && !isThrown && !isToldWhy
			? warning(`Nothing was queued. ${summary}`)
			: info(summary);
	}
	const stop =
		input.wouldStop && sums.accepted > 0 && sums.notSent > 0
			? " A run that sends stops at the first that is refused, unless 'On Error' of this node is 'Continue (using error output)'."
			: '';
	const outlook = `${summary} ${count(sums.requests, 'request')}${timeOf(input, sums)}.${stop}`;
	if (testNumber !== '') return testSummary(input, outlook);
	return info(`Dry run: nothing was queued. ${outlook}`);
}

/** Tells the countries, where there is more than one: a wrong one is seen at once. */
function countriesOf({ byCountryCode }: Sums): string {
	if (byCountryCode.size < 2) return '';
	const most = [...byCountryCode].sort(([, a], [, b]) => b - a);
	const named = most
		.slice(0, MOST_COUNTRIES)
		.map(
			([code, n]) => `${figure(n)} ${code === '' ? 'without a country code' : nameOfCode(code)}`,
		);
	const others = most.slice(MOST_COUNTRIES).reduce((sum, [, n]) => sum + n, 0);
	return ` By country: ${named.join(', ')}${others > 0 ? `, ${figure(others)} elsewhere` : ''}.`;
}

function partsOf({ recipients, settings: { dryRun } }: HintInput, sums: Sums): string {
	const tests = recipients.filter(isTest);
	const tested = (outcome: string) =>
		tests.filter((each) => each.outcome.outcome === outcome).length;
	const queued = dryRun ? tested('accepted') + sums.earlier : sums.accepted;
	const parts = [
		[sums.accepted - queued, dryRun ? 'ready' : ''],
		[queued, 'queued'],
		[sums.skipped, 'skipped'],
		[sums.notSent - tested('notSent'), dryRun ? 'refused' : 'not queued'],
		[tested('notSent'), 'not queued'],
		[sums.uncertain, 'uncertain'],
	] as const;
	const main = dryRun ? 'ready' : 'queued';
	return parts
		.filter(([n, word]) => n > 0 || word === main)
		.map(([n, word]) => `${figure(n)} ${word}`)
		.join(', ');
}

/** How long the requests take at the pace that the plan allows. */
function timeOf({ settings: { requestsPerMinute: rate } }: HintInput, { requests }: Sums): string {
	if (rate === 0 || requests === 0) return '';
	const minutes = Math.ceil(requests / rate);
	return `; about ${count(minutes, 'minute')} at ${count(rate, 'request')} per minute`;
}

function testSummary(
	{ recipients, settings }: HintInput,
	outlook: string,
): NodeExecutionHint | undefined {
	const test = recipients.find(isTest);
	if (!test) return warning(`Test: nothing was queued, as no message is ready. ${outlook}`);
	const { outcome } = test;
	if (!isFailure(outcome)) {
		return info(
			`Test: one message is queued to ${settings.testNumber}, and nothing to anybody else. ${outlook}`,
		);
	}
	const fact =
		outcome.outcome === 'notSent'
			? 'nothing was queued'
			: 'it is not certain that the message is queued';
	return warning(`Test: ${fact}. ${outcome.what}. ${outlook}`);
}

function isTest({ testOf }: HintInput['recipients'][number]): boolean {
	return testOf !== undefined;
}
