import type { Queryable } from '../../platform/db/database.js';

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

/** Reads the name that each service gave the content, by service. */
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

/** A page of a project's stored contents: how many, the last of them, and how many pins were called for. */
export interface QueuedPage {
  contents: number;
  last: string | null;
  queued: number;
}

/** Leaves a job for each of the next contents that the service neither has nor is about to get. */
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
