import type { Queryable } from '../../platform/db/database.js';

/** Maximum number of contents that one statement reads. */
const STEP = 1_000;

export async function readCanonicalTitles(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<Record<string, string>> {
  const titles: Record<string, string> = {};
  for (let start = 0; start < cids.length; start += STEP) {
    const rows = await db.query<{ cid: string; title: string }>(
      'select t.cid, t.title from provenance.content_title t where t.project_id = $1 and t.cid = any($2::text[])',
      [projectId, cids.slice(start, start + STEP)],
    );
    for (const { cid, title } of rows) titles[cid] = title;
  }
  return titles;
}

/** The keys of the result are the given CIDs, which may be aliases. Leaves out content without a title. */
export async function readTitles(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<Record<string, string>> {
  const rows = await db.query<{ cid: string; title: string }>(
    `select named.given as cid, content.title
     from (select given.cid as given, provenance.resolve($1, given.cid) as cid
       from unnest($2::text[]) as given(cid) offset 0) named,
       lateral (select t.title from provenance.content_title t
         where t.project_id = $1 and t.cid = named.cid offset 0) content`,
    [projectId, cids],
  );
  return Object.fromEntries(rows.map(({ cid, title }) => [cid, title]));
}
