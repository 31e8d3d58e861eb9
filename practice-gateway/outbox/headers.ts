/** The page runs and loads only its own files, whatever a message contains. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function safe(contentType: string, policy = POLICY): Record<string, string> {
	return {
		'Content-Type': contentType,
		'Content-Security-Policy': policy,
		'X-Content-Type-Options': 'nosniff',
		'Cache-Control': 'no-store',
	};
}
