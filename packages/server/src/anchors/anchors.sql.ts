import type { Onchain } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';
import { limitClause } from '../platform/db/limit-clause.js';
import type { MinedTransaction, SignedTransaction } from './chain.js';

export interface Registry {
  chainId: number;
  chainName: string;
  contractAddress: string;
}

/** A log that has grown since its last anchor. */
export interface DueLog {
  projectId: string;
  size: number;
  anchoredSize: number;
  origin: string;
}

/** Lists logs that have grown since their last anchor, in random order, without the projects in `except`. */
export function listDueLogs(db: Queryable, except: readonly string[], limit: number): Promise<DueLog[]> {
  return db.query<DueLog>(
    `select d.project_id as "projectId", d.size, d.anchored_size as "anchoredSize",
       coalesce(d.origin, (select s.name || '/log/' || d.project_id from provenance.log_service s)) as origin
     from provenance.anchor_due d
     where d.size > d.anchored_size and d.project_id <> all ($1::uuid[]) order by random() limit $2`,
    [except, limit],
  );
}

/** Lists the first actions without an anchor, for the anchoring method `action`. */
export function listDueActions(
  db: Queryable,
  { projectId, size, anchoredSize }: DueLog,
  limit: number,
): Promise<{ leafIndex: number; digestHex: string }[]> {
  return db.query(
    `select leaf_index as "leafIndex", encode(digest, 'hex') as "digestHex" from provenance.log_leaf
     where project_id = $1 and leaf_index >= $2 and leaf_index < $3 and kind = 'action'
     order by leaf_index ${limitClause(limit)}`,
    [projectId, anchoredSize, size],
  );
}

/**
 * `place` and `path` prove that the root of the anchor covers the hash of the log's checkpoint. For an anchor of a
 * single action, they are null, and `size` is the index of its leaf plus 1.
 */
export interface NewHead {
  projectId: string;
  size: number;
  origin: string;
  place: number | null;
  path: readonly string[] | null;
}

export interface NewAnchor {
  id: string;
  rootHex: string;
  /** Number of logs whose heads the root covers. Null for an anchor of a single action. */
  size: number | null;
  heads: readonly NewHead[];
}

/** `passedOver`: logs whose leaves up to `size` need no further anchor. */
export async function insertAnchors(
  tx: Tx,
  {
    anchors,
    passedOver,
  }: { anchors: readonly NewAnchor[]; passedOver: readonly Pick<NewHead, 'projectId' | 'size'>[] },
  { chainId, chainName, contractAddress }: Registry,
): Promise<void> {
  const given = JSON.stringify(anchors);
  await tx.query(
    `insert into provenance.anchor (id, root, size, chain_id, chain_name, contract)
     select a.id, decode(a."rootHex", 'hex'), a.size, $2, $3, $4
     from jsonb_to_recordset($1::jsonb) a(id uuid, "rootHex" text, size bigint)`,
    [given, chainId, chainName, contractAddress],
  );
  await tx.query(
    `insert into provenance.anchor_head (project_id, size, anchor_id, origin, place, path)
     select h."projectId", h.size, a.id, h.origin, h.place, nullif(h.path, 'null'::jsonb)
     from jsonb_to_recordset($1::jsonb) a(id uuid, heads jsonb),
       jsonb_to_recordset(a.heads) h("projectId" uuid, size bigint, origin text, place bigint, path jsonb)
     order by h."projectId"`,
    [given],
  );
  const ends = [...anchors.flatMap(({ heads }) => heads), ...passedOver];
  await tx.query(
    `update provenance.anchor_due d set anchored_size = greatest(d.anchored_size, h.size)
     from (select "projectId", max(size) as size
           from jsonb_to_recordset($1::jsonb) h("projectId" uuid, size bigint) group by "projectId") h
     where d.project_id = h."projectId"`,
    [JSON.stringify(ends.map(({ projectId, size }) => ({ projectId, size })))],
  );
}

/** Fees are in wei per unit of gas. */
export interface StoredTransaction {
  hash: string;
  raw: string;
  account: string;
  nonce: number;
  maxFeeWei: string;
  priorityFeeWei: string;
  signedSecondsAgo: number;
}

/** An anchor that is not final. */
export interface OpenAnchor {
  id: string;
  rootHex: string;
  size: number | null;
  state: 'pending' | 'submitted' | 'confirmed';
  blockNumber: number | null;
  blockHash: string | null;
  /** Transactions to the anchor's registry, newest first. */
  transactions: StoredTransaction[];
}

/** Oldest first. */
export function listOpenAnchors(db: Queryable, registry: Registry, limit: number): Promise<OpenAnchor[]> {
  return db.query<OpenAnchor>(
    `select a.id, encode(a.root, 'hex') as "rootHex", a.size, a.state, a.block_number as "blockNumber",
       a.block_hash as "blockHash", (
         select coalesce(jsonb_agg(jsonb_build_object('hash', t.hash, 'raw', t.raw, 'account', t.account,
           'nonce', t.nonce, 'maxFeeWei', t.max_fee_wei::text, 'priorityFeeWei', t.priority_fee_wei::text,
           'signedSecondsAgo', extract(epoch from now() - t.signed_at)) order by t.signed_at desc, t.nonce desc), '[]')
         from provenance.anchor_transaction t
         where t.anchor_id = a.id and t.chain_id = a.chain_id and t.contract = a.contract) as transactions
     from provenance.anchor a
     where a.state <> 'final' and a.chain_id = $1 and a.contract = $2 order by a.id ${limitClause(limit)}`,
    [registry.chainId, registry.contractAddress],
  );
}

