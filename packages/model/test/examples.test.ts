import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../src/canonical-json.js';
import { createCar } from '../src/car.js';
import { createContentHasher } from '../src/content-hasher.js';
import { contentIdOfSha256, isContentId, parseContentId } from '../src/content-id.js';
import { readDer } from '../src/der.js';
import { isSameWallet } from '../src/evm-address.js';
import { toGraph } from '../src/graph.js';
import {
  countDifferentBits,
  decodeIscc,
  decodeIsccSequence,
  encodeIsccSequence,
  encodeIsccUnit,
} from '../src/iscc/index.js';
import { committedBody, digestRecord, verifyRecordDigest } from '../src/record-digest.js';
import { parseStrictJson } from '../src/strict-json.js';
import { expectToHold, readExamples } from './support/docstring-examples.js';

const names = {
  toGraph,
  canonicalJson,
  committedBody,
  createCar,
  contentIdOfSha256,
  countDifferentBits,
  createContentHasher,
  decodeIscc,
  decodeIsccSequence,
  digestRecord,
  encodeIsccSequence,
  encodeIsccUnit,
  isContentId,
  isSameWallet,
  parseContentId,
  parseStrictJson,
  readDer,
  verifyRecordDigest,
};

const examples = ['../src/', '../src/iscc/'].flatMap((folder) =>
  readExamples(new URL(folder, import.meta.url)),
);

describe('the examples in docstrings', () => {
  it('are at least six', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it.each(examples)('state the actual result: $file: $code', ({ code }) => expectToHold(code, names));
});
