import type { MarkedContents } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { untilAborted } from '../../platform/db/database.js';
import { parseCursor, toCursor } from '../read/cursor.js';
import { addTitles } from './add-titles.js';
import type { ComplianceDeps, RecordsOfPeriod } from './count-records.js';
import { toMarkedContent } from './describe-mark.js';
import { listFingerprintRules } from './fingerprint-rules.js';
import { listMarks, SMALLEST_UUID, toEnd } from './marks.sql.js';

const LIST = 'marks';

export async function listMarked(
  { reads, matching }: Pick<ComplianceDeps, 'reads' | 'matching'>,
  projectId: string,
  {
    period,
    isSigned,
    signal,
    limit,
    cursor,
  }: RecordsOfPeriod & { limit: number; cursor?: string | undefined },
): Promise<MarkedContents> {
  const end = toEnd(period, SMALLEST_UUID);
  const place = cursor === undefined ? end : parseCursor(LIST, cursor);
  if (place === undefined)
    throw new ServiceError(
      'InvalidField',
      'The cursor is not valid for this list. Send the nextCursor of a response of the same list.',
    );
  // The cursor may be from a request with a later `to`.
  const after = Date.parse(place.at) < Date.parse(end.at) ? place : end;
  const rules = listFingerprintRules(matching.kinds);
  const query = { from: period.from, after, rules, limit: limit + 1 };
  const db = untilAborted(reads, signal);
  const rows = await listMarks(db, projectId, query);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    contents: await addTitles(
      db,
      projectId,
      shown.map((row) => toMarkedContent(row, isSigned)),
    ),
    count: shown.length,
    nextCursor: last !== undefined && last.found > shown.length ? toCursor(LIST, last) : null,
  };
}
