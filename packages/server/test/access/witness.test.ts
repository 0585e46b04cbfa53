import { createHash, createPublicKey, verify } from 'node:crypto';
import { verifyWitness } from '@colophon/model';
import { expect, it } from 'vitest';
import { createCountersignature } from '../../src/access/countersignature.js';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';

const PROOF = {
  algorithm: 'Ed25519' as const,
  publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  signature: 'ab'.repeat(64),
  timestamp: '2026-08-02T09:30:00.000Z',
};
const PROOF_TEXT = `{"algorithm":"Ed25519","publicKey":"${PROOF.publicKey}","signature":"${PROOF.signature}","timestamp":"2026-08-02T09:30:00.000Z"}`;
const HASH = `sha256:${createHash('sha256').update(PROOF_TEXT).digest('hex')}`;

/** The key of RFC 8032 §7.1, TEST 1. */
const signer = createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

const witness = createCountersignature(signer, {
  actionId: 'a1',
  entityId: 'studio:ann',
  outputCid: 'bafyout',
  proof: PROOF,
  at: new Date('2026-08-02T09:30:01.000Z'),
});

it('a countersignature has the members of the published ext:witness@1.0.0', () => {
  expect(witness).toEqual({
    actionId: 'a1',
    entityId: 'studio:ann',
    outputCid: 'bafyout',
    actionProofHash: HASH,
    serverSignature: expect.stringMatching(/^[0-9a-f]{128}$/),
    serverPublicKey: PUBLIC_KEY,
    timestamp: '2026-08-02T09:30:01.000Z',
  });
});

it('a countersignature covers the published text, and readers verify it with the service key', () => {
  const text = `{"actionId":"a1","actionProofHash":"${HASH}","entityId":"studio:ann","outputCid":"bafyout"}`;
  const spki = Buffer.from(`302a300506032b6570032100${PUBLIC_KEY}`, 'hex');
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  expect(verify(null, Buffer.from(text), key, Buffer.from(witness.serverSignature, 'hex'))).toBe(true);
  const { actionId, entityId, outputCid } = witness;
  const expected = { serverPublicKey: PUBLIC_KEY, actionId, entityId, outputCid, proof: PROOF };
  expect(verifyWitness(witness, expected, createVerifySignature())).toEqual({ verified: true });
});
