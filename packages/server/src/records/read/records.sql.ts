import type { JsonObject } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { REVISION } from '../../transparency-log/revisions.sql.js';
import type { Reading } from './answers.js';
import {
  ANCHORED,
  MAX_NAMED_BYTES,
  toActionText,
  toBody,
  toRecordText,
  toTitledResourceText,
} from './record-text.sql.js';

export async function readKnownActions(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    'select a.id from provenance.action a where a.project_id = $1 and a.id = any($2::uuid[])',
    [projectId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function readUnknownContents(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ cid: string }>(
    `select given.cid from unnest($2::text[]) as given(cid)
     where not provenance.knows($1, provenance.resolve($1, given.cid))`,
    [projectId, cids],
  );
  return new Set(rows.map(({ cid }) => cid));
}

/** A statement reads bodies until their sizes together reach this number of bytes. */
const MAX_BODIES_BYTES = 2 ** 20;

/** `value`: SQL over the body `e.body`. Each statement reads the bodies of the next entities. */
async function readFromBodies<Value>(
  db: Queryable,
  projectId: string,
  { ids, value }: { ids: readonly string[]; value: string },
): Promise<Map<string, Value>> {
  const values = new Map<string, Value>();
  for (let rest = [...ids]; rest.length > 0; ) {
    const rows = await db.query<{ id: string; found: Value; isRead: boolean }>(
      `select e.id, e.is_read as "isRead", case when e.is_read then ${value} end as found
       from (
         select e.id, e.body, sum(e.weight_bytes) over (order by e.id) - e.weight_bytes < ${MAX_BODIES_BYTES} as is_read
         from provenance.entity e where e.project_id = $1 and e.id = any($2)
       ) e`,
      [projectId, rest],
    );
    for (const { id, found, isRead } of rows) if (isRead) values.set(id, found);
    rest = rows.filter(({ isRead }) => !isRead).map(({ id }) => id);
  }
  return values;
}

/** Omits entities that are not stored. Undefined: no public key. */
export async function readPublicKeys(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string | undefined>> {
  const value = `e.body ->> 'publicKey'`;
  const keys = await readFromBodies<string | null>(db, projectId, { ids, value });
  return new Map([...keys].map(([id, key]) => [id, key ?? undefined]));
}

/** Omits entities without a name, and those with more than 8 KiB. */
export async function readNames(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string | null }>(
    `select e.id, (${toBody('e')})->>'name' as name from provenance.entity e
     where e.project_id = $1 and e.id = any($2::text[]) and e.weight_bytes <= ${MAX_NAMED_BYTES}`,
    [projectId, ids],
  );
  return new Map(rows.flatMap(({ id, name }): [string, string][] => (name === null ? [] : [[id, name]])));
}

/** Stores `fresh` as the project's key when there is none. */
export async function readTenantKey(
  db: Queryable,
  projectId: string,
  fresh: Uint8Array,
): Promise<Uint8Array> {
  const [row] = await db.query<{ key: string }>(
    `select encode(provenance.tenant_key($1, $2), 'hex') as key`,
    [projectId, fresh],
  );
  return row === undefined ? fresh : Buffer.from(row.key, 'hex');
}

export function readEntity(db: Queryable, projectId: string, id: string): Promise<Reading> {
  return read(db, ENTITY, [projectId, id]);
}

/** `body`: as the API shows it. `digest`: hex. */
export interface StoredEntity {
  body: JsonObject;
  digest: string;
}

export async function readStoredEntity(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<StoredEntity | undefined> {
  const [row] = await db.query<StoredEntity>(
    `select provenance.entity_json(e) as body, encode(e.digest, 'hex') as digest
     from provenance.entity e where e.project_id = $1 and e.id = $2`,
    [projectId, id],
  );
  return row;
}

export function readAction(db: Queryable, projectId: string, id: string): Promise<Reading> {
  return read(db, ACTION, [projectId, id]);
}

/** `cid` may be an alias. */
export function readResource(db: Queryable, projectId: string, cid: string): Promise<Reading> {
  return read(db, RESOURCE, [projectId, cid]);
}

export interface StoredContent {
  cid: string;
  contentDigest: string;
  mimeType: string;
  sizeBytes: number;
}

/** Returns undefined when the project has not stored the bytes. */
export async function readStoredContent(
  db: Queryable,
  projectId: string,
  cid: string,
): Promise<StoredContent | undefined> {
  const [row] = await db.query<Omit<StoredContent, 'sizeBytes'> & { sizeBytes: string }>(
    `select r.cid, 'sha256:' || encode(r.content_digest, 'hex') as "contentDigest", r.mime_type as "mimeType",
       r.size_bytes::text as "sizeBytes"
     from provenance.resource r
     where r.project_id = $1 and r.cid = provenance.resolve($1, $2) and r.content_digest is not null`,
    [projectId, cid],
  );
  return row && { ...row, sizeBytes: Number(row.sizeBytes) };
}

/** `sizeIfNewBytes`: the size of the body if it is not stored yet. */
export interface ReadBody {
  id: string;
  sizeIfNewBytes: number;
}

/** Reads no bodies. An id counts each time it occurs, because the comparison of a batch reads the body each time. */
export async function readBodyBytes(
  db: Queryable,
  projectId: string,
  bodies: readonly ReadBody[],
): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    `select coalesce(sum(coalesce((select e.weight_bytes from provenance.entity e
       where e.project_id = $1 and e.id = given.id), given.size_if_new_bytes)), 0)::float8 as bytes
     from unnest($2::text[], $3::int[]) as given(id, size_if_new_bytes)`,
    [projectId, bodies.map(({ id }) => id), bodies.map(({ sizeIfNewBytes }) => sizeIfNewBytes)],
  );
  return row?.bytes ?? 0;
}

