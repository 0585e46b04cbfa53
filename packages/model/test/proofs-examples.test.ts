import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dssePae } from '../src/proofs/dsse.js';
import { createSigner, verifyEd25519 } from '../src/proofs/ed25519.js';

import { actionProofHash, verifyActionProof } from '../src/proofs/proof.js';
import {
  actionIntentText,
  fullActionText,
  registrationText,
  witnessText,
} from '../src/proofs/signing-texts.js';

const names = {
  actionIntentText,
  actionProofHash,
  createSigner,
  dssePae,
  fullActionText,
  registrationText,
  verifyActionProof,
  verifyEd25519,
  witnessText,
};

const folder = new URL('../src/proofs/', import.meta.url);
const examples = readdirSync(folder).flatMap((file) =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/@example\n((?: \* [^@].*\n)+)/g)].map(
    ([, block = '']) => ({ file, code: block.replaceAll(/^ \* /gm, '') }),
  ),
);

describe('the examples in docstrings of proofs', () => {
  it('are found', () => {
    expect(examples).toHaveLength(Object.keys(names).length);
  });

  it.each(examples)('say what happens: $file: $code', async ({ code }) => {
    expect(code).toMatch(/; \/\/ => .+$/m);
    const checked = code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);');
    const run = new Function(...Object.keys(names), 'check', `return (async () => {${checked}})();`);
    await run(...Object.values(names), (actual: unknown, expected: unknown) =>
      expect(actual).toEqual(expected),
    );
  });
});
