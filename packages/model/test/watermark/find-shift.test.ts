import { expect, test } from 'vitest';
import { CARRIERS, DATA_WAVES, WAVES } from '../../src/watermark/carriers.js';
import { createShiftSearch } from '../../src/watermark/find-shift.js';
import { createWaves, type Waves } from '../../src/watermark/placement.js';
import { createSequence } from '../../src/watermark/random.js';

const GRID = 64;

test.each([1, 2, 3])(
  'the search finds the shift with the largest sum of all known waves (seed %i)',
  (seed) => {
    const waves = makeWaves(seed);
    const shifts = Array.from({ length: GRID * GRID }, (_, at) => [
      Math.floor(at / GRID) / GRID,
      (at % GRID) / GRID,
    ]);
    const scores = shifts.map(([shiftX = 0, shiftY = 0]) => scoreAt(waves, shiftX, shiftY));
    const [shiftX, shiftY] = shifts[scores.indexOf(Math.max(...scores))] ?? [];
    const found = createShiftSearch()(waves, Number.NEGATIVE_INFINITY);
    expect(found).toMatchObject({ shiftX, shiftY });
    expect(found?.score).toBeCloseTo(Math.max(...scores), 9);
  },
);

test('a floor changes no shift; if no score exceeds the floor, the search returns undefined', () => {
  const search = createShiftSearch();
  const waves = makeWaves(4);
  const found = search(waves, Number.NEGATIVE_INFINITY);
  const score = found?.score ?? 0;
  expect(search(waves, score - 0.001)).toEqual(found);
  expect(search(waves, score + 0.001)).toBeUndefined();
});

test('the known waves fit into the rows and columns of the search', () => {
  for (let k = DATA_WAVES; k < WAVES; k++) expect(CARRIERS.v[k]).toBeLessThan(16);
});

function makeWaves(seed: number): Waves {
  const next = createSequence(seed);
  const waves = createWaves();
  for (let k = DATA_WAVES; k < WAVES; k++) {
    waves.re[k] = next() / 2 ** 31 - 1;
    waves.im[k] = next() / 2 ** 31 - 1;
  }
  return waves;
}

function scoreAt({ re, im }: Waves, shiftX: number, shiftY: number): number {
  let [sum, norm] = [0, 1e-9];
  for (let k = DATA_WAVES; k < WAVES; k++) {
    const angle = 2 * Math.PI * ((CARRIERS.u[k] ?? 0) * shiftX + (CARRIERS.v[k] ?? 0) * shiftY);
    const [real, imaginary] = [re[k] ?? 0, im[k] ?? 0];
    sum += real * Math.cos(angle) + imaginary * Math.sin(angle);
    norm += real * real + imaginary * imaginary;
  }
  return sum / Math.sqrt(norm / 2);
}
