import type { Queryable } from '../platform/db/database.js';

export interface UncosignedLog {
  projectId: string;
  origin: string;
  size: number;
  presentSize: number;
  /** `size`: size of the largest tree that the witness has cosigned, or 0. */
  witnesses: { key: string; size: number }[];
}

const LOGS_PER_STATEMENT = 200;

/**
 * Lists, for each witness, at most `limit` logs that grew after the witness cosigned them. The order is random, and the
 * same for all witnesses. The newest anchored tree comes before the present tree, because a witness never cosigns a
 * smaller tree than before. `paused`: the pairs of a log and a witness to omit.
 */
export async function listUncosignedLogs(
  db: Queryable,
  { keys, paused }: { keys: readonly string[]; paused: readonly { key: string; projectId: string }[] },
  limit: number,
): Promise<UncosignedLog[]> {
  const rows = await db.query<UncosignedLog>(
    `select due.project_id as "projectId", due.origin, due.size, due.size as "presentSize",
       jsonb_agg(jsonb_build_object('key', due.key, 'size', due.cosigned)) as witnesses
     from (
       select d.project_id, d.origin, d.size, d.place, w.key, coalesce(c.size, 0) as cosigned,
         row_number() over (partition by w.key order by d.place) as turn
       from (select *, random() as place from provenance.anchor_due where origin is not null) d
         cross join unnest($1::text[]) as w(key)
         left join lateral (
           select max(k.size) as size from provenance.cosignature k
           where k.project_id = d.project_id and k.witness = w.key
         ) c on true
       where d.size > coalesce(c.size, 0) and (d.project_id, w.key) not in (
         select project_id, key from unnest($3::uuid[], $4::text[]) as p(project_id, key))
     ) due
     where due.turn <= $2
     group by due.project_id, due.origin, due.size, due.place order by due.place`,
    [keys, limit, paused.map(({ projectId }) => projectId), paused.map(({ key }) => key)],
  );
  const logs: UncosignedLog[] = [];
  for (let from = 0; from < rows.length; from += LOGS_PER_STATEMENT) {
    const part = rows.slice(from, from + LOGS_PER_STATEMENT);
    const anchored = await readAnchoredSizes(
      db,
      part.map(({ projectId }) => projectId),
    );
    logs.push(...part.flatMap((log) => toTrees(log, anchored.get(log.projectId) ?? 0)));
  }
  return logs;
}

/** The query begins with `anchor_due`, which has one row for each log, so that Citus can join on each worker. */
async function readAnchoredSizes(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, number | null>> {
  const rows = await db.query<{ id: string; size: number | null }>(
    `select d.project_id as id, a.size from provenance.anchor_due d
       left join lateral (
         select max(h.size) as size from provenance.anchor_head h
         where h.project_id = d.project_id and h.path is not null
       ) a on true
     where d.project_id = any($1::uuid[])`,
    [projectIds],
  );
  return new Map(rows.map(({ id, size }) => [id, size]));
}

/** Returns the trees to cosign next, each with its witnesses. `anchored`: size of the newest anchored tree. */
function toTrees({ witnesses, ...log }: UncosignedLog, anchored: number): UncosignedLog[] {
  const treeOf = (cosigned: number) => (anchored > cosigned ? anchored : log.size);
  const sizes = [...new Set(witnesses.map(({ size }) => treeOf(size)))];
  return sizes.map((size) => ({
    ...log,
    size,
    witnesses: witnesses.filter((witness) => treeOf(witness.size) === size),
  }));
}

/** A stored line never changes. */
export async function insertCosignatures(
  db: Queryable,
  projectId: string,
  { size, lines }: { size: number; lines: readonly { witness: string; line: string }[] },
): Promise<void> {
  await db.query(
    `insert into provenance.cosignature (project_id, size, witness, line)
     select $1, $2, given.witness, given.line from unnest($3::text[], $4::text[]) as given(witness, line)
     on conflict do nothing`,
    [projectId, size, lines.map(({ witness }) => witness), lines.map(({ line }) => line)],
  );
}

export async function readCosignatures(db: Queryable, projectId: string, size: number): Promise<string> {
  const [row] = await db.query<{ lines: string | null }>(
    `select string_agg(line, '' order by witness) as lines from provenance.cosignature
     where project_id = $1 and size = $2`,
    [projectId, size],
  );
  return row?.lines ?? '';
}

/**
 * Reads the cosigned tree of at least `minSize` leaves with the most cosignatures of `witnesses`; among equals, the
 * newest. Considers only the newest tree and the last 20 trees that each witness cosigned.
 */
export async function readCosignedTree(
  db: Queryable,
  projectId: string,
  { minSize, witnesses = [] }: { minSize: number; witnesses?: readonly string[] | undefined },
): Promise<{ size: number; lines: string } | undefined> {
  const [row] = await db.query<{ size: number; lines: string }>(
    `select c.size, string_agg(c.line, '' order by c.witness) as lines from provenance.cosignature c
     where c.project_id = $1 and c.size = (select provenance.cosigned_size($1, $2, $3::text[])) group by c.size`,
    [projectId, minSize, witnesses],
  );
  return row;
}
