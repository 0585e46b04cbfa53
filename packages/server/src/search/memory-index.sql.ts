import type { Queryable } from '../platform/db/database.js';
import { TEXT_METHOD } from './descriptor.js';
import type { NewDescriptor, SignSlice, StoredVector } from './memory/protocol.js';

export interface DescriptorLocation {
  method: string;
  cid: string;
}

const SLICE_ROWS = 5_000;
/** Each row has a vector of up to 16 KiB. */
const NEW_ROWS = 200;

/** Reads the signs of the vectors of the next descriptors, and the next position; undefined at the end. */
export async function readSigns(
  db: Queryable,
  projectId: string,
  after: DescriptorLocation,
): Promise<{ slices: SignSlice[]; next: DescriptorLocation | undefined }> {
  const rows = await db.query<SignSlice & { count: number; last: string }>(
    `with slice as materialized (
       select d.method, d.cid, d.signs, coalesce(r.type, '') as type
       from (select d.method, d.cid, d.signs from provenance.descriptor d
             where d.project_id = $1 and (d.method, d.cid) > ($2, $3)
             order by d.method, d.cid limit $4) d
         left join lateral (select r.type from provenance.resource r
           where r.project_id = $1 and r.cid = d.cid offset 0) r on true)
     select method, length(signs) as dimensions, count(*)::int as count, max(cid) as last,
       string_agg(cid, chr(10) order by cid) as cids, string_agg(type, chr(10) order by cid) as types,
       encode(string_agg(substring(varbit_send(signs) from 5), ''::bytea order by cid), 'base64') as signs
     from slice group by method, length(signs) order by method, max(cid)`,
    [projectId, after.method, after.cid, SLICE_ROWS],
  );
  const read = rows.reduce((sum, { count }) => sum + count, 0);
  const last = rows.at(-1);
  return {
    slices: rows.filter(({ dimensions }) => dimensions > 0),
    next: read < SLICE_ROWS || last === undefined ? undefined : { method: last.method, cid: last.last },
  };
}

/** Reads the highest write number of a project's descriptors. Later writes have higher numbers. */
export async function readNewest(db: Queryable, projectId: string): Promise<number> {
  const [row] = await db.query<{ position: string }>(
    `select coalesce(max(d.write_number), 0)::text as position from provenance.descriptor d where d.project_id = $1`,
    [projectId],
  );
  return Number(row?.position ?? 0);
}

/** Reads descriptors with a write number above `after`, in order. `hasMore`: there may be more. */
export async function readNew(
  db: Queryable,
  projectId: string,
  after: number,
): Promise<{ rows: NewDescriptor[]; newest: number; hasMore: boolean }> {
  const rows = await db.query<NewDescriptor & { position: string }>(
    `select d.write_number::text as position, d.method, d.cid, length(d.signs) as dimensions,
       encode(substring(varbit_send(d.signs) from 5), 'base64') as signs,
       encode(array_send(d.embedding), 'base64') as vector,
       case when d.method = $3 then encode(d.evidence, 'base64') end as evidence, coalesce(r.type, '') as type
     from (select d.* from provenance.descriptor d
           where d.project_id = $1 and d.write_number > $2 order by d.write_number limit $4) d
       left join lateral (select r.type from provenance.resource r
         where r.project_id = $1 and r.cid = d.cid offset 0) r on true
     order by d.write_number`,
    [projectId, after, TEXT_METHOD, NEW_ROWS],
  );
  return {
    rows: rows.filter(({ dimensions }) => dimensions > 0),
    newest: Number(rows.at(-1)?.position ?? after),
    hasMore: rows.length === NEW_ROWS,
  };
}

export async function readVectors(
  db: Queryable,
  projectId: string,
  { method, cids }: { method: string; cids: readonly string[] },
): Promise<StoredVector[]> {
  return db.query<StoredVector>(
    `select d.cid, encode(array_send(d.embedding), 'base64') as vector,
       case when $2 = $4 then encode(d.evidence, 'base64') end as evidence
     from unnest($3::text[]) as named(cid),
       lateral (select d.cid, d.embedding, d.evidence from provenance.descriptor d
                where d.project_id = $1 and d.method = $2 and d.cid = named.cid offset 0) d`,
    [projectId, method, cids, TEXT_METHOD],
  );
}
