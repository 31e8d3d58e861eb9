const LOCAL_NAME = /^(?:[^.]+|.+\.(?:localhost|local|internal|lan|home\.arpa))$/;
const PRIVATE_IPV4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/;
const PRIVATE_IPV6 = /^\[(?:::1?\]|f[cd]|fe[89ab])/;

/** Whether an address leads nowhere outside this machine or its network. */
export function opensHereOnly(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { hostname } = new URL(address);
	if (hostname.startsWith('[')) return PRIVATE_IPV6.test(hostname);
	return LOCAL_NAME.test(hostname.replace(/\.$/, '')) || PRIVATE_IPV4.test(hostname);
}