/** Omits entities that are not stored. */
export function readWallets(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  // The value of an erased wallet is an object.
  const value = `coalesce(jsonb_typeof(e.body->'wallet') = 'string', false)`;
  return readFromBodies<boolean>(db, projectId, { ids, value });
}

export async function readStoredIds(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    'select e.id from provenance.entity e where e.project_id = $1 and e.id = any($2::text[])',
    [projectId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Reads one index entry for each name. With a condition on the role, it could read all entities of a name. */
export async function readTakenNames(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    `select given.name from unnest($2::text[]) as given(name)
     where (select e.id from provenance.entity e
       where e.project_id = $1 and e.body->>'name' = given.name and e.body ? 'name'
       order by e.created_at desc, e.id desc limit 1) is not null`,
    [projectId, names],
  );
  return new Set(rows.map(({ name }) => name));
}

export interface Namesake {
  id: string;
  wallet: string | null;
  /** The positions (from 1) of the requested wallets that equal the wallet of this entity. */
  places: number[];
  hasPublicKey: boolean;
  /** The size of the stored JSON. */
  sizeBytes: number;
  /** Whether the comparison reached its limit. */
  isCut: boolean;
}

/** Limits for the compared entities of one role and name. */
const MAX_COMPARED = { entities: 1_000, bytes: 2 ** 20 };

/** Returns all compared entities, oldest first. */
export function readNamesakes(
  db: Queryable,
  projectId: string,
  { role, name, wallets }: { role: string; name: string; wallets: readonly string[] },
): Promise<Namesake[]> {
  return db.query<Namesake>(
    `select near.id, near.wallet, near.has_public_key as "hasPublicKey", near.is_cut as "isCut",
       near.weight_bytes as "sizeBytes", coalesce(sought.places, '{}') as places
     from (
       select e.id, e.created_at, e.is_cut, e.weight_bytes, e.body->>'wallet' as wallet, e.body ? 'publicKey' as has_public_key
       from (
         select e.*, sum(e.weight_bytes) over (order by e.id) - e.weight_bytes as bytes_before,
           count(*) over () = ${MAX_COMPARED.entities} or sum(e.weight_bytes) over () > ${MAX_COMPARED.bytes} as is_cut
         from (
           select e.id, e.created_at, e.body, e.weight_bytes from provenance.entity e
           where e.project_id = $1 and e.role = $2 and e.body->>'name' = $3 and e.body ? 'name' and e.erasure is null
           limit ${MAX_COMPARED.entities}
         ) e
       ) e
       where e.bytes_before < ${MAX_COMPARED.bytes} offset 0
     ) near
     left join (
       select provenance.wallet_key(given.wallet) as key, array_agg(given.place::int) as places
       from unnest($4::text[]) with ordinality as given(wallet, place) group by 1
     ) sought on sought.key = provenance.wallet_key(near.wallet)
     order by near.created_at, near.id`,
    [projectId, role, name, wallets],
  );
}

const ENTITY = `select ${toRecordText('e')} as text, ${REVISION}
  from provenance.entity e where e.project_id = $1 and e.id = $2`;
const ACTION = `select ${toActionText('a', ANCHORED)} as text, ${REVISION}
  from provenance.action a where a.project_id = $1 and a.id = $2`;
const RESOURCE = `select ${toTitledResourceText('r')} as text, ${REVISION}
  from provenance.resource r where r.project_id = $1 and r.cid = coalesce(
    (select n.cid from provenance.content_alias n where n.project_id = $1 and n.alias = $2), $2)`;

async function read(db: Queryable, text: string, parameters: unknown[]): Promise<Reading> {
  const [row] = await db.query<{ text: string; revision: number | null }>(text, parameters);
  return { text: row?.text, revision: row?.revision ?? undefined };
}
