import { verifyCosignature } from '@colophon/model';
import { expect, it } from 'vitest';
import vectors from '../../../model/test/vectors/witnesses-ml-dsa-v1.json' with { type: 'json' };
import {
  createCosignatureVerifiers,
  createMlDsaSigner,
  explainMissingMlDsa,
  hasMlDsa,
} from '../../src/access/ml-dsa.js';
import { toNoteAndKey } from '../support/ml-dsa-vectors.js';

const SEED = '05'.repeat(32);
const message = Buffer.from('message');
const verifyMlDsa = createCosignatureVerifiers().mlDsa44 ?? (() => false);

function isAtLeast(version: string, wanted: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}

it('Node has ML-DSA-44 from version 24.6 on, with OpenSSL 3.5 or later', () => {
  const { node, openssl } = process.versions;
  expect(hasMlDsa()).toBe(isAtLeast(node, [24, 6]) && isAtLeast(openssl, [3, 5]));
  expect(createCosignatureVerifiers().mlDsa44 !== undefined).toBe(hasMlDsa());
});

it('the message about missing ML-DSA-44 names the versions of this Node and its OpenSSL', () => {
  expect(explainMissingMlDsa()).toBe(
    `ML-DSA-44 needs Node 24.6 or later with OpenSSL 3.5 or later; this is Node ${process.versions.node} with OpenSSL ${process.versions.openssl}`,
  );
});

it('each vector gives `result` on a Node with ML-DSA-44, and `resultWithout` on any other Node', () => {
  const verifiers = createCosignatureVerifiers();
  for (const vector of vectors.cosignatures) {
    const { note, key } = toNoteAndKey(vector);
    const report = verifyCosignature(note, key, verifiers);
    expect([vector.name, report.verified ? report.timeSeconds : report.reason]).toEqual([
      vector.name,
      hasMlDsa() ? vector.result : vector.resultWithout,
    ]);
  }
});

it('a seed that is not 64 hex digits is rejected, and the error does not contain the seed', () => {
  expect(() => createMlDsaSigner('secret')).toThrow(/^A signing key must have 64 hex digits$/);
});

it.runIf(hasMlDsa())('a seed always has the same key, and its signatures verify (Node 24.6 or later)', () => {
  const [signer, again] = [createMlDsaSigner(SEED), createMlDsaSigner(SEED)];
  expect(again.publicKey).toEqual(signer.publicKey);
  expect(signer.publicKey).toHaveLength(1_312);
  const signature = signer.signBytes(message);
  expect(verifyMlDsa(signer.publicKey, message, signature)).toBe(true);
  expect(verifyMlDsa(signer.publicKey, Buffer.from('massage'), signature)).toBe(false);
  expect(verifyMlDsa(createMlDsaSigner('06'.repeat(32)).publicKey, message, signature)).toBe(false);
});

it.runIf(hasMlDsa())('a key or signature of wrong length gives false, no error (Node 24.6 or later)', () => {
  const signer = createMlDsaSigner(SEED);
  const signature = signer.signBytes(message);
  expect(verifyMlDsa(signer.publicKey.subarray(1), message, signature)).toBe(false);
  expect(verifyMlDsa(new Uint8Array(1_313), message, signature)).toBe(false);
  expect(verifyMlDsa(signer.publicKey, message, signature.subarray(1))).toBe(false);
  expect(verifyMlDsa(signer.publicKey, message, new Uint8Array(2_421))).toBe(false);
  expect(verifyMlDsa(new Uint8Array(1_312), message, new Uint8Array(2_420))).toBe(false);
});
