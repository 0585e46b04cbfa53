import type { KeyVerdict } from '@colophon/model';
import { isApiKeyText, keyDigest } from '../access/api-key.js';
import { LOCAL_ORG, readKeyFacts } from '../control/api-keys.sql.js';
import type { ManagementDeps } from './deps.js';
import { readFirstOwner } from './members.sql.js';

/** Other systems use this check. */
export async function validateKey(
  { control, staticPrincipals }: ManagementDeps,
  key: string,
): Promise<KeyVerdict> {
  const digest = keyDigest(key);
  const principal = staticPrincipals.get(digest.toString('hex'));
  if (principal !== undefined) {
    const { projectId, permission } = principal;
    const { id: orgId, ownerId: userId } = LOCAL_ORG;
    return { valid: true, projectId, orgId, userId, permissions: permission, entityId: null };
  }
  if (!isApiKeyText(key)) return { valid: false, reason: 'malformed' };
  const facts = await readKeyFacts(control, digest);
  if (facts === undefined) return { valid: false, reason: 'unknown' };
  if (facts.revoked) return { valid: false, reason: 'revoked' };
  if (facts.expired) return { valid: false, reason: 'expired' };
  const { projectId, orgId, permission, entityId } = facts;
  const userId = await readFirstOwner(control, orgId);
  return { valid: true, projectId, orgId, userId, permissions: permission, entityId };
}
