import type { MentionStatement, ProofVersion } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';
import { limitClause } from '../platform/db/limit-clause.js';

/** Each version covers the log on its own. `maxPrefixNames`: maximum number of leaves in a bucket. */
export interface ProjectMap {
  projectId: string;
  version: ProofVersion;
  maxPrefixNames: number;
}

/** `chains`: an SQL expression that yields the packed chains of the entry `m`. */
export const TABLES = {
  1: {
    state: 'provenance.mention_index',
    entry: 'provenance.mention',
    node: 'provenance.mention_node',
    chains: 'int8send(m.made_count) || m.made_head || int8send(m.used_count) || m.used_head',
  },
  2: {
    state: 'provenance.record_map',
    entry: 'provenance.record_map_entry',
    node: 'provenance.record_map_node',
    chains: 'm.chains',
  },
} as const;

export interface IndexState {
  /** Number of leaves that the map covers, from the start of the log. */
  leaves: number;
  names: number;
  /** Whether roots over 1-byte prefixes are missing. */
  hasGaps: boolean;
  /** The roots over 1-byte prefixes (see `PackedGroup`). Null when the row of the state lacks them. */
  top: string | null;
}

/**
 * Reads or creates the state of the map, and locks it until the transaction ends. A node with an earlier version does
 * not change `top`, so `top` is valid only if `top_leaves` equals `leaves`.
 */
export async function lockMentionIndex(tx: Tx, { projectId, version }: ProjectMap): Promise<IndexState> {
  const { state } = TABLES[version];
  const lock = () =>
    tx.query<IndexState>(
      `select leaves, names, has_gaps as "hasGaps",
         case when top_leaves = leaves and not has_gaps then encode(top, 'hex') end as top
       from ${state} where project_id = $1 for update`,
      [projectId],
    );
  let [row] = await lock();
  if (row === undefined) {
    await tx.query(`insert into ${state} (project_id) values ($1) on conflict do nothing`, [projectId]);
    [row] = await lock();
  }
  return row ?? { leaves: 0, names: 0, hasGaps: false, top: null };
}

export async function updateIndexState(
  tx: Tx,
  { projectId, version }: ProjectMap,
  { leaves, names, hasGaps, top }: IndexState,
): Promise<void> {
  await tx.query(
    `update ${TABLES[version].state} set leaves = $2, names = $3, has_gaps = $4, top = decode($5, 'hex'), top_leaves = $2
     where project_id = $1`,
    [projectId, leaves, names, hasGaps, top],
  );
}

export interface NamingAction {
  digest: string;
  inputCids: string[];
  outputCids: string[];
}

/** A read ends with the record at which the total size of actions and attributions reaches this limit, in bytes. */
const MAX_NAMING_BYTES = 2 ** 20;

/**
 * Reads the actions among the first leaves of a span. Stops after the leaf that reaches `maxNames` leaves and
 * identifiers, or about 1 MiB of JSON. `to`: the end of these leaves. Visits them one by one, to read no later record.
 */
export async function readNamingActions(
  db: Queryable,
  projectId: string,
  { from, to, maxNames }: { from: number; to: number; maxNames: number },
): Promise<{ actions: NamingAction[]; to: number }> {
  const rows = await db.query<Omit<NamingAction, 'digest'> & { digest: string | null; next: number }>(
    // With `offset 0` and the concatenation, PostgreSQL reads a body once, and not again for each member.
    `with recursive visited as (
       select $2::bigint as next, 0::bigint as names, 0::bigint as bytes, null::text as digest, null::jsonb as inputs,
         null::jsonb as outputs
       union all
       select v.next + 1, v.names + 1 + coalesce(jsonb_array_length(a.inputs) + jsonb_array_length(a.outputs), 0),
         v.bytes + coalesce(a.weight_bytes, t.weight_bytes, 0), a.digest, a.inputs, a.outputs
       from visited v
         left join lateral (
           select l.kind, l.record_id from provenance.log_leaf l
           where l.project_id = $1 and l.leaf_index = v.next offset 0
         ) l on true
         left join lateral (
           select encode(a.digest, 'hex') as digest, a.body->'inputCids' as inputs, a.body->'outputCids' as outputs,
             a.weight_bytes
           from (select a.digest, a.body || '{}' as body, a.weight_bytes from provenance.action a
             where a.project_id = $1 and a.id = case when l.kind = 'action' then l.record_id::uuid end offset 0) a
           offset 0
         ) a on true
         left join lateral (
           select t.weight_bytes from provenance.attribution t where t.project_id = $1
             and t.id = case when l.kind = 'attribution' then l.record_id::uuid end offset 0
         ) t on true
       where v.next < $3 and v.names < $4 and v.bytes < ${MAX_NAMING_BYTES}
     )
     select next::int, digest, inputs as "inputCids", outputs as "outputCids" from visited where next > $2 order by next`,
    [projectId, from, to, maxNames],
  );
  const actions = rows.filter((row): row is NamingAction & { next: number } => row.digest !== null);
  return { actions, to: rows.at(-1)?.next ?? from };
}

