import type { ContentTitle, TitlePatch } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import { absent } from '../read/absent.js';
import { assertMayDescribe } from '../read/bound-key.js';
import { setTitle } from './titles.sql.js';

/**
 * Sets or removes the title of a content. Writes no record and no leaf, and no webhook gets an event. Throws `NotFound`
 * for unknown content, and `Forbidden` when the API key is bound to an entity that does not own the content.
 */
export async function updateTitle(
  deps: Pick<RecordDeps, 'provenance' | 'boundKey'>,
  projectId: string,
  { cid, title }: TitlePatch & { cid: string },
): Promise<ContentTitle> {
  await assertMayDescribe(deps, projectId, [{ resourceCid: cid }]);
  const known = await setTitle(deps.provenance, projectId, { cid, title });
  if (known === undefined) throw absent('content', cid);
  return { cid: known, title };
}
