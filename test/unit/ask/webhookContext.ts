import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeType,
	type IRunExecutionData,
	type IWebhookFunctions,
} from 'n8n-workflow';

export interface Visit {
	/** The parameters of the link. */
	query?: IDataObject;
	method?: string;
	body?: unknown;
	/** The languages of the browser. */
	language?: string;
	/** The name of the node, which people choose. */
	name?: string;
	/** What the node has kept of its question. */
	kept?: string;
}

/** What a browser gets before n8n answers. */
export interface Reply {
	status?: number;
	headers?: object;
	body?: string;
}

/** A request to the link of a waiting execution, and the response to it, with n8n's own expressions. */
export function visit(wanted: Visit = {}): {
	context: IWebhookFunctions;
	response: Reply;
} {
	const { query = {}, method = 'GET', body, name = 'Ask', kept, language } = wanted;
	const response: Reply = {};
	const responseObject = {
		status(status: number) {
			response.status = status;
			return responseObject;
		},
		set(headers: object) {
			response.headers = headers;
			return responseObject;
		},
		send(html: string) {
			response.body = html;
			return responseObject;
		},
	};
	const context = {
		getNode: () => ({ name }),
		evaluateExpression: (expression: string) => evaluate(expression, name, kept),
		getRequestObject: () => ({ query, method, headers: { 'accept-language': language } }),
		getTimezone: () => 'Asia/Jakarta',
		getBodyData: () => body,
		getResponseObject: () => responseObject,
	};
	return { context: context as unknown as IWebhookFunctions, response };
}

/** Returns the value of an expression in an execution where only this node has kept something. */
function evaluate(expression: string, name: string, question?: string): unknown {
	const type = { description: { properties: [] } } as unknown as INodeType;
	const node: INode = {
		id: '1',
		name,
		type: 'node',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	const data = {
		executionData: { contextData: { [`node:${name}`]: { question } } },
		resultData: { runData: {} },
	} as unknown as IRunExecutionData;
	return workflow.expression.resolveSimpleParameterValue(
		`=${expression}`,
		{},
		data,
		0,
		0,
		name,
		[],
		'webhook',
		{},
	);
}
