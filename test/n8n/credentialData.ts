import type { Gateway } from '../../practice-gateway/index';

/** The fields of the credential, filled in for this gateway. */
export function credentialData({ baseUrl, token, deviceId }: Gateway) {
	return { baseUrl, accessToken: token, deviceId, allowUnauthorizedCerts: false };
}

export type CredentialData = ReturnType<typeof credentialData>;
