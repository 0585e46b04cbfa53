import type { ApiKey, Permission, ProjectLimits } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Queryable, Tx } from '../platform/db/database.js';
import type { KeyPrincipal } from './principal.js';
import { LIMIT_COLUMNS, withLimits } from './project-limits.sql.js';

/** A project of the local organisation, with a name from the configuration or the operator. */
export interface NamedProject {
  id: string;
  name: string;
}

export interface ApiKeyRow {
  id: string;
  projectId: string;
  keyDigest: Uint8Array;
  prefix: string;
  name: string;
  permission: Permission;
  /** The only entity for which the key can record. Null: any entity. */
  entityId: string | null;
  /** Lifetime of the key in days. A key that replaces this one gets the same lifetime. Null: no expiry. */
  lifeDays: number | null;
  expiresAt: Date | null;
}

export type KeyProperties = Pick<ApiKeyRow, 'projectId' | 'name' | 'permission' | 'entityId' | 'lifeDays'>;

/** The organisation for the projects that no user created, and its owner. A migration creates both. */
export const LOCAL_ORG = { id: '00000000-0000-8000-8000-000000000000', slug: 'local', ownerId: 'operator' };

/** SQL: the user who created the organisation `o`, with the prefix `user `. Null for the operator, and if unknown. */
export const CREATOR_OF_ORG = `'user ' || nullif(o.created_by, '${LOCAL_ORG.ownerId}')`;

/**
 * Returns false when the id already exists. When two nodes create the same project at once, PostgreSQL can report the
 * conflict for the slug, so the statement ignores both conflicts.
 */
export async function ensureProject(tx: Tx, project: NamedProject): Promise<boolean> {
  const slug = `project-${project.id.replaceAll('-', '').slice(0, 12)}`;
  const rows = await tx.query(
    `insert into control.project (id, org_id, name, slug) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [project.id, LOCAL_ORG.id, project.name, slug],
  );
  if (rows.length === 1) return true;
  const [existing] = await tx.query('select id from control.project where id = $1', [project.id]);
  if (existing !== undefined) return false;
  throw new ServiceError(
    'Conflict',
    `Another project of the organisation ${LOCAL_ORG.slug} has the slug ${slug}.`,
  );
}

export async function insertApiKey(tx: Tx, key: ApiKeyRow): Promise<void> {
  await tx.query(
    `insert into control.api_key (id, project_id, key_digest, prefix, name, permission, life_days, expires_at, entity_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.id,
      key.projectId,
      key.keyDigest,
      key.prefix,
      key.name,
      key.permission,
      key.lifeDays,
      key.expiresAt?.toISOString() ?? null,
      key.entityId,
    ],
  );
}

/** Returns undefined when there is no valid key. */
export async function readPrincipal(
  db: Queryable,
  digest: Uint8Array,
): Promise<(KeyPrincipal & { expiresAt: Date | null }) | undefined> {
  const [row] = await db.query<Omit<KeyPrincipal, 'limits'> & ProjectLimits & { expiresAt: Date | null }>(
    `select k.key_id as "keyId", k.project_id as "projectId", k.permission,
       k.ai_training_opt_out as "aiTrainingOptOut", k.expires_at as "expiresAt", k.entity_id as "entityId",
       ${CREATOR_OF_ORG} as owner, ${LIMIT_COLUMNS}
     from control.find_live_key($1) k join control.project p on p.id = k.project_id
     join control.org o on o.id = p.org_id`,
    [digest],
  );
  return row && withLimits(row);
}

