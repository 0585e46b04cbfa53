import type { JsonObject, RecordKind, Salts } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import { REVISION } from './revisions.sql.js';

/** Consecutive hashes or digests, from `from` up to and excluding `to`. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Reads the number of leaves of the project's log. It includes all records that were acknowledged before the call.
 */
export async function readLogSize(db: Queryable, projectId: string): Promise<number> {
  const [row] = await db.query<{ size: number }>('select provenance.log_size($1) as size', [projectId]);
  return row?.size ?? 0;
}

/** Reads the size and the origin of the project's log. An empty log has no stored origin yet. */
export async function readLogHead(
  db: Queryable,
  projectId: string,
): Promise<{ size: number; origin: string }> {
  const [row] = await db.query<{ size: number; origin: string | null }>(
    'select provenance.log_size($1) as size, provenance.origin_of($1) as origin',
    [projectId],
  );
  if (row === undefined || row.origin === null) throw new Error('No start of the service named its logs yet');
  return { size: row.size, origin: row.origin };
}

/** The result of naming the logs: the service's former name, and the number of logs of earlier versions. */
export interface NamedLogs {
  before: string | null;
  /** Logs that got the origin of their newest anchored head. */
  anchored: number;
  /** Logs that got the present name of the service. */
  unanchored: number;
}

/** Stores the name for new logs, and gives logs of earlier versions their origin, once. */
export async function nameLogs(db: Queryable, service: string): Promise<NamedLogs> {
  const [row] = await db.query<{ named: NamedLogs }>('select provenance.name_logs($1) as named', [service]);
  return row?.named ?? { before: null, anchored: 0, unanchored: 0 };
}

/** Reads the digests of leaves, in order, as one text of 64 hex digits each. */
export async function readDigestsHex(db: Queryable, projectId: string, { from, to }: Span): Promise<string> {
  const [row] = await db.query<{ digests: string | null }>(
    `select string_agg(encode(digest, 'hex'), '' order by leaf_index) as digests
     from provenance.log_leaf where project_id = $1 and leaf_index >= $2 and leaf_index < $3`,
    [projectId, from, to],
  );
  return row?.digests ?? '';
}

/** Reads the stored nodes of a tile level, in order, as one text of 64 hex digits each. */
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

/** Counts the stored nodes of each tile level from 1 to `levels`. */
export async function countNodes(db: Queryable, projectId: string, levels: number): Promise<number[]> {
  const rows = await db.query<{ count: number }>(
    `select coalesce((
       select max(node_index) + 1 from provenance.log_node where project_id = $1 and tile_level = level), 0) as count
     from generate_series(1, $2::int) level order by level`,
    [projectId, levels],
  );
  return rows.map(({ count }) => count);
}

/** Stores nodes of a tile level; the first has the index `from`. Existing nodes stay unchanged. */
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

/** A record with its leaf. `size` is the size of the log. */
export interface LoggedRecord {
  body: JsonObject;
  salts: Salts;
  /** Hex digits. */
  digest: string;
  leafIndex: number;
  size: number;
  origin: string;
  /** The revision of the project; null before its first change. */
  revision: number | null;
}

const RECORD = `r.body, r.salts, encode(r.digest, 'hex') as digest, r.leaf_index as "leafIndex",
  provenance.log_size($1) as size, provenance.origin_of($1) as origin, ${REVISION}`;
const READ_RECORD: Record<RecordKind, string> = {
  entity: `select ${RECORD} from provenance.entity r where r.project_id = $1 and r.id = $2`,
  action: `select ${RECORD} from provenance.action r where r.project_id = $1 and r.id = $2::uuid`,
  attribution: `select ${RECORD} from provenance.attribution r where r.project_id = $1 and r.id = $2::uuid`,
};

/** Reads a record with its leaf; undefined when there is none. An id that is no UUID can only be an entity's. */
export async function readLoggedRecord(
  db: Queryable,
  projectId: string,
  { kind, id }: { kind: RecordKind; id: string },
): Promise<LoggedRecord | undefined> {
  const [row] = await db.query<LoggedRecord>(READ_RECORD[kind], [projectId, id]);
  return row;
}
