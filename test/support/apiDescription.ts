/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Holds requests against docs/gateway.openapi.yaml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import { parse } from 'yaml';
import type { ReceivedBody } from '../../practice-gateway/index';

export const API_DESCRIPTION = join(__dirname, '../../docs/gateway.openapi.yaml');

interface Schema {
	$ref?: string;
	properties?: Record<string, unknown>;
}

interface Description {
	paths: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
	components: { schemas: Record<string, Schema> };
}

const MEDIA_TYPES = {
	json: 'application/json',
	form: 'application/x-www-form-urlencoded',
	multipart: 'multipart/form-data',
};

export class ApiDescription {
	private readonly description: Description;
	private readonly ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
	private readonly compiled = new Map<Schema, ValidateFunction>();

	constructor(file = API_DESCRIPTION) {
		this.description = parse(readFileSync(file, 'utf8')) as Description;
		this.ajv.addSchema({ $id: 'api', components: this.description.components });
	}

	/** What of a request the description does not allow, or does not name. */
	problemsOf({ path, format, fields, file }: ReceivedBody): string[] {
		const described = this.description.paths[path.replace(/:(\w+)/, '{$1}')]?.post.requestBody;
		if (!described) return [`${path} is not described`];
		const schema = described.content[MEDIA_TYPES[format]]?.schema;
		if (!schema) return [`${path}: ${MEDIA_TYPES[format]} is not described`];

		const validate = this.validatorOf(schema);
		const value = asDescribed(fields, file?.field);
		validate(value);
		const { properties = {} } = this.resolved(schema);
		const unknown = Object.keys(value).filter((name) => !(name in properties));
		return [
			...(validate.errors ?? []).map(
				({ instancePath, message }) => `${path}: ${instancePath || 'the body'} ${message ?? ''}`,
			),
			...unknown.map((name) => `${path}: the field ${name} is not described`),
		];
	}

	private validatorOf(schema: Schema): ValidateFunction {
		const known = this.compiled.get(schema);
		if (known) return known;
		const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
		const validate = this.ajv.compile(JSON.parse(text) as Schema);
		this.compiled.set(schema, validate);
		return validate;
	}

	private resolved(schema: Schema): Schema {
		const name = schema.$ref?.split('/').at(-1) ?? '';
		return this.description.components.schemas[name] ?? schema;
	}
}

/** A form names a list `number[]`, and a file is a field of its own. */
function asDescribed(fields: Record<string, unknown>, file?: string): Record<string, unknown> {
	const { 'number[]': list, ...others } = fields;
	return {
		...others,
		...(list === undefined ? {} : { number: [list].flat() }),
		...(file === undefined ? {} : { [file]: '' }),
	};
}
