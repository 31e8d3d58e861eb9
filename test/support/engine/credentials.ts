import type {
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	ICredentialType,
	ICredentialsHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	IRequestOptionsSimplified,
	Workflow,
} from 'n8n-workflow';
import type { Host } from './host';

type GetDecrypted = ICredentialsHelper['getDecrypted'];

/**
 * n8n's credential store, in memory. Decrypts and authenticates as n8n's own store does, and counts
 * the reads.
 */
export class CredentialStore implements ICredentialsHelper {
	/** How often a credential was decrypted; n8n reads its database each time. */
	reads = 0;

	private readonly stored = new Map<string, ICredentialDataDecryptedObject>();

	constructor(
		private readonly n8n: Host['n8n'],
		private readonly types: ReadonlyMap<string, ICredentialType>,
	) {}

	save(id: string, data: ICredentialDataDecryptedObject) {
		this.stored.set(id, data);
	}

	async getDecrypted(...args: Parameters<GetDecrypted>): ReturnType<GetDecrypted> {
		const [, { id, name }, type, mode, executeData, raw, resolve] = args;
		const data = this.stored.get(id ?? '');
		if (!data) throw new Error(`There is no credential "${name}"`);
		this.reads++;
		if (raw) return { ...data };

		const complete = this.n8n.NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			data as INodeParameters,
			true,
			false,
			null,
			null,
		) as INodeParameters;
		if (!resolve) return complete as ICredentialDataDecryptedObject;
		return resolve.workflow.expression.getParameterValue(
			complete,
			resolve.runExecutionData,
			resolve.runIndex,
			resolve.itemIndex,
			resolve.node.name,
			resolve.connectionInputData,
			mode,
			{},
			executeData,
			false,
			complete,
		) as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const request = options as IHttpRequestOptions;
		const { authenticate } = this.type(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		if (!authenticate) return request;
		if (!workflow || !node) throw new Error('A declarative credential needs a workflow and a node');

		request.headers ??= {};
		return applyGeneric(authenticate, request, (value) => {
			if (!value.startsWith('=')) return value;
			const keys = { $credentials: credentials };
			const { expression } = workflow;
			const resolved = expression.getSimpleParameterValue(
				node,
				value,
				'internal',
				keys,
				undefined,
				'',
			);
			return resolved ? String(resolved) : '';
		});
	}

	getCredentialsProperties(typeName: string) {
		return this.type(typeName).properties;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials({ name }: INodeCredentialsDetails): Promise<never> {
		throw new Error(`The credential "${name}" is not stored in encrypted form here`);
	}

	async updateCredentials({ name }: INodeCredentialsDetails): Promise<never> {
		throw new Error(`A node must not change the credential "${name}"`);
	}

	async updateCredentialsOauthTokenData({ name }: INodeCredentialsDetails): Promise<never> {
		throw new Error(`The credential "${name}" is not an OAuth one`);
	}

	private type(name: string): ICredentialType {
		const type = this.types.get(name);
		if (!type) throw new Error(`There is no credential type "${name}"`);
		return type;
	}
}

function applyGeneric(
	{ properties }: IAuthenticateGeneric,
	request: IHttpRequestOptions,
	resolve: (value: string) => string,
) {
	const parts = request as unknown as Record<string, Record<string, string>>;
	for (const [part, values] of Object.entries(properties)) {
		const target = (parts[part] ??= {});
		for (const [name, value] of Object.entries(values)) {
			target[resolve(name)] = resolve(String(value));
		}
	}
	return request;
}
