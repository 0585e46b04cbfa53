import type { Ownership } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import { readOwnership } from '../read/ownership.sql.js';
import { writeJson } from '../read/write-json.js';

interface AskedOwnership {
  projectId: string;
  cid: string;
  signal: AbortSignal;
  /** Converts the ownership to the response. By default, the response is the ownership itself. */
  toShown?: (ownership: Ownership) => object | Promise<object>;
}

/**
 * Reads the owner, claims and transfers of a content in the fair queue. Writes them as JSON text in steps, because
 * there can be a thousand of them, or about 2 MiB of JSON. Returns undefined when there is no such resource.
 */
export function writeOwnershipInTurn(
  { reads, scheduler }: Pick<RecordDeps, 'reads' | 'scheduler'>,
  { projectId, cid, signal, toShown = (ownership) => ownership }: AskedOwnership,
): Promise<Buffer[] | undefined> {
  return scheduler.run({ projectId, kind: 'history', signal }, async () => {
    const ownership = await readOwnership(reads, projectId, { cid, signal });
    return ownership && writeJson(await toShown(ownership), { form: 'plain', signal });
  });
}
