import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { join } from '../../src/platform/json-text.js';
import { sortYielding } from '../../src/platform/work/sort-yielding.js';
import { placeContent, truncateHistory } from '../../src/records/read/truncate-history.js';

/** Each action names this number of new contents. */
const NAMES = 500;

describe('a history that names many contents', () => {
  it('lets other requests run while it is truncated', async () => {
    const actions = Array.from({ length: 80 }, (_, place) => ({
      id: randomUUID(),
      at: place,
      performedBy: 'ann',
      inputs: Array.from({ length: NAMES }, (_, name) => `${place}-${name}`),
      outputs: [`out-${place}`],
      bytes: 1_000,
    }));
    const none = { attributions: [], entities: new Map(), resources: new Map() };
    let places = new Map<string, number>();
    const placing = await countTurns(async () => {
      places = await placeContent(actions, 'out-79', Number.POSITIVE_INFINITY);
    });
    expect(places.size).toBe(80 * (NAMES + 1));
    expect(placing).toBeGreaterThanOrEqual(2);
    const truncating = await countTurns(async () => {
      const kept = await truncateHistory({ ...none, actions, places }, { maxBytes: 2 ** 40, maxItems: 1e6 });
      expect(kept.actions).toHaveLength(80);
    });
    // `truncateHistory` lets other tasks run once for each of its two limits.
    expect(truncating).toBeGreaterThanOrEqual(2);
  });

  it('is joined without a copy of its rendered parts', () => {
    const part = Buffer.from('{"id": 1}');
    const pieces = join(['[', part, ', ', '', part, ']']);
    expect(pieces.filter((piece) => piece === part)).toHaveLength(2);
    expect(Buffer.concat(pieces).toString()).toBe('[{"id": 1}, {"id": 1}]');
  });
});

describe('a sort that lets other requests run', () => {
  const item = fc.record({ key: fc.nat(40), place: fc.nat() });

  it('gives the same order as `toSorted`, which is stable', async () => {
    const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key;
    const lists = fc.oneof(
      fc.array(item, { maxLength: 20 }),
      fc.array(item, { minLength: 4_001, maxLength: 4_100 }),
    );
    await fc.assert(
      fc.asyncProperty(lists, async (items) => {
        expect(await sortYielding(items, byKey)).toEqual([...items].sort(byKey));
      }),
      { numRuns: 30 },
    );
  });

  it('lets other requests run while it sorts and while it merges', async () => {
    const numbers = Array.from({ length: 10_000 }, (_, place) => (place * 7_919) % 10_007);
    const turns = await countTurns(() => sortYielding(numbers, (a, b) => a - b));
    // Four turns are between the five slices, and at least six are in the merges.
    expect(turns).toBeGreaterThanOrEqual(4 + 6);
  });
});

async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await work();
  clearImmediate(next);
  return turns;
}
