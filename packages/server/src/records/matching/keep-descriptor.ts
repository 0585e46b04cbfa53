import type { Queryable } from '../../platform/db/database.js';
import { type DescriptorRow, writeDescriptor, writeDescriptors } from '../../search/descriptors.sql.js';
import type { MemoryIndex } from '../../search/memory-index.js';
import { readTypes } from '../../search/nearest.sql.js';

/** Stores a descriptor for recorded content. The next search of this process finds it. */
export async function keepDescriptor(
  deps: { db: Queryable; index: Pick<MemoryIndex, 'addRecorded' | 'noteChange'> },
  projectId: string,
  row: DescriptorRow,
): Promise<void> {
  await writeDescriptor(deps.db, projectId, row);
  await indexDescriptor(deps, projectId, row);
}

/** If the type of the content is unknown, the next search reads the descriptor from the database instead. */
export async function indexDescriptor(
  { db, index }: { db: Queryable; index: Pick<MemoryIndex, 'addRecorded' | 'noteChange'> },
  projectId: string,
  row: DescriptorRow,
): Promise<void> {
  const type = (await readTypes(db, projectId, [row.cid])).get(row.cid);
  if (type === undefined) index.noteChange(projectId);
  else index.addRecorded(projectId, { ...row, type });
}

export async function keepDescriptors(
  deps: { db: Queryable; index: Pick<MemoryIndex, 'addRecorded' | 'noteChange'> },
  projectId: string,
  rows: readonly DescriptorRow[],
): Promise<void> {
  const [row] = rows;
  if (row !== undefined && rows.length === 1) return keepDescriptor(deps, projectId, row);
  await writeDescriptors(deps.db, projectId, rows);
  deps.index.noteChange(projectId);
}
