import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHistory } from '../../src/explore/history/history.js';
import { layOut } from '../../src/explore/layout/lay-out.js';
import { CARD_HEIGHTS, CARD_WIDTH, toLayoutInput } from '../../src/explore/layout/layout-input.js';
import { placeRows } from '../../src/explore/layout/place-rows.js';
import { actionOf, bundleOf, grownBundle } from '../support/histories.js';

const placed = (bundle: Parameters<typeof toHistory>[0]) => {
  const history = toHistory(bundle);
  const layout = layOut(toLayoutInput(history));
  const at = (id: string) => {
    const index = history.nodes.findIndex((node) => node.id === id);
    return { x: layout.x[index] ?? Number.NaN, y: layout.y[index] ?? Number.NaN };
  };
  return { history, layout, at };
};

describe('the layout', () => {
  it.each([4, 150, 1500])(
    'places each action right of its inputs and left of its outputs (%i actions)',
    (count) => {
      const { history, layout } = placed(grownBundle(count));
      const wrong = history.edges.filter(({ from, to }) => !((layout.x[from] ?? 0) < (layout.x[to] ?? 0)));
      expect(wrong).toEqual([]);
    },
  );

  it('has columns in order of time, from the first to the last action of a small history', () => {
    const { history, layout } = placed(grownBundle(12));
    const { columns } = layout;
    for (const [index, column] of columns.slice(1).entries())
      expect(column.fromMs).toBeGreaterThanOrEqual(columns[index]?.toMs ?? Number.NaN);
    const times = history.nodes.flatMap((node) =>
      node.kind === 'action' ? [Date.parse(node.action.timestamp)] : [],
    );
    expect(columns[0]?.fromMs).toBe(Math.min(...times));
    expect(columns.at(-1)?.toMs).toBe(Math.max(...times));
  });

  it('places an action left of an action that uses its output, whatever their times, and accepts a cycle', () => {
    const late = [
      actionOf('use', 0, { inputCids: ['a'], outputCids: ['b'] }),
      actionOf('make', 5, { outputCids: ['a'] }),
    ];
    const { at } = placed(bundleOf('b', late));
    expect(at('act:make').x).toBeLessThan(at('act:use').x);
    const cycle = [
      actionOf('1', 0, { inputCids: ['b'], outputCids: ['a'] }),
      actionOf('2', 1, { inputCids: ['a'], outputCids: ['b'] }),
    ];
    expect(placed(bundleOf('b', cycle)).layout.x.every(Number.isFinite)).toBe(true);
  });

  it.each([4, 150, 1500])('never overlaps two cards (%i actions)', (count) => {
    const { history, layout } = placed(grownBundle(count));
    const cards = history.nodes.map(({ kind }, index) => ({
      x: layout.x[index] ?? 0,
      y: layout.y[index] ?? 0,
      half: CARD_HEIGHTS[kind] / 2,
    }));
    const columns = new Map<number, typeof cards>();
    for (const card of cards) columns.set(card.x, [...(columns.get(card.x) ?? []), card]);
    const xs = [...columns.keys()].sort((a, b) => a - b);
    for (const [index, x] of xs.slice(1).entries()) expect(x - (xs[index] ?? 0)).toBeGreaterThan(CARD_WIDTH);
    for (const column of columns.values()) {
      column.sort((a, b) => a.y - b.y);
      for (const [index, card] of column.slice(1).entries()) {
        const above = column[index];
        expect(card.y - card.half - (above ? above.y + above.half : 0)).toBeGreaterThan(4);
      }
    }
  });

  it('routes an edge past the cards between its ends', () => {
    const chain = [
      actionOf('1', 0, { outputCids: ['a'] }),
      actionOf('2', 1, { inputCids: ['a'], outputCids: ['b'] }),
      actionOf('3', 2, { inputCids: ['a', 'b'], outputCids: ['c'] }),
    ];
    const { history, layout, at } = placed(bundleOf('c', chain));
    const edge = history.edges.findIndex(
      ({ from, to }) => history.nodes[from]?.id === 'res:a' && history.nodes[to]?.id === 'act:3',
    );
    const ys: number[] = [];
    for (let bend = layout.bendStarts[edge] ?? 0; bend < (layout.bendStarts[edge + 1] ?? 0); bend++)
      ys.push(layout.bends[bend * 2 + 1] ?? Number.NaN);
    expect(ys).toHaveLength(4);
    for (const y of ys.slice(0, 2))
      expect(Math.abs(y - at('act:2').y)).toBeGreaterThan(CARD_HEIGHTS.action / 2);
    for (const y of ys.slice(2))
      expect(Math.abs(y - at('res:b').y)).toBeGreaterThan(CARD_HEIGHTS.resource / 2);
  });

  it('of ten thousand nodes has a ratio of width to height between 0.4 and 12', () => {
    const { history, layout } = placed(grownBundle(5300));
    expect(history.nodes.length).toBeGreaterThan(10_000);
    const { left, right, top, bottom } = layout.bounds;
    expect((right - left) / (bottom - top)).toBeGreaterThan(0.4);
    expect((right - left) / (bottom - top)).toBeLessThan(12);
  });

  it('is the same for the same history', () => {
    expect(placed(grownBundle(150)).layout).toEqual(placed(grownBundle(150)).layout);
  });
});

describe('placing rows', () => {
  it('keeps the order and the gaps, and does not move items with enough room', () => {
    expect(placeRows([0, 100, 200], [10, 10, 10])).toEqual([0, 100, 200]);
    expect(placeRows([5, 5], [10, 10])).toEqual([0, 10]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 50 }))),
        (items) => {
          const gaps = items.map(([, gap]) => gap);
          const rows = placeRows(
            items.map(([want]) => want),
            gaps,
          );
          for (const [index, row] of rows.slice(1).entries())
            expect(row - (rows[index] ?? 0)).toBeGreaterThanOrEqual((gaps[index + 1] ?? 0) - 1e-6);
        },
      ),
    );
  });
});