/** The map has an entry for each valid key, by hex digest. */
export async function readPrincipals(
  db: Queryable,
  digests: readonly Uint8Array[],
): Promise<Map<string, KeyPrincipal & { expiresAt: Date | null }>> {
  const rows = await db.query<
    Omit<KeyPrincipal, 'limits'> & ProjectLimits & { digest: string; expiresAt: Date | null }
  >(
    `select asked.digest, k.key_id as "keyId", k.project_id as "projectId", k.permission,
       k.ai_training_opt_out as "aiTrainingOptOut", k.expires_at as "expiresAt", k.entity_id as "entityId",
       ${CREATOR_OF_ORG} as owner, ${LIMIT_COLUMNS}
     from unnest($1::text[]) as asked(digest)
     cross join lateral control.find_live_key(decode(asked.digest, 'hex')) k
     join control.project p on p.id = k.project_id join control.org o on o.id = p.org_id`,
    [digests.map((digest) => Buffer.from(digest).toString('hex'))],
  );
  return new Map(rows.map(({ digest, ...row }) => [digest, withLimits(row)]));
}

/** Reads the settings of a project for its keys in API_KEYS. Undefined when the project is deleted. */
export async function readLiveProject(
  db: Queryable,
  id: string,
): Promise<Pick<KeyPrincipal, 'aiTrainingOptOut' | 'limits'> | undefined> {
  const [row] = await db.query<Pick<KeyPrincipal, 'aiTrainingOptOut'> & ProjectLimits>(
    `select p.ai_training_opt_out as "aiTrainingOptOut", ${LIMIT_COLUMNS} from control.project p
     where p.id = $1 and p.deleted_at is null`,
    [id],
  );
  return row && withLimits(row);
}

export interface KeyFacts {
  projectId: string;
  orgId: string;
  permission: Permission;
  entityId: string | null;
  expired: boolean;
  revoked: boolean;
}

/** Reads a key, even if it is expired or revoked. Undefined when its project is deleted. */
export async function readKeyFacts(db: Queryable, digest: Uint8Array): Promise<KeyFacts | undefined> {
  const [row] = await db.query<KeyFacts>(
    `select k.project_id as "projectId", p.org_id as "orgId", k.permission, k.entity_id as "entityId",
       coalesce(k.expires_at <= now(), false) as expired, k.revoked_at is not null as revoked
     from control.api_key k join control.project p on p.id = k.project_id
     where k.key_digest = $1 and p.deleted_at is null`,
    [digest],
  );
  return row;
}

type ApiKeyDates = 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt';
type StoredKey = Omit<ApiKey, ApiKeyDates> & { createdAt: Date } & Record<
    Exclude<ApiKeyDates, 'createdAt'>,
    Date | null
  >;

const MAX_LISTED = 1_000;

/** Newest first. */
export async function listApiKeys(db: Queryable, projectId: string): Promise<ApiKey[]> {
  const rows = await db.query<StoredKey>(
    `select id, name, prefix, permission as permissions, created_at as "createdAt", expires_at as "expiresAt",
       last_used_at as "lastUsedAt", revoked_at as "revokedAt", entity_id as "entityId"
     from control.api_key where project_id = $1 order by created_at desc, id desc limit $2`,
    [projectId, MAX_LISTED],
  );
  return rows.map(toApiKey);
}

/** Returns undefined if the key is expired or revoked. */
export async function readKeyProperties(db: Queryable, id: string): Promise<KeyProperties | undefined> {
  const [row] = await db.query<KeyProperties>(
    `select project_id as "projectId", name, permission, life_days as "lifeDays", entity_id as "entityId"
     from control.api_key
     where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [id],
  );
  return row;
}

/** Returns false if the key was already revoked. */
export async function revokeApiKey(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    'update control.api_key set revoked_at = now() where id = $1 and revoked_at is null returning id',
    [id],
  );
  return rows.length === 1;
}

/** Makes a key expire after `overlapHours`, unless it expires earlier. */
export async function limitApiKey(tx: Tx, id: string, overlapHours: number): Promise<void> {
  await tx.query(
    `update control.api_key
     set expires_at = least(expires_at, now() + make_interval(hours => $2)) where id = $1`,
    [id, overlapHours],
  );
}

export async function hasApiKeys(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>('select exists (select from control.api_key) as found');
  return row?.found ?? false;
}

function toApiKey(row: StoredKey): ApiKey {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
