import { ServiceError } from '../../errors.js';
import type { Database } from '../../platform/db/database.js';
import { listAbsentEntities, readKnownCid } from './published.sql.js';

/** Returns the canonical CID. Throws `NotFound` for unknown content or entities. */
export async function requirePublishable(
  provenance: Database,
  projectId: string,
  { cid, hiddenEntities }: { cid: string; hiddenEntities: 'all' | readonly string[] },
): Promise<string> {
  const known = await readKnownCid(provenance, projectId, cid);
  if (known === undefined)
    throw new ServiceError('NotFound', `This project has no record of ${cid}.`, {
      recovery: 'Record the content first.',
    });
  // A misspelt id would hide no entity, so the service rejects unknown ids.
  const absent =
    hiddenEntities === 'all' ? [] : await listAbsentEntities(provenance, projectId, hiddenEntities);
  if (absent.length === 0) return known;
  throw new ServiceError('NotFound', `There is no entity ${absent[0]} in this project.`, {
    recovery: 'Check the ids of hiddenEntities.',
  });
}
