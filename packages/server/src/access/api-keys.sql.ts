import type { Queryable, Tx } from '../db/database.js';
import type { Permission } from './api-key.js';

/** A project as the control plane keeps it. */
export interface ProjectRow {
  id: string;
  name: string;
}

/** A key as stored: its digest instead of itself. */
export interface ApiKeyRow {
  id: string;
  projectId: string;
  keyDigest: Uint8Array;
  prefix: string;
  name: string;
  permission: Permission;
}

/** Whom a live key stands for. */
export interface KeyHolder {
  keyId: string;
  projectId: string;
  permission: Permission;
}

/** Makes sure that the project exists; one with this id is left as it is. */
export async function ensureProject(tx: Tx, project: ProjectRow): Promise<void> {
  await tx.query('insert into control.project (id, name) values ($1, $2) on conflict do nothing', [
    project.id,
    project.name,
  ]);
}

/** Stores a key. */
export async function insertApiKey(tx: Tx, key: ApiKeyRow): Promise<void> {
  await tx.query(
    `insert into control.api_key (id, project_id, key_digest, prefix, name, permission)
     values ($1, $2, $3, $4, $5, $6)`,
    [key.id, key.projectId, key.keyDigest, key.prefix, key.name, key.permission],
  );
}

/** The holder of the live key with this digest; undefined when there is none. */
export async function readKeyHolder(db: Queryable, digest: Uint8Array): Promise<KeyHolder | undefined> {
  const [row] = await db.query<KeyHolder>(
    `select key_id as "keyId", project_id as "projectId", permission from control.find_api_key($1)`,
    [digest],
  );
  return row;
}

/** Whether any key was ever made. */
export async function hasApiKeys(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>('select exists (select from control.api_key) as found');
  return row?.found ?? false;
}
