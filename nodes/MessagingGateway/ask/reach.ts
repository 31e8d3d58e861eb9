const OWN_ADDRESS = /^(?:localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|internal|lan|home\.arpa))$/;
const PRIVATE_IPV4 = /^(?:0|10|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/;
const PRIVATE_IPV6 = /^\[(?:f[cd]|fe[89ab])/;

/** Returns where alone an address can be opened; undefined if it may lead there from the internet. */
export function onlyPlaceOf(address: string): 'computer' | 'network' | undefined {
	if (!URL.canParse(address)) return undefined;
	const hostname = new URL(address).hostname.replace(/\.$/, '');
	if (OWN_ADDRESS.test(hostname)) return 'computer';
	const isLocal = hostname.startsWith('[')
		? PRIVATE_IPV6.test(hostname)
		: LOCAL_NAME.test(hostname) || PRIVATE_IPV4.test(hostname);
	return isLocal ? 'network' : undefined;
}
