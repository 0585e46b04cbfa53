import type { Client } from '@colophon/sdk';

/** Maximum number of titles. Each title needs a request, and the rest of the page has the same rate limit. */
const MAX_TITLED = 30;

/**
 * Stores titles of source files, by CID, after the record that names the files. A content with a title keeps it. Returns
 * the number of new titles.
 */
export async function titleSources(
  { resources }: Pick<Client, 'resources'>,
  titles: ReadonlyMap<string, string>,
): Promise<number> {
  const wanted = [...titles].slice(0, MAX_TITLED);
  if (wanted.length === 0) return 0;
  const known = await resources.titles(wanted.map(([cid]) => cid));
  const untitled = wanted.filter(([cid]) => known[cid] === undefined);
  for (const [cid, title] of untitled) await resources.update(cid, { title });
  return untitled.length;
}
