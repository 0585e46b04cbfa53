import type { ApiKeyDetails, CreatedApiKey, Permission } from '@colophon/model';
import { type DraftKey, draftKey } from '../access/create-key.js';
import { insertApiKey } from '../control/api-keys.sql.js';
import { type ChangeOptions, change } from './change.js';
import { assertMayGive, requireMemberAlone } from './require-member.js';

export function createApiKey(
  options: ChangeOptions,
  projectId: string,
  { name, permissions, entityId, expiresInDays }: ApiKeyDetails,
): Promise<CreatedApiKey> {
  const member = { accountId: options.actor.userId, projectId };
  return change({ ...options, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role } = await requireMemberAlone(tx, member, 'api-key.create');
    assertMayGive(role, permissions);
    const draft = draftKey({
      ...{ projectId, name, permission: permissions },
      ...{ entityId: entityId ?? null, lifeDays: expiresInDays ?? null },
    });
    await insertApiKey(tx, draft.row);
    const answer = toCreatedKey(draft);
    const { key: _, allows: __, ...details } = answer;
    return { answer, action: 'api-key.create', target: draft.row.id, orgId, projectId, details };
  });
}

const ALLOWS: Record<Permission, string> = {
  read:
    'The key reads and searches everything in the project. It cannot record: ' +
    'create a key with "permissions": "write" for that.',
  write: 'The key reads, searches and records.',
  admin: 'The key reads, searches and records, and manages the project, for example erases personal data.',
};

export function toCreatedKey({ key, row }: DraftKey): CreatedApiKey {
  const { id, prefix, name, permission, entityId, projectId, expiresAt } = row;
  return {
    id,
    key,
    prefix,
    name,
    permissions: permission,
    allows: ALLOWS[permission],
    entityId,
    projectId,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
