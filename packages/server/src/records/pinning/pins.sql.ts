import type { Queryable } from '../../platform/db/database.js';

export interface PinFacts {
  cid: string;
  provider: string;
  pinnedAs: string;
  uri: string;
}

/**
 * Records that the pinning service `provider` stores the content `cid` under the CID `pinnedAs`. Makes `pinnedAs` an
 * alias of `cid`, except in the cases that the SQL function `note_pinned` lists.
 */
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

/** Returns the CID of the content at each pinning service that stores it, by the name of the service. */
export async function readPinned(
  db: Queryable,
  projectId: string,
  cid: string,
): Promise<Record<string, string>> {
  const rows = await db.query<{ provider: string; pinnedAs: string }>(
    `select provider, pinned_as as "pinnedAs" from provenance.pin
     where project_id = $1 and cid = $2 and pinned_at is not null order by provider`,
    [projectId, cid],
  );
  return Object.fromEntries(rows.map(({ provider, pinnedAs }) => [provider, pinnedAs]));
}

export interface QueuedPage {
  contents: number;
  last: string | null;
  queued: number;
}

/** Skips contents that are pinned at the service or have a pending pin job for it. */
export async function queuePinsOfPage(
  db: Queryable,
  page: { projectId: string; provider: string; after: string; limit: number },
): Promise<QueuedPage> {
  const [row] = await db.query<QueuedPage>('select * from provenance.queue_pins($1, $2, $3, $4)', [
    page.projectId,
    page.provider,
    page.after,
    page.limit,
  ]);
  return row ?? { contents: 0, last: null, queued: 0 };
}
