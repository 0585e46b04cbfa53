import type { Queryable } from '../platform/db/database.js';

export interface AnchorOfLog {
  size: number;
  chainId: number;
  chainName: string;
  contractAddress: string;
  txHash: string;
  blockNumber: number;
  status: 'confirmed' | 'final';
}

/** Reads the first anchor in a block that covers `size` leaves, or else the newest anchor in a block. */
export async function readAnchorOver(
  db: Queryable,
  projectId: string,
  size: number,
): Promise<AnchorOfLog | undefined> {
  const heads = (condition: string) =>
    `(select h.size, a.chain_id as "chainId", a.chain_name as "chainName", a.contract as "contractAddress",
        a.tx_hash as "txHash", a.block_number as "blockNumber", a.state as status
      from provenance.anchor_head h join provenance.anchor a on a.id = h.anchor_id
      where h.project_id = $1 and h.path is not null and a.block_number is not null and ${condition} limit 1)`;
  const [row] = await db.query<AnchorOfLog>(
    `${heads('h.size >= $2 order by h.size')} union all ${heads('h.size < $2 order by h.size desc')}
     order by size desc limit 1`,
    [projectId, size],
  );
  return row;
}

/** Reads the first time-stamp that covers `size` leaves. If there is none, reads the newest one. */
export async function readTimestampOver(
  db: Queryable,
  projectId: string,
  size: number,
): Promise<{ size: number; time: string } | undefined> {
  const heads = (condition: string) =>
    `(select h.size, provenance.instant(t.stamped_at) as time
      from provenance.log_timestamp_head h join provenance.log_timestamp t on t.id = h.timestamp_id
      where h.project_id = $1 and ${condition} limit 1)`;
  const [row] = await db.query<{ size: number; time: string }>(
    `${heads('h.size >= $2 order by h.size')} union all ${heads('h.size < $2 order by h.size desc')}
     order by size desc limit 1`,
    [projectId, size],
  );
  return row;
}
