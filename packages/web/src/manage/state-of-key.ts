import type { ApiKey } from '@colophon/model';

/** Returns whether a key is valid now, or why it is not. */
export function stateOfKey(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): 'live' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'live';
}