/** Lists the nonces of the account's transactions for anchors that are not final. */
export async function listOpenNonces(
  db: Queryable,
  registry: Registry,
  account: string,
): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ nonce: number }>(
    `select distinct t.nonce from provenance.anchor_transaction t join provenance.anchor a on a.id = t.anchor_id
     where a.state <> 'final' and t.account = $1 and (t.chain_id, t.contract) = (a.chain_id, a.contract)
       and a.chain_id = $2 and a.contract = $3`,
    [account, registry.chainId, registry.contractAddress],
  );
  return new Set(rows.map(({ nonce }) => nonce));
}

/** Call this function before you send the transaction. */
export async function insertTransaction(
  tx: Tx,
  { anchorId, signed, account }: { anchorId: string; signed: SignedTransaction; account: string },
): Promise<void> {
  await tx.query(
    `insert into provenance.anchor_transaction
       (anchor_id, hash, raw, account, chain_id, contract, nonce, max_fee_wei, priority_fee_wei)
     select id, $2, $3, $4, chain_id, contract, $5, $6::numeric, $7::numeric
     from provenance.anchor where id = $1`,
    [
      anchorId,
      signed.hash,
      signed.raw,
      account,
      signed.nonce,
      String(signed.maxFeeWei),
      String(signed.priorityFeeWei),
    ],
  );
  await tx.query(`update provenance.anchor set state = 'submitted', tx_hash = $2 where id = $1`, [
    anchorId,
    signed.hash,
  ]);
}

/** Records that a block contains the transaction of the anchor. */
export async function noteMined(tx: Tx, anchorId: string, mined: MinedTransaction): Promise<void> {
  await tx.query(
    `update provenance.anchor set state = 'confirmed', tx_hash = $2, block_number = $3, block_hash = $4,
       log_index = $5
     where id = $1`,
    [anchorId, mined.txHash, mined.blockNumber, mined.blockHash, mined.logIndex],
  );
}

/** Records that the block of the anchor is no longer part of the chain. */
export async function noteUnmined(tx: Tx, anchorId: string): Promise<void> {
  await tx.query(
    `update provenance.anchor set state = 'submitted', block_number = null, block_hash = null, log_index = null
     where id = $1`,
    [anchorId],
  );
}

export async function noteFinal(tx: Tx, anchorIds: readonly string[]): Promise<void> {
  await tx.query(`update provenance.anchor set state = 'final' where id = any ($1::uuid[])`, [anchorIds]);
}

/** Assigns the anchors of other registries to this registry, except anchors that a block already contains. */
export async function retargetAnchors(tx: Tx, registry: Registry): Promise<void> {
  await tx.query(
    `update provenance.anchor
     set state = 'pending', tx_hash = null, chain_id = $1, chain_name = $2, contract = $3
     where state in ('pending', 'submitted') and (chain_id, contract) is distinct from ($1, $3)`,
    [registry.chainId, registry.chainName, registry.contractAddress],
  );
}

/** Returns undefined if there is no anchor. */
export async function readLastAnchorAge(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ seconds: number }>(
    `select extract(epoch from now() - created_at)::float8 as seconds from provenance.anchor
     order by id desc limit 1`,
  );
  return row?.seconds;
}

/** `place`, `path` and `heads` are null for an anchor of a single action. */
export interface LeafAnchor {
  size: number;
  origin: string;
  place: number | null;
  path: string[] | null;
  rootHex: string;
  heads: number | null;
  chainId: number;
  chainName: string;
  contractAddress: string;
  txHash: string;
  blockNumber: number;
  logIndex: number;
}

/** Returns undefined until a block contains the anchor. */
export async function readLeafAnchor(
  db: Queryable,
  projectId: string,
  leafIndex: number,
): Promise<LeafAnchor | undefined> {
  const [row] = await db.query<LeafAnchor>(
    `select h.size, h.origin, h.place, h.path, encode(a.root, 'hex') as "rootHex", a.size as heads,
       a.chain_id as "chainId", a.chain_name as "chainName", a.contract as "contractAddress",
       a.tx_hash as "txHash", a.block_number as "blockNumber", a.log_index as "logIndex"
     from provenance.anchor_of($1, $2) h join provenance.anchor a on a.id = h.anchor_id
     where a.block_number is not null`,
    [projectId, leafIndex],
  );
  return row;
}

/** Omits the state `final`. `due`: the number of logs that have grown since their last anchor. */
export async function countAnchors(db: Queryable): Promise<Record<string, number>> {
  const [row] = await db.query<{ counts: Record<string, number> }>(
    `select jsonb_build_object('due', (select count(*) from provenance.anchor_due where size > anchored_size))
       || coalesce((select jsonb_object_agg(state, count) from (
            select state, count(*) from provenance.anchor where state <> 'final' group by state) each), '{}') as counts`,
  );
  return row?.counts ?? {};
}

/** Reads the anchors of actions, without proofs, by the id of the action. An action without an anchor is absent. */
export async function listOnchain(
  db: Queryable,
  projectId: string,
  actionIds: readonly string[],
): Promise<Map<string, Onchain>> {
  const rows = await db.query<{ id: string; onchain: Onchain }>(
    `select * from (
       select r.id, provenance.onchain_json(r.project_id, r.leaf_index)->'onchain' as onchain
       from provenance.action r where r.project_id = $1 and r.id = any($2::uuid[])) a
     where a.onchain is not null`,
    [projectId, actionIds],
  );
  return new Map(rows.map(({ id, onchain }) => [id, onchain]));
}
