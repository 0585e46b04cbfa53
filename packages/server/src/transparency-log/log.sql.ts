import type { JsonObject, RecordKind, Salts } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';
import { REVISION } from './revisions.sql.js';

/** `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** Reads the number of leaves. They include all records that were acknowledged before the call. */
export async function readLogSize(db: Queryable, projectId: string): Promise<number> {
  const [row] = await db.query<{ size: number }>('select provenance.log_size($1) as size', [projectId]);
  return row?.size ?? 0;
}

/**
 * Identifies the running server and the database. The text changes when another server takes over, when the server
 * starts again, and when another database gets the same name. On Citus, it identifies the coordinator.
 */
export async function readServer(db: Queryable): Promise<string> {
  const [row] = await db.query<{ server: string }>(
    `select concat_ws(' ', d.oid, extract(epoch from pg_postmaster_start_time())) as server
     from pg_database d where d.datname = current_database()`,
  );
  if (row === undefined) throw new Error('The query for the identity of the database returned no row');
  return row.server;
}

/** Returns null before the service named its logs for the first time. */
export async function readOrigin(db: Queryable, projectId: string): Promise<string | null> {
  const [row] = await db.query<{ origin: string | null }>('select provenance.origin_of($1) as origin', [
    projectId,
  ]);
  return row?.origin ?? null;
}

