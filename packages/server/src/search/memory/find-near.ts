import type { FindTask, Near } from './protocol.js';
import { createBestRows, type KeptRows, weighSigns } from './sign-scan.js';
import type { VectorTable } from './vector-table.js';

/** Pairs of a stored and a requested vector for which the search computes the cosine, chosen by their signs. */
const LIKELY = { least: 128, perRow: 1 / 8, most: 512 };
/** The signs of shorter vectors say little about their distance, so the search uses the maximum number of pairs. */
const TELLING_DIMENSIONS = 256;
/** Rows of one scan, which takes about half a millisecond. */
const SLICE_ROWS = 8_192;
const PER_RESULT = 8;
/** A second request is necessary if the index evicts vectors while the search waits. */
const MAX_REQUESTS = 2;

/**
 * Finds the content nearest to the requested vectors, nearest first. Yields undefined where other searches may run, and
 * a list of CIDs when it needs their vectors.
 */
export function* findNear(
  table: VectorTable,
  { turned, limit }: FindTask,
): Generator<string[] | undefined, Near[], undefined> {
  const best = createBestRows(Math.max(likelyIn(table), PER_RESULT * limit));
  for (const [turn, vector] of turned.entries()) {
    const asked = { turn, table: weighSigns(vector) };
    for (let from = 0; from < table.rows; from += SLICE_ROWS) {
      best.scan(table.signs(), { from, to: Math.min(table.rows, from + SLICE_ROWS) }, asked);
      yield undefined;
    }
  }
  const kept = best.kept();
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const missing = new Set<string>();
    for (const row of kept.rows) if (!table.hasVector(row)) missing.add(table.nameOf(row));
    if (missing.size === 0) break;
    yield [...missing];
  }
  return nearestOf(table, kept, { turned, limit });
}

function likelyIn({ rows, dimensions }: VectorTable): number {
  if (dimensions < TELLING_DIMENSIONS) return LIKELY.most;
  return Math.min(LIKELY.most, LIKELY.least + Math.ceil(LIKELY.perRow * rows));
}

function nearestOf(
  table: VectorTable,
  { rows, turns }: KeptRows,
  { turned, limit }: Pick<FindTask, 'turned' | 'limit'>,
): Near[] {
  const nearest: Measured[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < rows.length; place++) {
    const [row, turn] = [rows[place] ?? 0, turns[place] ?? 0];
    const asked = turned[turn];
    if (asked === undefined || !table.hasVector(row)) continue;
    const cosine = table.cosine(row, asked);
    if (cosine < least) continue;
    insert(table, nearest, { row, turn, cosine });
    if (nearest.length > limit) nearest.pop();
    if (nearest.length === limit) least = nearest.at(-1)?.cosine ?? least;
  }
  return nearest.map(({ row, turn, cosine }) => {
    const evidence = table.evidenceOf(row);
    return {
      cid: table.nameOf(row),
      type: table.typeOf(row),
      turn,
      cosine,
      ...(evidence === undefined ? {} : { evidence }),
    };
  });
}

interface Measured {
  row: number;
  turn: number;
  cosine: number;
}

function insert(table: VectorTable, nearest: Measured[], measured: Measured): void {
  const place = nearest.findIndex((other) => compare(table, measured, other) < 0);
  nearest.splice(place === -1 ? nearest.length : place, 0, measured);
}

function compare(table: VectorTable, a: Measured, b: Measured): number {
  return b.cosine - a.cosine || (table.nameOf(a.row) < table.nameOf(b.row) ? -1 : 1);
}
