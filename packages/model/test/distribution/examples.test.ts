import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as model from '../../src/index.js';

const { compareCodePoints, distributeBundle, distributeByWeight, largestRemainder } = model;
const { lineagePath, parseRational, splitAmount } = model;
const names = {
  compareCodePoints,
  distributeBundle,
  distributeByWeight,
  largestRemainder,
  lineagePath,
  parseRational,
  splitAmount,
};

const folder = new URL('../../src/distribution/', import.meta.url);
const examples = readdirSync(folder).flatMap((file) =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/@example\n((?: \* [^@].*\n)+)/g)].map(
    ([, block = '']) => ({ file, code: block.replaceAll(/^ \* /gm, '') }),
  ),
);

describe('the examples in docstrings of distribution', () => {
  it('are one for each function', () => {
    expect(examples).toHaveLength(Object.keys(names).length);
  });

  it.each(examples)('say what happens: $file: $code', ({ code }) => {
    expect(code).toMatch(/; \/\/ => .+$/m);
    const checked = code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);');
    const run = new Function(...Object.keys(names), 'check', checked);
    run(...Object.values(names), (actual: unknown, expected: unknown) => expect(actual).toEqual(expected));
  });
});
