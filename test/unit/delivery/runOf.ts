/** A run, as a test sets it. */
import type {
	Account,
	ExecutionFacts,
	RunContext,
	RunFacts,
	RunOptions,
} from '../../../nodes/MessagingGateway/delivery/runContext';

/** Everything that a run is told, in one list. */
export type RunSettings = RunOptions &
	Account &
	Omit<RunFacts, 'n8n'> &
	ExecutionFacts & { testNumber: string };

const SETTINGS: RunSettings = {
	maxConcurrency: 5,
	batchSize: 0,
	batchInterval: 0,
	randomDelay: 0,
	maxRetries: 3,
	numbersPerRequest: 500,
	resendUncertain: false,
	subscription: '',
	requestsPerMinute: 0,
	mode: 'send',
	perRecipient: false,
	continueOnFail: true,
	hasErrorOutput: false,
	retryOnFail: false,
	isManual: false,
	isRetry: false,
	isLaterRun: false,
	isSubWorkflow: false,
	isTool: false,
	timeLimit: 0,
	endsAt: Infinity,
	testNumber: '',
};

export function runOf(settings: Partial<RunSettings> = {}): Omit<RunContext, 'ports'> {
	const all = { ...SETTINGS, ...settings };
	const { mode, perRecipient, testNumber } = all;
	return { mode, perRecipient, n8n: all, account: all, options: all, testNumber };
}
