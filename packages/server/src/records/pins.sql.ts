import type { Queryable } from '../db/database.js';

/** A service has the content: what it calls it, and where it serves it. */
export interface PinFacts {
  cid: string;
  provider: string;
  pinnedAs: string;
  uri: string;
}

/** Notes that content is pinned, and the service's own name for it as an alias. */
export async function notePinned(
  db: Queryable,
  projectId: string,
  { cid, provider, pinnedAs, uri }: PinFacts,
): Promise<void> {
  await db.query('select provenance.note_pinned($1, $2, $3, $4, $5)', [
    projectId,
    cid,
    provider,
    pinnedAs,
    uri,
  ]);
}