export interface NamingAttribution {
  digest: string;
  actionId: string | null;
  resourceCid: string | null;
}

/** Pass a span whose `to` comes from `readNamingActions`, because that function limits the total size. */
export async function readNamingAttributions(
  db: Queryable,
  projectId: string,
  { from, to }: { from: number; to: number },
): Promise<NamingAttribution[]> {
  return db.query<NamingAttribution>(
    `select encode(t.digest, 'hex') as digest, t.body->>'actionId' as "actionId", t.body->>'resourceCid' as "resourceCid"
     from provenance.log_leaf l,
       lateral (select t.digest, t.body || '{}' as body from provenance.attribution t where t.project_id = $1
                and t.id = case when l.kind = 'attribution' then l.record_id::uuid end offset 0) t
     where l.project_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3 and l.kind = 'attribution'
     order by l.leaf_index`,
    [projectId, from, to],
  );
}

/** An entry of the map in hex: its key, the packed chains, and the hash of its leaf. */
export interface MentionRow {
  key: string;
  chains: string;
  leafHash: string;
}

/** The result has no defined order. */
export async function readMentions(
  db: Queryable,
  { projectId, version }: ProjectMap,
  keys: readonly string[],
): Promise<MentionRow[]> {
  const { entry, chains } = TABLES[version];
  return db.query<MentionRow>(
    `select encode(m.name_key, 'hex') as key, encode(${chains}, 'hex') as chains,
       encode(m.leaf_hash, 'hex') as "leafHash"
     from unnest($2::text[]) as asked(key),
       lateral (select * from ${entry} m
                where m.project_id = $1 and m.name_key = decode(asked.key, 'hex') offset 0) m`,
    [projectId, keys],
  );
}

const COUNT_DIGITS = 16;
const HEAD_DIGITS = 64;
const packedCount = (at: number) => `('x' || substr(r.chains, ${at}, ${COUNT_DIGITS}))::bit(64)::bigint`;
const packedHead = (at: number) => `decode(substr(r.chains, ${at + COUNT_DIGITS}, ${HEAD_DIGITS}), 'hex')`;
const USED = 1 + COUNT_DIGITS + HEAD_DIGITS;

const UPSERT_MENTIONS = {
  1: `insert into provenance.mention (project_id, name_key, made_count, made_head, used_count, used_head, value, leaf_hash)
     select $1, decode(r.key, 'hex'), ${packedCount(1)}, ${packedHead(1)}, ${packedCount(USED)}, ${packedHead(USED)},
       sha256(decode(r.chains, 'hex')), decode(r."leafHash", 'hex')
     from jsonb_to_recordset($2::jsonb) as r(key text, chains text, "leafHash" text)
     on conflict (project_id, name_key) do update set made_count = excluded.made_count,
       made_head = excluded.made_head, used_count = excluded.used_count, used_head = excluded.used_head,
       value = excluded.value, leaf_hash = excluded.leaf_hash`,
  2: `insert into provenance.record_map_entry (project_id, name_key, chains, leaf_hash)
     select $1, decode(r.key, 'hex'), decode(r.chains, 'hex'), decode(r."leafHash", 'hex')
     from jsonb_to_recordset($2::jsonb) as r(key text, chains text, "leafHash" text)
     on conflict (project_id, name_key) do update set chains = excluded.chains, leaf_hash = excluded.leaf_hash`,
};

export async function upsertMentions(
  tx: Tx,
  { projectId, version }: ProjectMap,
  rows: readonly MentionRow[],
): Promise<void> {
  await tx.query(UPSERT_MENTIONS[version], [projectId, JSON.stringify(rows)]);
}

