import type { Client } from '@colophon/sdk';

/** Each title needs a request, and all requests of the page share a rate limit. */
const MAX_TITLED = 30;

/**
 * Stores titles by CID, after the recording that names the files. A content keeps an existing title. Returns the number
 * of new titles.
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
