import type { MentionStatement } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';

export interface IndexState {
  /** The map covers this many leaves from the start of the log. */
  leaves: number;
  names: number;
}

/** Reads the state of the map and locks it until the transaction ends. */
export async function lockMentionIndex(tx: Tx, projectId: string): Promise<IndexState> {
  const lock = () =>
    tx.query<IndexState>(
      'select leaves, names from provenance.mention_index where project_id = $1 for update',
      [projectId],
    );
  let [row] = await lock();
  if (row === undefined) {
    await tx.query('insert into provenance.mention_index (project_id) values ($1) on conflict do nothing', [
      projectId,
    ]);
    [row] = await lock();
  }
  return row ?? { leaves: 0, names: 0 };
}

export async function keepIndexState(
  tx: Tx,
  projectId: string,
  { leaves, names }: IndexState,
): Promise<void> {
  await tx.query('update provenance.mention_index set leaves = $2, names = $3 where project_id = $1', [
    projectId,
    leaves,
    names,
  ]);
}

/** The identifiers are those of the recorded body. The digest is in hex. */
export interface NamingAction {
  digest: string;
  inputCids: string[];
  outputCids: string[];
}

export async function readNamingActions(
  db: Queryable,
  projectId: string,
  { from, to }: { from: number; to: number },
): Promise<NamingAction[]> {
  return db.query<NamingAction>(
    `select encode(a.digest, 'hex') as digest, a.body->'inputCids' as "inputCids", a.body->'outputCids' as "outputCids"
     from provenance.log_leaf l,
       lateral (select * from provenance.action a where a.project_id = $1
                and a.id = case when l.kind = 'action' then l.record_id::uuid end offset 0) a
     where l.project_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3 and l.kind = 'action'
     order by l.leaf_index`,
    [projectId, from, to],
  );
}

/** The map's entry for one identifier. Hashes and keys are in hex. */
export interface MentionRow {
  key: string;
  madeCount: number;
  madeHead: string;
  usedCount: number;
  usedHead: string;
  value: string;
  leafHash: string;
}

const MENTION = `encode(m.name_key, 'hex') as key, m.made_count as "madeCount",
  encode(m.made_head, 'hex') as "madeHead", m.used_count as "usedCount", encode(m.used_head, 'hex') as "usedHead",
  encode(m.value, 'hex') as value, encode(m.leaf_hash, 'hex') as "leafHash"`;

/** Reads the entries for these keys, without a defined order. */
export async function readMentions(
  db: Queryable,
  projectId: string,
  keys: readonly string[],
): Promise<MentionRow[]> {
  return db.query<MentionRow>(
    `select ${MENTION} from unnest($2::text[]) as asked(key),
       lateral (select * from provenance.mention m
                where m.project_id = $1 and m.name_key = decode(asked.key, 'hex') offset 0) m`,
    [projectId, keys],
  );
}

export async function keepMentions(tx: Tx, projectId: string, rows: readonly MentionRow[]): Promise<void> {
  await tx.query(
    `insert into provenance.mention (project_id, name_key, made_count, made_head, used_count, used_head, value, leaf_hash)
     select $1, decode(r.key, 'hex'), r."madeCount", decode(r."madeHead", 'hex'), r."usedCount",
       decode(r."usedHead", 'hex'), decode(r.value, 'hex'), decode(r."leafHash", 'hex')
     from jsonb_to_recordset($2::jsonb) as r(key text, "madeCount" bigint, "madeHead" text, "usedCount" bigint,
       "usedHead" text, value text, "leafHash" text)
     on conflict (project_id, name_key) do update set made_count = excluded.made_count,
       made_head = excluded.made_head, used_count = excluded.used_count, used_head = excluded.used_head,
       value = excluded.value, leaf_hash = excluded.leaf_hash`,
    [projectId, JSON.stringify(rows)],
  );
}

/** A leaf or a root in the map. Both members are in hex. */
export interface EntryRow {
  key: string;
  hash: string;
}

/** Reads the leaves whose keys begin with one of these prefixes, sorted. */
export async function readLeavesBelow(
  db: Queryable,
  projectId: string,
  prefixes: readonly string[],
): Promise<EntryRow[]> {
  return db.query<EntryRow>(
    `select encode(m.name_key, 'hex') as key, encode(m.leaf_hash, 'hex') as hash
     from unnest($2::text[]) as asked(prefix),
       lateral (select * from provenance.mention m where m.project_id = $1 and m.name_key
                between decode(asked.prefix, 'hex') and decode(rpad(asked.prefix, 64, 'f'), 'hex') offset 0) m
     order by m.name_key`,
    [projectId, prefixes],
  );
}

/**
 * Reads the roots over 1-byte prefixes, sorted. It probes the index once per prefix, since a scan would read the
 * 256 times more numerous roots over 2 bytes.
 */
export async function readTopNodes(db: Queryable, projectId: string): Promise<EntryRow[]> {
  return db.query<EntryRow>(
    `select encode(n.prefix, 'hex') as key, encode(n.hash, 'hex') as hash
     from generate_series(0, 255) as first(byte),
       lateral (select * from provenance.mention_node n
                where n.project_id = $1 and n.prefix = set_byte('\\x00', 0, first.byte) offset 0) n
     order by n.prefix`,
    [projectId],
  );
}

/** Reads the roots over 2-byte prefixes that begin with one of these bytes, sorted. */
export async function readNodesBelow(
  db: Queryable,
  projectId: string,
  prefixes: readonly string[],
): Promise<EntryRow[]> {
  return db.query<EntryRow>(
    `select encode(n.prefix, 'hex') as key, encode(n.hash, 'hex') as hash
     from unnest($2::text[]) as asked(prefix),
       lateral (select * from provenance.mention_node n where n.project_id = $1
                and n.prefix between decode(asked.prefix || '00', 'hex') and decode(asked.prefix || 'ff', 'hex')
                offset 0) n
     order by n.prefix`,
    [projectId, prefixes],
  );
}

export async function keepMapNodes(tx: Tx, projectId: string, nodes: readonly EntryRow[]): Promise<void> {
  await tx.query(
    `insert into provenance.mention_node (project_id, prefix, hash)
     select $1, decode(r.key, 'hex'), decode(r.hash, 'hex')
     from jsonb_to_recordset($2::jsonb) as r(key text, hash text)
     on conflict (project_id, prefix) do update set hash = excluded.hash`,
    [projectId, JSON.stringify(nodes)],
  );
}

export interface StatementRow {
  leafIndex: number;
  leaves: number;
  names: number;
  /** Hex digits. */
  root: string;
}

export async function readLastStatement(db: Queryable, projectId: string): Promise<StatementRow | undefined> {
  const [row] = await db.query<StatementRow>(
    `select leaf_index as "leafIndex", leaves, names, encode(root, 'hex') as root
     from provenance.mention_statement where project_id = $1 order by leaf_index desc limit 1`,
    [projectId],
  );
  return row;
}

/** Appends the leaf of a statement and returns its index. Locks the log until the transaction ends. */
export async function appendStatement(
  tx: Tx,
  projectId: string,
  { statement, digest }: { statement: MentionStatement; digest: string },
): Promise<number> {
  const { leaves, names, root } = statement;
  const [row] = await tx.query<{ leaf: number }>(
    `select provenance.append_mentions($1, $2, $3, decode($4, 'base64'), decode($5, 'hex')) as leaf`,
    [projectId, leaves, names, root, digest.slice('sha256:'.length)],
  );
  if (row === undefined) throw new Error('append_mentions gave no leaf');
  return row.leaf;
}
