import type { Queryable, Tx } from '../platform/db/database.js';

/** A log, and the witnesses that have not cosigned its present size. */
export interface UncosignedLog {
  projectId: string;
  origin: string;
  size: number;
  /** `size`: the largest size of the log that the witness has cosigned, 0 for none. */
  witnesses: { key: string; size: number }[];
}

/** Lists at most `limit` logs that grew after one of these witnesses cosigned them, in random order. */
export function listUncosignedLogs(
  db: Queryable,
  witnessKeys: readonly string[],
  limit: number,
): Promise<UncosignedLog[]> {
  return db.query<UncosignedLog>(
    `select d.project_id as "projectId", d.size, d.origin,
       jsonb_agg(jsonb_build_object('key', w.key, 'size', coalesce(c.size, 0))) as witnesses
     from provenance.anchor_due d cross join unnest($1::text[]) as w(key)
       left join lateral (
         select max(k.size) as size from provenance.cosignature k where k.project_id = d.project_id and k.witness = w.key
       ) c on true
     where d.origin is not null and d.size > coalesce(c.size, 0)
     group by d.project_id, d.size, d.origin order by random() limit $2`,
    [witnessKeys, limit],
  );
}

/** Stores the line of each witness for the checkpoint of this size. */
export async function insertCosignatures(
  tx: Tx,
  projectId: string,
  { size, lines }: { size: number; lines: readonly { witness: string; line: string }[] },
): Promise<void> {
  await tx.query(
    `insert into provenance.cosignature (project_id, size, witness, line)
     select $1, $2, given.witness, given.line from unnest($3::text[], $4::text[]) as given(witness, line)
     on conflict do nothing`,
    [projectId, size, lines.map(({ witness }) => witness), lines.map(({ line }) => line)],
  );
}

/** Reads the cosignature lines of the checkpoint of this size, concatenated. Empty when there are none. */
export async function readCosignatures(db: Queryable, projectId: string, size: number): Promise<string> {
  const [row] = await db.query<{ lines: string | null }>(
    `select string_agg(line, '' order by witness) as lines from provenance.cosignature
     where project_id = $1 and size = $2`,
    [projectId, size],
  );
  return row?.lines ?? '';
}
