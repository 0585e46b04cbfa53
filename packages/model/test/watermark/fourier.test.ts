import { expect, test } from 'vitest';
import {
  type Complex,
  createComplex,
  createSparseTransform,
  createTransform,
} from '../../src/watermark/fourier.js';
import { createSequence } from '../../src/watermark/random.js';

test.each([2, 8, 64, 512])('the transform of %i values is their discrete Fourier transform', (size) => {
  const values = makeValues(size);
  const expected = transformDirectly(values);
  createTransform(size)(values);
  expect(largestDifference(values, expected)).toBeLessThan(1e-6 * size);
});

test.each([16, 64, 256])(
  'the sparse transform of %i values equals the whole transform, bit for bit',
  (size) => {
    const quarter = size / 4;
    const input = makeValues(size / 2);
    const values = createComplex(size);
    for (const part of ['re', 'im'] as const) {
      values[part].set(input[part].subarray(0, quarter));
      values[part].set(input[part].subarray(quarter), 3 * quarter);
    }
    const output = makeValues(size);
    createSparseTransform(size)(input, output);
    createTransform(size)(values);
    expect(output).toEqual(values);
  },
);

function makeValues(size: number): Complex {
  const next = createSequence(size);
  const values = createComplex(size);
  for (let at = 0; at < size; at++) {
    values.re[at] = next() / 2 ** 31 - 1;
    values.im[at] = next() / 2 ** 31 - 1;
  }
  return values;
}

function transformDirectly({ re, im }: Complex): Complex {
  const size = re.length;
  const sum = (k: number, part: 're' | 'im') =>
    re.reduce((total, real, n) => {
      const angle = (-2 * Math.PI * k * n) / size;
      const [c, s, imaginary] = [Math.cos(angle), Math.sin(angle), im[n] ?? 0];
      return total + (part === 're' ? real * c - imaginary * s : real * s + imaginary * c);
    }, 0);
  return {
    re: Float32Array.from(re, (_, k) => sum(k, 're')),
    im: Float32Array.from(re, (_, k) => sum(k, 'im')),
  };
}

const largestDifference = (one: Complex, other: Complex): number =>
  Math.max(
    ...one.re.map((value, at) => Math.abs(value - (other.re[at] ?? 0))),
    ...one.im.map((value, at) => Math.abs(value - (other.im[at] ?? 0))),
  );
