import type { Queryable } from '../../platform/db/database.js';

/** The service's CID and address of a pinned content. */
export interface PinFacts {
  cid: string;
  provider: string;
  pinnedAs: string;
  uri: string;
}

/** Notes that content is pinned, and adds the service's CID as an alias. */
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

/** Reads each service's CID of the content, by service. */
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

/** A page of a project's stored contents: their number, the last one, and the number of queued pins. */
export interface QueuedPage {
  contents: number;
  last: string | null;
  queued: number;
}

/** Queues a pin for each of the next contents that the service does not have and that has no open job. */
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
