import type { Gateway } from '../gateway/request';
import type { Journal } from './memory/journal';
import type { KeyHistory } from './memory/keyHistory';

/** One run of the node: what a person has set, what n8n says about it, and what it acts on. */
export interface RunContext extends RunFacts {
	account: Account;
	options: RunOptions;
	ports: Ports;
	/** The number that gets the first message in a test; '' if there is none. */
	testNumber: string;
}

/** How the results of a run come out. It is known even if the run cannot start. */
export interface RunFacts {
	/** A dry run checks everything and sends nothing. A test is one that sends the first message to the test number. */
	mode: 'send' | 'dryRun' | 'test';
	/** One output item for each recipient instead of one for each request. */
	perRecipient: boolean;
	n8n: ExecutionFacts;
}

/** What n8n says about the execution and its node. */
export interface ExecutionFacts {
	/** The ID of this execution. */
	execution?: string;
	/** A person started this execution in the editor, and can start it again there. */
	isManual: boolean;
	/** A Retry reads the same data as before. */
	isRetry: boolean;
	/** This execution has run the node before, as in a loop. */
	isLaterRun: boolean;
	/** A Retry of the parent would start a new execution of the sub-workflow. */
	isSubWorkflow: boolean;
	/** An AI agent runs the node as a tool. */
	isTool: boolean;
	/** The node goes on with the other items after one has failed. */
	continueOnFail: boolean;
	/** Failures leave the node by its error output. */
	hasErrorOutput: boolean;
	/** n8n runs the node again when it fails (Retry On Fail). */
	retryOnFail: boolean;
	/** Seconds after which n8n stops the workflow; 0 or less is never. */
	timeLimit: number;
	/** By `performance.now()`: nobody waits for this run any longer. Infinity if it may take any time. */
	endsAt: number;
}

/** Whose plan the messages use. */
export interface Account {
	/** Equal for all executions that share a plan. */
	subscription: string;
	/** The limit of the plan; 0 is no limit. */
	requestsPerMinute: number;
}

/** The options that hold for all items. */
export interface RunOptions {
	/** At least 1. */
	maxConcurrency: number;
	/** Requests between two pauses; 0 is no pauses. */
	batchSize: number;
	/** Milliseconds of a pause. */
	batchInterval: number;
	/** Milliseconds, at most, added before each send. */
	randomDelay: number;
	/** Tries besides the first. */
	maxRetries: number;
	/** 0 is no limit. */
	numbersPerRequest: number;
	/** Send uncertain messages again when an execution is retried. */
	resendUncertain: boolean;
}

/** What a run acts on. */
export interface Ports {
	gateway: Gateway;
	/** n8n's record of the execution. */
	journal: Journal;
	/** n8n's history of Send-Once Keys. Must be closed. */
	keyHistory: KeyHistory;
	/** Aborts when the execution is canceled. */
	canceled?: AbortSignal;
	log(message: string): void;
}

/** Whether a run ends at the first failure. A dry run shows all of them. */
export function stopsAtFailure({ mode, n8n }: RunFacts): boolean {
	return mode === 'send' && !n8n.continueOnFail;
}
