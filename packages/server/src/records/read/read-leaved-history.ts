import type { Bundle } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { MAX_ANSWER_BYTES } from './answer-size.js';
import { type BundleQuery, readBundleRow } from './histories.sql.js';
import { type HistorySource, inParts } from './history-source.js';
import { renderRecords } from './long-histories.sql.js';
import { PARSED_WHOLE, parseBundle } from './parsed-history.js';
import { readAttributions } from './read-attributions.js';
import { readOfOneMoment, toBundleText, type WHOLE, within } from './read-histories.js';
import { readLongBundle } from './read-long-history.js';
import type { RecordLeaf } from './record-text.sql.js';

export interface LeavedBundle {
  bundle: Bundle;
  leaves: RecordLeaf[];
}

/** Runs one statement, so all rows are from one moment. Returns `long` beyond the limits of `whole`. */
export async function readShortHistory(
  db: Queryable,
  projectId: string,
  { whole = PARSED_WHOLE, ...options }: BundleQuery & { whole?: typeof WHOLE | undefined },
): Promise<LeavedBundle | 'long' | undefined> {
  const row = await readBundleRow(db, projectId, { ...within(whole, options), leaved: true });
  if (row.known && !row.fits) return 'long';
  const text = toBundleText(row);
  if (text === undefined) return undefined;
  return { bundle: JSON.parse(text) as Bundle, leaves: JSON.parse(row.leaves ?? '[]') as RecordLeaf[] };
}

/** Truncates the history to at most `maxLeaved` records and contents. */
export async function readLeavedHistory(
  source: HistorySource,
  options: BundleQuery & { maxLeaved: number },
  signal: AbortSignal | undefined,
): Promise<LeavedBundle> {
  const { found } = await readOfOneMoment(source, (moment) => readLongBundle(moment, options));
  return { bundle: await parseBundle(found, signal), leaves: found.leaves };
}

/**
 * Adds the attributions that the map lists under an alias: duplicates of attributions of the canonical identifier. If
 * there are too many, the bundle omits them and says that it is truncated.
 */
export async function addAliasAttributions(
  db: Queryable,
  projectId: string,
  { bundle, leaves, maxItems }: LeavedBundle & { maxItems: number },
): Promise<LeavedBundle> {
  const aliases = Object.keys(bundle.aliases ?? {});
  if (aliases.length === 0 || !bundle.complete) return { bundle, leaves };
  const source: HistorySource = { db, projectId };
  const duplicates = await readAttributions(source, {
    ...{ by: 'content', ids: aliases, most: { bytes: MAX_ANSWER_BYTES, items: maxItems } },
    known: new Set(bundle.attributions.map(({ id }) => id)),
  });
  if (!duplicates.hasAll)
    return { bundle: { ...bundle, complete: false, truncatedAt: bundle.actions.length }, leaves };
  const missing = duplicates.attributions.map(({ id }) => id);
  const added: LeavedBundle = {
    bundle: { ...bundle, attributions: [...bundle.attributions] },
    leaves: [...leaves],
  };
  for (const ids of inParts(source, missing)) {
    const part = await renderRecords(db, projectId, { kind: 'attributions', ids, isLeaved: true });
    added.bundle.attributions.push(...(JSON.parse(`[${part.text}]`) as Bundle['attributions']));
    added.leaves.push(...part.leaves);
  }
  return added;
}
