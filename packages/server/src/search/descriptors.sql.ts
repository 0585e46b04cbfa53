import type { Queryable } from '../platform/db/database.js';
import type { Descriptor, Method } from './descriptor.js';
import { type DescriptorText, toDescriptorText } from './descriptor-text.js';

export interface DescriptorRow extends DescriptorText {
  cid: string;
}

export function toDescriptorRow(cid: string, descriptor: Descriptor): DescriptorRow {
  return { cid, ...toDescriptorText(descriptor) };
}

export async function writeDescriptor(db: Queryable, projectId: string, row: DescriptorRow): Promise<void> {
  await writeDescriptors(db, projectId, [row]);
}

export async function writeDescriptors(
  db: Queryable,
  projectId: string,
  rows: readonly DescriptorRow[],
): Promise<void> {
  await db.query('select provenance.write_descriptors($1, $2::jsonb)', [projectId, JSON.stringify(rows)]);
}

/**
 * Stores a descriptor of a caller's model. Stores nothing and returns the methods of callers' models if the project
 * would get more than `maxModels`. Concurrent calls, even on several nodes, cannot exceed the limit.
 */
export async function writeModelDescriptor(
  db: Queryable,
  projectId: string,
  { row, maxModels }: { row: DescriptorRow; maxModels: number },
): Promise<string[] | undefined> {
  const [result] = await db.query<{ methods: string[] | null }>(
    'select provenance.write_model_descriptor($1, $2::jsonb, $3) as methods',
    [projectId, JSON.stringify(row), maxModels],
  );
  return result?.methods ?? undefined;
}

/** Whether content has a descriptor of a method, even an empty one. */
export async function hasDescriptor(
  db: Queryable,
  projectId: string,
  { method, cid }: { method: Method; cid: string },
): Promise<boolean> {
  const rows = await db.query(
    `select d.cid from provenance.descriptor d
     where d.project_id = $1 and d.method = $2 and d.cid = provenance.resolve($1, $3)`,
    [projectId, method, cid],
  );
  return rows.length > 0;
}

export async function readDescriptorState(
  db: Queryable,
  projectId: string,
  { method, cid }: { method: Method; cid: string },
): Promise<'usable' | 'empty' | undefined> {
  const [row] = await db.query<{ isUsable: boolean }>(
    `select coalesce(length(d.signs), 0) > 0 as "isUsable" from provenance.descriptor d
     where d.project_id = $1 and d.method = $2 and d.cid = provenance.resolve($1, $3)`,
    [projectId, method, cid],
  );
  return row === undefined ? undefined : row.isUsable ? 'usable' : 'empty';
}

/** Reads the vector length of a method in the project; undefined without vectors. */
export async function readDimensions(
  db: Queryable,
  projectId: string,
  method: Method,
): Promise<number | undefined> {
  const [row] = await db.query<{ dimensions: number }>(
    `select length(d.signs) as dimensions from provenance.descriptor d
     where d.project_id = $1 and d.method = $2 limit 1`,
    [projectId, method],
  );
  return row?.dimensions;
}

export async function readExact(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<{ cid: string; type: string } | undefined> {
  const [row] = await db.query<{ cid: string; type: string }>(
    `select r.cid, r.type from unnest($2::text[]) as name, provenance.resource r
     where r.project_id = $1 and r.cid = provenance.resolve($1, name) limit 1`,
    [projectId, names],
  );
  return row;
}
