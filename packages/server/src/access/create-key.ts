import { createHash } from 'node:crypto';
import type { Permission } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import {
  type ApiKeyRow,
  ensureProject,
  insertApiKey,
  type KeyProperties,
  LOCAL_ORG,
} from '../control/api-keys.sql.js';
import { insertAuditLogEntry } from '../control/audit-log.sql.js';
import type { Database, Tx } from '../platform/db/database.js';
import { createApiKeyText, keyDigest, shownPrefix } from './api-key.js';

/** A new key, and the row that stores only its digest. */
export interface DraftKey {
  key: string;
  row: ApiKeyRow;
}

const DAY_MS = 86_400_000;

/** The lifetime of the key begins now. */
export function draftKey(options: KeyProperties): DraftKey {
  const key = createApiKeyText();
  const expiresAt = options.lifeDays === null ? null : new Date(Date.now() + options.lifeDays * DAY_MS);
  const row = { id: uuidv7(), keyDigest: keyDigest(key), prefix: shownPrefix(key), ...options, expiresAt };
  return { key, row };
}

/** Creates the project in the local organisation if it is missing. Returns its id. */
export async function enrolNamedProject(tx: Tx, projectName: string): Promise<string> {
  const projectId = namedProjectId(projectName);
  if (await ensureProject(tx, { id: projectId, name: projectName })) {
    const entry = { action: 'project.create', target: projectId, projectId, details: { name: projectName } };
    await insertAuditLogEntry(tx, { ...BY_OPERATOR, ...entry });
  }
  return projectId;
}

/** Creates the project in the local organisation if it is missing. */
export async function createNamedProjectKey(
  control: Database,
  options: { projectName: string; name: string; permission: Permission; entityId?: string },
): Promise<DraftKey> {
  const { projectName, ...rest } = { entityId: null, ...options };
  return control.transaction(async (tx) => {
    const projectId = await enrolNamedProject(tx, projectName);
    const draft = draftKey({ ...rest, projectId, lifeDays: null });
    await insertApiKey(tx, draft.row);
    const entry = { action: 'api-key.create', target: draft.row.id, projectId, details: rest };
    await insertAuditLogEntry(tx, { ...BY_OPERATOR, ...entry });
    return draft;
  });
}

/** The actor of changes that no user requests. */
const BY_OPERATOR = {
  orgId: LOCAL_ORG.id,
  userId: LOCAL_ORG.ownerId,
  address: null,
  requestId: null,
} as const;

/** Returns the id of a project of the local organisation: a UUID of version 8 (RFC 9562 §5.8) from its name. */
export function namedProjectId(name: string): string {
  const bytes = createHash('sha256').update(`colophon project ${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
