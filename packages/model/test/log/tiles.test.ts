import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTilePath, parseTilePath } from '../../src/log/tiles.js';

describe('the path of a tile', () => {
  it('parses to the tile for which it was written', () => {
    const tile = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      index: fc.integer({ min: 0, max: 1e15 - 1 }),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(tile, (one) => {
        expect(parseTilePath(formatTilePath(one))).toEqual(one);
      }),
    );
  });

  it.each(['', '0', '0/0', '0/0000', '0/x000/001', '0/001.p/0', '0/001.p/256', '0/001.p/01', '64/000'])(
    'is rejected if incomplete, padded differently or out of range: %j',
    (path) => expect(parseTilePath(path)).toBeUndefined(),
  );

  it.each(['00/000', 'entries/1', '0/001/', '/0/001', '0/x001', '0/001.p', '-1/000', '0/001.p/1.5'])(
    'is rejected in any other form: %j',
    (path) => expect(parseTilePath(path)).toBeUndefined(),
  );
});