/** The leaves or roots below a prefix. `packed`: the key and the hash of each, concatenated in hex, sorted by key. */
export interface PackedGroup {
  prefix: string;
  packed: string;
}

/** The leaves whose keys begin with `first`, with `last` or with digits in between, in hex. */
export interface KeyRange {
  prefix: string;
  first: string;
  last: string;
}

const leavesBelow = (entry: string, limit: number) =>
  `select m.name_key, m.leaf_hash from ${entry} m where m.project_id = $1 and m.name_key
   between decode(asked.first, 'hex') and decode(rpad(asked.last, 64, 'f'), 'hex')
   order by m.name_key ${limitClause(limit)}`;

/** Reads at most `maxPrefixNames + 1` leaves for each range. Omits a range without leaves. */
export async function readLeavesBelow(
  db: Queryable,
  { projectId, version, maxPrefixNames }: ProjectMap,
  ranges: readonly KeyRange[],
): Promise<PackedGroup[]> {
  return db.query<PackedGroup>(
    `select asked.prefix, below.packed
     from unnest($2::text[], $3::text[], $4::text[]) as asked(prefix, first, last),
       lateral (select encode(string_agg(m.name_key || m.leaf_hash, '' order by m.name_key), 'hex') as packed
                from (${leavesBelow(TABLES[version].entry, maxPrefixNames + 1)}) m) below
     where below.packed is not null`,
    [projectId, ...columnsOf(ranges)],
  );
}

/**
 * Counts at most `maxPrefixNames + 1` leaves for each range, and at most `limit` in all. Omits ranges without leaves.
 */
export async function countLeavesBelow(
  db: Queryable,
  { projectId, version, maxPrefixNames }: ProjectMap,
  { ranges, limit }: { ranges: readonly KeyRange[]; limit: number },
): Promise<{ prefix: string; leaves: number }[]> {
  return db.query<{ prefix: string; leaves: number }>(
    `select counted.prefix, count(*)::int as leaves
     from (select asked.prefix, asked.place
           from unnest($2::text[], $3::text[], $4::text[]) with ordinality as asked(prefix, first, last, place),
             lateral (${leavesBelow(TABLES[version].entry, maxPrefixNames + 1)}) below
           ${limitClause(limit)}) counted
     group by counted.prefix, counted.place order by counted.place`,
    [projectId, ...columnsOf(ranges)],
  );
}

function columnsOf(ranges: readonly KeyRange[]): [string[], string[], string[]] {
  return [
    ranges.map(({ prefix }) => prefix),
    ranges.map(({ first }) => first),
    ranges.map(({ last }) => last),
  ];
}

export interface StatementRow {
  leafIndex: number;
  leaves: number;
  names: number;
}

export async function readLastStatement(
  db: Queryable,
  { projectId, version }: ProjectMap,
): Promise<StatementRow | undefined> {
  const [row] = await db.query<StatementRow>(
    `select leaf_index as "leafIndex", coalesce(covers, leaves) as leaves, names
     from provenance.mention_statement where project_id = $1 and version = $2 order by leaf_index desc limit 1`,
    [projectId, version],
  );
  return row;
}

/** A hand-over is not a record, and a statement about a map is not a record. */
export async function hasRecords(
  db: Queryable,
  projectId: string,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const rows = await db.query(
    `select from provenance.log_leaf l
     where l.project_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3 and l.kind <> 'mentions' limit 1`,
    [projectId, from, to],
  );
  return rows.length > 0;
}

const APPEND = {
  1: `provenance.append_mentions($1, $2, $3, decode($4, 'base64'), decode($5, 'hex'))`,
  2: `provenance.append_statement($1, 2, $2, $3, decode($4, 'base64'), decode($5, 'hex'))`,
};

/** Appends the leaf of a statement and returns its index. Locks the log until the transaction ends. */
export async function appendStatement(
  tx: Tx,
  projectId: string,
  { statement, digest }: { statement: MentionStatement; digest: string },
): Promise<number> {
  const { version, leaves, names, root } = statement;
  const [row] = await tx.query<{ leaf: number }>(`select ${APPEND[version]} as leaf`, [
    ...[projectId, leaves, names, root],
    digest.slice('sha256:'.length),
  ]);
  if (row === undefined) throw new Error('The statement got no leaf');
  return row.leaf;
}
