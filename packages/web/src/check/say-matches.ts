import type { Match, SearchResult } from '@colophon/model';
import { check } from '../strings/check.js';

const text = check.matches;

/** `cid`: the content id of the searched file. */
export function othersOf(search: SearchResult | null, cid: string | undefined): Match[] {
  return search?.matches.filter((match) => match.cid !== cid) ?? [];
}

/** `cid`: the content id of the searched file. */
export function sayMatches(search: SearchResult | null, cid: string | undefined): string {
  if (search === null) return text.notCompared;
  const count = othersOf(search, cid).length;
  if (count > 0) return text.found(count);
  // After an exact match, the service does not search for similar content.
  return search.verdict === 'exact' ? text.exact : text.none;
}
