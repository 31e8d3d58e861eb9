/** What to do about the name of a server that n8n cannot reach, or may not. */

/** Of a server in a URL. */
const IP = /^[\d.]+$|^\[/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/** The errors of n8n's protection of internal addresses. */
export const BLOCKED = /^Ssrf|UnknownConnectionHost/;

export function adviceOnBlocked(hostname: string): string {
	const setting = IP.test(hostname) ? 'N8N_SSRF_ALLOWED_IP_RANGES' : 'N8N_SSRF_ALLOWED_HOSTNAMES';
	return `Ask the administrator of n8n to add ${hostname.replace(/[[\]]/g, '')} to ${setting}.`;
}

/** Returns advice about a name that means another computer in a container than outside of it; undefined for others. */
export function adviceOnDocker(hostname: string): string | undefined {
	if (LOOPBACK.test(hostname)) {
		return `In Docker, ${hostname} is n8n's own container: enter the name of the other container instead, or host.docker.internal for your computer.`;
	}
	if (hostname === 'host.docker.internal') {
		return 'Start the container of n8n with --add-host=host.docker.internal:host-gateway, or correct the address.';
	}
	if (IP.test(hostname) || hostname.includes('.')) return undefined;
	return `Correct the address. If ${hostname} is a container in Docker, it must run, in the same network as n8n.`;
}
