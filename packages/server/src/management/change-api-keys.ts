import type { ApiKey, CreatedApiKey } from '@colophon/model';
import { draftKey } from '../access/create-key.js';
import {
  insertApiKey,
  limitApiKey,
  listApiKeys,
  readKeyProperties,
  revokeApiKey,
} from '../control/api-keys.sql.js';
import { ServiceError } from '../errors.js';
import { type Tx, untilAborted } from '../platform/db/database.js';
import { type ChangeOptions, change, turnOfUser } from './change.js';
import { toCreatedKey } from './create-api-key.js';
import type { Actor, ManagementDeps } from './deps.js';
import { assertMayGive, requireMember, requireMemberAlone } from './require-member.js';

/** Newest first, including revoked keys. */
export async function listProjectKeys(
  { control, limitLists }: ManagementDeps,
  { userId, signal }: Actor,
  projectId: string,
): Promise<ApiKey[]> {
  await requireMember(control, { accountId: userId, projectId }, 'api-key.list');
  return limitLists(turnOfUser(userId), () => listApiKeys(untilAborted(control, signal), projectId), signal);
}

/** This node rejects the key immediately, and other nodes within a second. */
export function revokeProjectKey(options: ChangeOptions, keyId: string): Promise<{ revoked: true }> {
  const member = { accountId: options.actor.userId, keyId };
  return change({ ...options, announced: true, turnOf: { membership: member } }, async (tx) => {
    const { orgId, projectId } = await requireMemberAlone(tx, member, 'api-key.revoke');
    if (!(await revokeApiKey(tx, keyId))) {
      throw new ServiceError('Conflict', 'This API key was revoked already.', {
        recovery: 'Nothing is left to do.',
      });
    }
    return { answer: { revoked: true }, action: 'api-key.revoke', target: keyId, orgId, projectId };
  });
}

/** The old key expires after `overlapHours`, or at the end of its lifetime if this is earlier. */
export function rotateProjectKey(
  options: ChangeOptions,
  keyId: string,
  overlapHours: number,
): Promise<CreatedApiKey> {
  const member = { accountId: options.actor.userId, keyId };
  return change({ ...options, announced: true, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role } = await requireMemberAlone(tx, member, 'api-key.rotate');
    const old = await requireLiveKey(tx, keyId);
    assertMayGive(role, old.permission);
    const draft = draftKey(old);
    await insertApiKey(tx, draft.row);
    await limitApiKey(tx, keyId, overlapHours);
    return {
      answer: toCreatedKey(draft),
      action: 'api-key.rotate',
      target: keyId,
      orgId,
      projectId: old.projectId,
      details: { newKeyId: draft.row.id, overlapHours },
    };
  });
}

async function requireLiveKey(tx: Tx, keyId: string) {
  const options = await readKeyProperties(tx, keyId);
  if (options !== undefined) return options;
  throw new ServiceError('Conflict', 'This API key is expired or revoked.', {
    recovery: 'Create a new key.',
  });
}
