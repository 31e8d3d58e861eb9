const OWN_ADDRESS = /^(?:localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|internal|lan|home\.arpa))$/;
const PRIVATE_IPV4 = /^(?:0|10|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/;
const PRIVATE_IPV6 = /^\[(?:f[cd]|fe[89ab])/;

/** Returns the only place from which an address can be opened; undefined if it may be the whole internet. */
export function onlyPlaceOf(address: string): 'computer' | 'network' | undefined {
	if (!URL.canParse(address)) return undefined;
	const hostname = new URL(address).hostname.replace(/\.$/, '');
	if (OWN_ADDRESS.test(hostname)) return 'computer';
	const isLocal = hostname.startsWith('[')
		? PRIVATE_IPV6.test(hostname)
		: LOCAL_NAME.test(hostname) || PRIVATE_IPV4.test(hostname);
	return isLocal ? 'network' : undefined;
}

/** Returns the path that stands in front of n8n's own in the address of a waiting execution; '' if none does. */
export function pathInFront(address: string): string {
	if (!URL.canParse(address)) return '';
	// The last three parts are n8n's own: its endpoint, the execution and the node.
	return new URL(address).pathname.split('/').slice(0, -3).join('/');
}
