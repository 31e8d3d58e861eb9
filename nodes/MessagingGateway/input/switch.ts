const ON = /^(?:true|yes|on|1)$/i;
const OFF = /^(?:false|no|off|0|)$/i;

/**
 * Returns whether a value means yes or no, as queries, forms, sheets and models write it. Undefined for anything else.
 */
export function parseSwitch(value: unknown): boolean | undefined {
	if (!['boolean', 'number', 'string'].includes(typeof value)) return undefined;
	const word = value === '' ? '' : String(value).trim() || ' ';
	if (ON.test(word)) return true;
	return OFF.test(word) ? false : undefined;
}
