import { describe, expect, it } from 'vitest';
import * as model from '../../src/index.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';

const { compareCodePoints, distributeBundle, distributeByWeight, largestRemainder } = model;
const { lineagePath, listShareRecords, parseRational, splitAmount } = model;
const names = {
  compareCodePoints,
  distributeBundle,
  distributeByWeight,
  largestRemainder,
  lineagePath,
  listShareRecords,
  parseRational,
  splitAmount,
};

const examples = readExamples(new URL('../../src/distribution/', import.meta.url));

describe('the examples in docstrings of distribution', () => {
  it('are as many as the functions', () => {
    expect(examples).toHaveLength(Object.keys(names).length);
  });

  it.each(examples)('state the actual result: $file: $code', ({ code }) => expectToHold(code, names));
});
