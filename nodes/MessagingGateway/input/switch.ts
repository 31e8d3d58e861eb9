const ON = /^(?:true|yes|on|1)$/i;
const OFF = /^(?:false|no|off|0|)$/i;

/**
 * Returns whether a value switches something on, in what queries, forms, sheets and models write for yes and no.
 * Undefined if it is anything else: nobody knows what was meant.
 */
export function parseSwitch(value: unknown): boolean | undefined {
	if (!['boolean', 'number', 'string'].includes(typeof value)) return undefined;
	const word = value === '' ? '' : String(value).trim() || ' ';
	if (ON.test(word)) return true;
	return OFF.test(word) ? false : undefined;
}
