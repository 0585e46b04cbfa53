import type { JsonObject, RecordKind, Salts } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';

export interface ErasableRecord {
  id: string;
  body: JsonObject;
  salts: Salts;
  /** Hex. */
  digest: string;
  /** Creation time, as text with microseconds. */
  at: string;
}

export type ErasurePosition = Pick<ErasableRecord, 'at' | 'id'>;

/** `last`: the last examined record; undefined after the last page. */
export interface ErasablePage {
  records: ErasableRecord[];
  last: ErasurePosition | undefined;
}

/** Limits of one step. Only records with personal data count towards `records` and `bytes`. */
const BATCH = { records: 50, bytes: 2 ** 19, examined: 500 };

/** SQL: whether a record has salts. PostgreSQL knows the stored size without reading large salts. */
const HAS_SALTS = `pg_column_size(r.salts) > pg_column_size('{}'::jsonb)`;

const SOURCES: Record<RecordKind, { table: string; time: string; ofEntity: string; isLeft: string }> = {
  entity: { table: 'provenance.entity', time: 'created_at', ofEntity: 'id', isLeft: 'r.erasure is null' },
  action: {
    table: 'provenance.action',
    time: 'recorded_at',
    ofEntity: 'performed_by',
    // The fingerprint is erased too: it is a hash without a salt, and covers the performer's name.
    isLeft: `(${HAS_SALTS} or r.fingerprint <> '')`,
  },
  attribution: {
    table: 'provenance.attribution',
    time: 'created_at',
    ofEntity: 'entity_id',
    isLeft: HAS_SALTS,
  },
};

/** Examines the next records of the entity, newest first, and lists those with personal data. */
export async function listErasable(
  db: Queryable,
  projectId: string,
  { kind, entityId, after }: { kind: RecordKind; entityId: string; after: ErasurePosition | undefined },
): Promise<ErasablePage> {
  const rows = await db.query<ErasableRecord & { isLeft: boolean }>(
    toListSql(kind, after !== undefined),
    after === undefined ? [projectId, entityId] : [projectId, entityId, after.at, after.id],
  );
  const records = rows.filter(({ isLeft }) => isLeft).map(({ isLeft: _, ...record }) => record);
  return { records, last: rows.at(-1) };
}

/** The first page has no condition on the position, so each plan can use an index. */
function toListSql(kind: RecordKind, hasPosition: boolean): string {
  const { table, time, ofEntity, isLeft } = SOURCES[kind];
  const idType = kind === 'entity' ? 'text' : 'uuid';
  return `select id::text, case when is_left then body end as body, case when is_left then salts end as salts,
       encode(digest, 'hex') as digest, at::text, is_left as "isLeft"
     from (
       select weighed.*, lead(id) over newest is null as is_last
       from (
         select page.*, count(*) filter (where is_left) over newest - is_left::int as left_before,
           sum(case when is_left then weight_bytes else 0 end) over newest
             - case when is_left then weight_bytes else 0 end as bytes_before
         from (
           select r.id, r.body, r.salts, r.digest, r.${time} as at, r.weight_bytes, ${isLeft} as is_left
           from ${table} r
           where r.project_id = $1 and r.${ofEntity} = $2 and r.${ofEntity} between $2 and $2
             ${hasPosition ? `and (r.${time}, r.id) < ($3::timestamptz, $4::${idType})` : ''}
           order by r.${time} desc, r.id desc limit ${BATCH.examined}
         ) page
         window newest as (order by page.at desc, page.id desc)
       ) weighed
       where left_before < ${BATCH.records} and bytes_before < ${BATCH.bytes}
       window newest as (order by weighed.at desc, weighed.id desc)
     ) taken
     where is_left or is_last order by taken.at desc, taken.id desc`;
}

/** Skips records that have changed since they were read. Returns the number of erased records. */
export async function eraseRecords(
  db: Queryable,
  projectId: string,
  { kind, records }: { kind: RecordKind; records: readonly Omit<ErasableRecord, 'salts' | 'at'>[] },
): Promise<number> {
  const [row] = await db.query<{ changed: number }>(
    'select provenance.erase_records($1, $2, $3::jsonb) as changed',
    [projectId, kind, JSON.stringify(records)],
  );
  return row?.changed ?? 0;
}

/** The outcome `erased` replaces each stored response that shows records of the entity. `after` and result: hex. */
export async function eraseAnswers(
  db: Queryable,
  projectId: string,
  { entityId, after }: { entityId: string; after: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ last: string | null }>(
    `select encode(provenance.erase_answers($1, $2, decode($3, 'hex')), 'hex') as last`,
    [projectId, entityId, after],
  );
  return row?.last ?? undefined;
}

export async function readErasedAt(
  db: Queryable,
  projectId: string,
  entityId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ at: string | null }>(
    `select e.erasure->>'at' as at from provenance.entity e where e.project_id = $1 and e.id = $2`,
    [projectId, entityId],
  );
  return row?.at ?? undefined;
}
