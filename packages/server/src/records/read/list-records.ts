import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import type { Answer } from './answer-cache.js';
import type { Reading } from './answers.js';
import { parseCursor, toCursor } from './cursor.js';
import { type ListName, readList } from './lists.sql.js';

export interface Page {
  filters: Record<string, string | undefined>;
  limit: number;
  cursor?: string | undefined;
  offset?: number | undefined;
}

/**
 * Reads a page of a list, newest first, as JSON text: `{<list>: [...], count, nextCursor}`. A page of large records may
 * be shorter than its limit. The last page has the cursor null. New records do not change the pages after a cursor.
 */
export async function listRecords(
  { reads }: Pick<RecordDeps, 'reads'>,
  projectId: string,
  { name, page }: { name: ListName; page: Page },
): Promise<Reading & { text: string }> {
  const { filters, limit, offset = 0 } = page;
  const options = { filters, after: readAfter(name, page), offset, limit: limit + 1 };
  const rows = await readList(reads, projectId, { name, options });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = last !== undefined && last.found > shown.length ? toCursor(name, last) : null;
  const texts = shown.map(({ text }) => text).join(',');
  const text = `{"${name}":[${texts}],"count":${shown.length},"nextCursor":${JSON.stringify(nextCursor)}}`;
  return { text, revision: rows[0]?.revision ?? undefined };
}

/** Returns the page of `listRecords`, from the cache if possible. */
export function answerList(
  deps: Pick<RecordDeps, 'reads' | 'answers'>,
  projectId: string,
  options: { name: ListName; page: Page },
): Promise<Answer | undefined> {
  return deps.answers.answer(projectId, `list ${JSON.stringify(options)}`, () =>
    listRecords(deps, projectId, options),
  );
}

function readAfter(name: ListName, { cursor, offset }: Page) {
  if (cursor === undefined) return undefined;
  if (offset !== undefined) throw new ServiceError('InvalidField', 'Send either cursor or offset, not both.');
  const after = parseCursor(name, cursor);
  if (after === undefined)
    throw new ServiceError(
      'InvalidField',
      'The cursor is not valid for this list. Send the nextCursor of a response of the same list.',
    );
  return after;
}
