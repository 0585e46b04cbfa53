import type { AuditEntry } from '@colophon/model';
import { listAuditLogRows } from '../control/audit-log.sql.js';
import { untilAborted } from '../platform/db/database.js';
import { turnOfUser } from './change.js';
import type { Actor, ManagementDeps } from './deps.js';
import { requireMember } from './require-member.js';

export interface AuditLogPage {
  entries: AuditEntry[];
  count: number;
  nextCursor: string | null;
}

/** Newest first. `cursor`: the id of the last entry of the previous page. */
export async function listAuditLog(
  { control, limitLists }: ManagementDeps,
  { userId, signal }: Actor,
  { orgSlug, cursor, limit }: { orgSlug: string; cursor?: string | undefined; limit: number },
): Promise<AuditLogPage> {
  const { orgId } = await requireMember(control, { accountId: userId, orgSlug }, 'audit.read');
  const page = { orgId, before: cursor, limit: limit + 1 };
  const found = await limitLists(
    turnOfUser(userId),
    () => listAuditLogRows(untilAborted(control, signal), page),
    signal,
  );
  const entries = found.slice(0, limit);
  const nextCursor = found.length > limit ? (entries.at(-1)?.id ?? null) : null;
  return { entries, count: entries.length, nextCursor };
}
