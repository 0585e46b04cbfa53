import type { ContentTitle, TitlePatch } from '@colophon/model';
import { untilAborted } from '../../platform/db/database.js';
import type { RecordDeps } from '../deps.js';
import { absent } from '../read/absent.js';
import { assertMayDescribe } from '../read/bound-key.js';
import { setTitle } from './titles.sql.js';

/** Writes no record and no leaf, and no webhook gets an event. */
export async function updateTitle(
  deps: Pick<RecordDeps, 'provenance' | 'boundKey' | 'scheduler'>,
  projectId: string,
  { cid, title, signal }: TitlePatch & { cid: string; signal: AbortSignal },
): Promise<ContentTitle> {
  await assertMayDescribe(deps, projectId, [{ resourceCid: cid }]);
  // The statement occupies a connection while it waits for the lock of the project.
  const known = await deps.scheduler.run({ projectId, kind: 'batch', signal }, (running) =>
    setTitle(untilAborted(deps.provenance, running), projectId, { cid, title }),
  );
  if (known === undefined) throw absent('content', cid);
  return { cid: known, title };
}
