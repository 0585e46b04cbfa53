import { describe, expect, it } from 'vitest';
import { dssePae, dssePaeHeader } from '../src/proofs/dsse.js';
import { createSigner, verifyEd25519 } from '../src/proofs/ed25519.js';

import { actionProofHash, verifyActionProof } from '../src/proofs/proof.js';
import {
  actionIntentText,
  fullActionText,
  registrationText,
  witnessText,
} from '../src/proofs/signing-texts.js';
import { expectToHold, readExamples } from './support/docstring-examples.js';

const names = {
  actionIntentText,
  actionProofHash,
  createSigner,
  dssePae,
  dssePaeHeader,
  fullActionText,
  registrationText,
  verifyActionProof,
  verifyEd25519,
  witnessText,
};

const examples = readExamples(new URL('../src/proofs/', import.meta.url));

describe('the examples in docstrings of proofs', () => {
  it('are as many as the functions', () => {
    expect(examples).toHaveLength(Object.keys(names).length);
  });

  it.each(examples)('state the actual result: $file: $code', ({ code }) => expectToHold(code, names));
});
