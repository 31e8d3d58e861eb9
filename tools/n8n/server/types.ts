import type { IDataObject, IConnections, INode, IRunExecutionData } from 'n8n-workflow';

export interface CredentialToImport {
	id: string;
	name: string;
	type: string;
	data: IDataObject;
}

export interface NewWorkflow {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IDataObject;
}

export interface WorkflowToImport extends NewWorkflow {
	id: string;
}

export interface SavedWorkflow extends WorkflowToImport {
	versionId: string;
	active: boolean;
}

export interface SavedCredential {
	id: string;
	name: string;
	type: string;
}

export interface SavedDataTable {
	id: string;
	/** Of its address in n8n's API. */
	path: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export type ExecutionStatus =
	'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed' | 'unknown';

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
	retryOf: string | null;
	startedAt: string | null;
	stoppedAt: string | null;
	/** Until when it waits, where it does. */
	waitTill?: string | null;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}
