import type { UnmarkedContent } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { readCanonicalTitles } from '../read/titles.sql.js';

/** `contents`: at most 1,000, with canonical CIDs. */
export async function addTitles<Content extends { cid: string }>(
  db: Queryable,
  projectId: string,
  contents: readonly Content[],
): Promise<(Content & { title?: string })[]> {
  const titles = await readCanonicalTitles(
    db,
    projectId,
    contents.map(({ cid }) => cid),
  );
  return contents.map((content) => {
    const title = titles[content.cid];
    return title === undefined ? content : { ...content, title };
  });
}

export async function addTitlesWithCopies(
  db: Queryable,
  projectId: string,
  contents: readonly UnmarkedContent[],
): Promise<UnmarkedContent[]> {
  const copies = contents.flatMap(({ markedCopy }) => markedCopy ?? []);
  const titled = new Map((await addTitles(db, projectId, copies)).map((copy) => [copy.cid, copy]));
  return (await addTitles(db, projectId, contents)).map(({ markedCopy, ...content }) =>
    markedCopy === undefined ? content : { ...content, markedCopy: titled.get(markedCopy.cid) ?? markedCopy },
  );
}
