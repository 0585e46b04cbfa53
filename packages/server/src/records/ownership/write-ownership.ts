import type { Ownership } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import { readOwnership } from '../read/ownership.sql.js';
import { writeJson } from '../read/write-json.js';

interface AskedOwnership {
  projectId: string;
  cid: string;
  signal: AbortSignal;
  toShown?: (ownership: Ownership) => object | Promise<object>;
}

/** Writes the JSON in steps, because it can have about 2 MiB. Undefined when there is no such resource. */
export function writeOwnershipInTurn(
  { reads, scheduler }: Pick<RecordDeps, 'reads' | 'scheduler'>,
  { projectId, cid, signal, toShown = (ownership) => ownership }: AskedOwnership,
): Promise<Buffer[] | undefined> {
  return scheduler.run({ projectId, kind: 'history', signal }, async () => {
    const ownership = await readOwnership(reads, projectId, { cid, signal });
    return ownership && writeJson(await toShown(ownership), { form: 'plain', signal });
  });
}
