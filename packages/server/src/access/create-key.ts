import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../db/database.js';
import { createApiKeyText, keyDigest, type Permission, shownPrefix } from './api-key.js';
import { ensureProject, insertApiKey } from './api-keys.sql.js';

/** A key as it is shown once. */
export interface CreatedKey {
  id: string;
  key: string;
  prefix: string;
  name: string;
  permission: Permission;
  projectId: string;
}

/** Makes a key of the named project, and the project when it is new. The key is in this answer and nowhere else. */
export async function createKey(
  control: Database,
  terms: { projectName: string; name: string; permission: Permission },
): Promise<CreatedKey> {
  const key = createApiKeyText();
  const created = {
    id: uuidv7(),
    key,
    prefix: shownPrefix(key),
    name: terms.name,
    permission: terms.permission,
    projectId: namedProjectId(terms.projectName),
  };
  await control.transaction(async (tx) => {
    await ensureProject(tx, { id: created.projectId, name: terms.projectName });
    await insertApiKey(tx, { ...created, keyDigest: keyDigest(key) });
  });
  return created;
}

/** The fixed id of a project that is known by its name alone: a UUID of version 8 (RFC 9562 §5.8) over it. */
export function namedProjectId(name: string): string {
  const bytes = createHash('sha256').update(`colophon project ${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
