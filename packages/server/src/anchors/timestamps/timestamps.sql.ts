import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../../platform/db/database.js';
import type { LogState, PlacedHead } from '../place-heads.js';

/** Lists logs that grew since their newest time-stamp, in random order, without the projects in `except`. */
export function listUnstampedLogs(
  db: Queryable,
  except: readonly string[],
  limit: number,
): Promise<LogState[]> {
  return db.query<LogState>(
    `select d.project_id as "projectId", d.size, d.origin
     from provenance.anchor_due d left join lateral (
       select max(h.size) as size from provenance.log_timestamp_head h where h.project_id = d.project_id
     ) stamped on true
     where d.origin is not null and d.size > coalesce(stamped.size, 0) and d.project_id <> all ($1::uuid[])
     order by random() limit $2`,
    [except, limit],
  );
}

export interface NewTimestamp {
  root: Uint8Array;
  token: Uint8Array;
  /** RFC 3339. */
  time: string;
  heads: readonly PlacedHead[];
}

export async function insertTimestamp(tx: Tx, { root, token, time, heads }: NewTimestamp): Promise<void> {
  const id = uuidv7();
  await tx.query(
    `insert into provenance.log_timestamp (id, root, size, token, stamped_at)
     values ($1, decode($2, 'hex'), $3, decode($4, 'hex'), $5::timestamptz)`,
    [id, toHex(root), heads.length, toHex(token), time],
  );
  await tx.query(
    `insert into provenance.log_timestamp_head (project_id, size, timestamp_id, origin, place, path)
     select h."projectId", h.size, $2, h.origin, h.place, h.path
     from jsonb_to_recordset($1::jsonb) h("projectId" uuid, size bigint, origin text, place bigint, path jsonb)
     order by h."projectId"
     on conflict do nothing`,
    [JSON.stringify(heads), id],
  );
}

/** Returns undefined if there is no time-stamp. */
export async function readLastTimestampAge(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ seconds: number }>(
    `select extract(epoch from now() - created_at)::float8 as seconds from provenance.log_timestamp
     order by id desc limit 1`,
  );
  return row?.seconds;
}

export interface StampedHead {
  size: number;
  origin: string;
  place: number;
  path: string[];
  rootHex: string;
  /** Number of logs whose heads the root covers. */
  heads: number;
  tokenHex: string;
}

/** Reads the earliest time-stamped head of the log that covers the leaf. Undefined while there is none. */
export async function readStampedHead(
  db: Queryable,
  projectId: string,
  leafIndex: number,
): Promise<StampedHead | undefined> {
  const [row] = await db.query<StampedHead>(
    `select h.size, h.origin, h.place, h.path, encode(t.root, 'hex') as "rootHex", t.size as heads,
       encode(t.token, 'hex') as "tokenHex"
     from provenance.log_timestamp_head h join provenance.log_timestamp t on t.id = h.timestamp_id
     where h.project_id = $1 and h.size > $2 order by h.size limit 1`,
    [projectId, leafIndex],
  );
  return row;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
