import { describe, expect, it } from 'vitest';
import * as model from '../../src/index.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';

const {
  deriveManifestCid,
  detectAi,
  levelOfSourceType,
  parseManifestStore,
  toBundle,
  toDisplay,
  toFileExtension,
} = model;
const { toManifest, toManifestDefinition, toManifestParts, toValidation, visibleText } = model;
const names = {
  deriveManifestCid,
  detectAi,
  levelOfSourceType,
  parseManifestStore,
  toBundle,
  toDisplay,
  toFileExtension,
  toManifest,
  toManifestDefinition,
  toManifestParts,
  toValidation,
  visibleText,
};

const examples = readExamples(new URL('../../src/c2pa/', import.meta.url));

describe('the examples in docstrings of C2PA conversion', () => {
  it('are as many as the functions', () => {
    expect(examples).toHaveLength(Object.keys(names).length);
  });

  it.each(examples)('state the actual result: $file: $code', ({ code }) => expectToHold(code, names));
});
