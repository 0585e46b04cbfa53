import type { JsonObject, RecordKind, Salts } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';

export interface ErasableRecord {
  id: string;
  body: JsonObject;
  salts: Salts;
  /** Hex digits. */
  digest: string;
  /** Time when the record was created, as text with microseconds. */
  at: string;
}

export type ErasurePosition = Pick<ErasableRecord, 'at' | 'id'>;

/** Maximum number of records per step, and maximum size of their JSON: a step takes some 20 ms of the database. */
const BATCH = { records: 50, bytes: 2 ** 19 };

const SOURCES: Record<RecordKind, { table: string; time: string; ofEntity: string; isLeft: string }> = {
  entity: { table: 'provenance.entity', time: 'created_at', ofEntity: 'id', isLeft: 'r.erasure is null' },
  action: {
    table: 'provenance.action',
    time: 'recorded_at',
    ofEntity: 'performed_by',
    // The fingerprint is a hash without a salt, and it covers the performer's name.
    isLeft: `(r.salts <> '{}' or r.fingerprint <> '')`,
  },
  attribution: {
    table: 'provenance.attribution',
    time: 'created_at',
    ofEntity: 'entity_id',
    isLeft: `r.salts <> '{}'`,
  },
};

/** Lists the next records with personal data of the entity, newest first. The last may exceed the size limit. */
export function listErasable(
  db: Queryable,
  projectId: string,
  { kind, entityId, after }: { kind: RecordKind; entityId: string; after: ErasurePosition | undefined },
): Promise<ErasableRecord[]> {
  const { table, time, ofEntity, isLeft } = SOURCES[kind];
  const idType = kind === 'entity' ? 'text' : 'uuid';
  return db.query<ErasableRecord>(
    `select id::text, body, salts, encode(digest, 'hex') as digest, at::text
     from (
       select found.*, sum(weight_bytes) over (order by at desc, id desc) - weight_bytes as bytes_before
       from (
         select r.id, r.body, r.salts, r.digest, r.${time} as at, r.weight_bytes from ${table} r
         where r.project_id = $1 and r.${ofEntity} = $2 and ${isLeft}
           and ($3::text is null or (r.${time}, r.id) < ($3::text::timestamptz, $4::${idType}))
         order by r.${time} desc, r.id desc limit ${BATCH.records}
       ) found
     ) weighed
     where bytes_before < ${BATCH.bytes} order by weighed.at desc, weighed.id desc`,
    [projectId, entityId, after?.at ?? null, after?.id ?? null],
  );
}

/** Erases records, except those that changed after they were read. Returns the number of erased records. */
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

/** Deletes the responses that are stored for Idempotency-Keys and show records of the entity. */
export async function eraseAnswers(db: Queryable, projectId: string, entityId: string): Promise<void> {
  await db.query('select provenance.erase_answers($1, $2)', [projectId, entityId]);
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