/** Lists logs in the order of their projects, after the project `after`. An empty `after` begins with the first log. */
export async function listLogs(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<{ projectId: string; origin: string }[]> {
  return db.query(
    `select project_id as "projectId", origin from provenance.anchor_due
     where origin is not null and ($1 = '' or project_id > nullif($1, '')::uuid) order by project_id limit $2`,
    [after, limit],
  );
}

/** Lists projects in the order of their ids, after the project `after`. An empty `after` begins with the first. */
export async function listProjectsOfLogs(
  control: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await control.query<{ id: string }>(
    `select id from control.project where $1 = '' or id > nullif($1, '')::uuid order by id limit $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Changes the origin of a log. Removes the cosignatures too, because witnesses cosigned checkpoints with the former
 * origin.
 */
export async function changeOrigin(tx: Tx, projectId: string, origin: string): Promise<void> {
  await tx.query('select provenance.note_change($1)', [projectId]);
  await tx.query(
    `insert into provenance.anchor_due (project_id, size, origin) values ($1, 0, $2)
     on conflict (project_id) do update set origin = excluded.origin`,
    [projectId, origin],
  );
  await tx.query('delete from provenance.cosignature where project_id = $1', [projectId]);
}

/** `cosignatures`: the lines of witnesses for the checkpoint of this size, or empty. */
export interface LogHead {
  size: number;
  origin: string;
  cosignatures: string;
}

export async function readLogHead(db: Queryable, projectId: string): Promise<LogHead> {
  const [row] = await db.query<{ size: number; origin: string | null; cosignatures: string | null }>(
    `select s.size, provenance.origin_of($1) as origin,
       (select string_agg(c.line, '' order by c.witness) from provenance.cosignature c
        where c.project_id = $1 and c.size = s.size) as cosignatures
     from provenance.log_size($1) as s(size)`,
    [projectId],
  );
  if (row === undefined || row.origin === null)
    throw new Error(
      'The logs have no origin yet. Start the service once, so that it stores the name of its logs',
    );
  return { size: row.size, origin: row.origin, cosignatures: row.cosignatures ?? '' };
}

/** `before`: the previously stored name of the service; null at the first call. */
export interface NamedLogs {
  before: string | null;
  /** Logs that got the origin of their newest anchored tree head. */
  anchored: number;
  /** Logs that got an origin with the present name of the service. */
  unanchored: number;
}

/**
 * Stores the name of the service, from which new logs get their origins. Also gives an origin to each log that an
 * earlier version created without one.
 */
export async function nameLogs(db: Queryable, service: string): Promise<NamedLogs> {
  const [row] = await db.query<{ named: NamedLogs }>('select provenance.name_logs($1) as named', [service]);
  return row?.named ?? { before: null, anchored: 0, unanchored: 0 };
}

/** Reads the digests of leaves in order, concatenated, 64 hex digits each. */
export async function readDigestsHex(db: Queryable, projectId: string, { from, to }: Span): Promise<string> {
  const [row] = await db.query<{ digests: string | null }>(
    `select string_agg(encode(digest, 'hex'), '' order by leaf_index) as digests
     from provenance.log_leaf where project_id = $1 and leaf_index >= $2 and leaf_index < $3`,
    [projectId, from, to],
  );
  return row?.digests ?? '';
}

/** Reads the stored nodes of a tile level in order, concatenated, 64 hex digits each. */
export async function readNodesHex(
  db: Queryable,
  projectId: string,
  { level, from, to }: Span & { level: number },
): Promise<string> {
  const [row] = await db.query<{ hashes: string | null }>(
    `select string_agg(encode(hash, 'hex'), '' order by node_index) as hashes
     from provenance.log_node where project_id = $1 and tile_level = $2 and node_index >= $3 and node_index < $4`,
    [projectId, level, from, to],
  );
  return row?.hashes ?? '';
}

export async function countNodes(db: Queryable, projectId: string, levels: number): Promise<number[]> {
  const rows = await db.query<{ count: number }>(
    `select coalesce((
       select max(node_index) + 1 from provenance.log_node where project_id = $1 and tile_level = level), 0) as count
     from generate_series(1, $2::int) level order by level`,
    [projectId, levels],
  );
  return rows.map(({ count }) => count);
}

/** Does not change nodes that are already stored. */
export async function keepNodes(
  db: Queryable,
  projectId: string,
  { level, from, hashes }: { level: number; from: number; hashes: readonly Uint8Array[] },
): Promise<void> {
  await db.query(
    `insert into provenance.log_node (project_id, tile_level, node_index, hash)
     select $1, $2, $3::bigint + place - 1, decode(hash, 'hex')
     from unnest($4::text[]) with ordinality as given(hash, place)
     on conflict do nothing`,
    [projectId, level, from, hashes.map((hash) => Buffer.from(hash).toString('hex'))],
  );
}

/** `size` is the size of the log. */
export interface LoggedRecord {
  body: JsonObject;
  salts: Salts;
  /** Hex digits. */
  digest: string;
  leafIndex: number;
  size: number;
  origin: string;
  /** Size of the best cosigned checkpoint that covers the leaf (see `readCosignedTree`). Null when there is none. */
  cosignedSize: number | null;
  /** Null before the first change of the project. */
  revision: number | null;
}

const RECORD = `r.body, r.salts, encode(r.digest, 'hex') as digest, r.leaf_index as "leafIndex",
  provenance.log_size($1) as size, provenance.origin_of($1) as origin,
  provenance.cosigned_size($1, r.leaf_index + 1, $3::text[]) as "cosignedSize", ${REVISION}`;
const READ_RECORD: Record<RecordKind, string> = {
  entity: `select ${RECORD} from provenance.entity r where r.project_id = $1 and r.id = $2`,
  action: `select ${RECORD} from provenance.action r where r.project_id = $1 and r.id = $2::uuid`,
  attribution: `select ${RECORD} from provenance.attribution r where r.project_id = $1 and r.id = $2::uuid`,
};

/** The id of an action or attribution must be a UUID. `witnesses`: the configured witnesses, for `cosignedSize`. */
export async function readLoggedRecord(
  db: Queryable,
  projectId: string,
  { kind, id, witnesses = [] }: { kind: RecordKind; id: string; witnesses?: readonly string[] | undefined },
): Promise<LoggedRecord | undefined> {
  const [row] = await db.query<LoggedRecord>(READ_RECORD[kind], [projectId, id, witnesses]);
  return row;
}
