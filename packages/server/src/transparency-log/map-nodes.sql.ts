import type { Queryable, Tx } from '../platform/db/database.js';
import { type PackedGroup, type ProjectMap, TABLES } from './mentions.sql.js';

/** A root in the map, in hex. `below`: the roots from which it was computed. */
export interface EntryRow {
  key: string;
  hash: string;
  below?: string;
}

/** Looks up each 1-byte prefix in the index, because a scan would also read the roots over 2-byte prefixes. */
export async function readTopNodes(
  db: Queryable,
  { projectId, version }: ProjectMap,
): Promise<PackedGroup[]> {
  return db.query<PackedGroup>(
    `select '' as prefix, encode(string_agg(n.prefix || n.hash, '' order by n.prefix), 'hex') as packed
     from generate_series(0, 255) as first(byte),
       lateral (select * from ${TABLES[version].node} n
                where n.project_id = $1 and n.prefix = set_byte('\\x00', 0, first.byte) offset 0) n
     having count(*) > 0`,
    [projectId],
  );
}

/**
 * Reads the roots below prefixes of 1 or 2 bytes from the rows of these prefixes. Omits rows whose `below` is missing
 * or outdated. A node with an earlier version changes the root but not `below`, so `below_root` then differs from the
 * root.
 */
export async function readPackedNodes(
  db: Queryable,
  { projectId, version }: ProjectMap,
  prefixes: readonly string[],
): Promise<PackedGroup[]> {
  return db.query<PackedGroup>(
    `select asked.prefix, encode(n.below, 'hex') as packed
     from unnest($2::text[]) as asked(prefix),
       lateral (select * from ${TABLES[version].node} n where n.project_id = $1
                and n.prefix = decode(asked.prefix, 'hex') and n.below_root = n.hash offset 0) n`,
    [projectId, prefixes],
  );
}

/** Adds the roots below prefixes to the rows of these prefixes. The root in such a row must already be up to date. */
export async function packNodes(
  tx: Tx,
  { projectId, version }: ProjectMap,
  groups: readonly PackedGroup[],
): Promise<void> {
  await tx.query(
    `update ${TABLES[version].node} n set below = decode(r.packed, 'hex'), below_root = n.hash
     from jsonb_to_recordset($2::jsonb) as r(prefix text, packed text)
     where n.project_id = $1 and n.prefix = decode(r.prefix, 'hex')`,
    [projectId, JSON.stringify(groups)],
  );
}

/** Reads the roots over 2-byte prefixes that begin with one of these bytes, from their own rows. */
export async function readNodesBelow(
  db: Queryable,
  { projectId, version }: ProjectMap,
  prefixes: readonly string[],
): Promise<PackedGroup[]> {
  return db.query<PackedGroup>(
    `select asked.prefix, below.packed
     from unnest($2::text[]) as asked(prefix),
       lateral (select encode(string_agg(n.prefix || n.hash, '' order by n.prefix), 'hex') as packed
                from ${TABLES[version].node} n where n.project_id = $1
                and n.prefix between decode(asked.prefix || '00', 'hex') and decode(asked.prefix || 'ff', 'hex')) below
     where below.packed is not null`,
    [projectId, prefixes],
  );
}

/** Returns the 1-byte prefixes whose root is missing: at most `limit`, sorted. */
export async function listGaps(
  db: Queryable,
  { projectId, version }: ProjectMap,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ prefix: string }>(
    `select encode(p.prefix, 'hex') as prefix
     from (select set_byte('\\x00', 0, byte) as prefix from generate_series(0, 255) as first(byte)) p
     where exists (select from ${TABLES[version].node} n where n.project_id = $1
             and n.prefix between p.prefix || '\\x00' and p.prefix || '\\xff')
       and not exists (select from ${TABLES[version].node} n where n.project_id = $1 and n.prefix = p.prefix)
     order by p.prefix limit $2`,
    [projectId, limit],
  );
  return rows.map(({ prefix }) => prefix);
}

export async function removeRoots(
  tx: Tx,
  { projectId, version }: ProjectMap,
  prefixes: readonly string[],
): Promise<void> {
  await tx.query(
    `delete from ${TABLES[version].node} n using unnest($2::text[]) as old(prefix)
     where n.project_id = $1 and n.prefix = decode(old.prefix, 'hex')`,
    [projectId, prefixes],
  );
}

export async function upsertMapNodes(
  tx: Tx,
  { projectId, version }: ProjectMap,
  nodes: readonly EntryRow[],
): Promise<void> {
  await tx.query(
    `insert into ${TABLES[version].node} (project_id, prefix, hash, below, below_root)
     select $1, decode(r.key, 'hex'), decode(r.hash, 'hex'), decode(r.below, 'hex'),
       case when r.below is not null then decode(r.hash, 'hex') end
     from jsonb_to_recordset($2::jsonb) as r(key text, hash text, below text)
     on conflict (project_id, prefix) do update set hash = excluded.hash, below = excluded.below,
       below_root = excluded.below_root`,
    [projectId, JSON.stringify(nodes)],
  );
}
