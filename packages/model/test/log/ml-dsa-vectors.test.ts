import { toHex } from 'multiformats/bytes';
import { describe, expect, it } from 'vitest';
import {
  type CosignatureVerifiers,
  cosign,
  type MlDsaSigner,
  verifyCosignature,
} from '../../src/log/cosignature.js';
import { parseSignedNote, type SignedNote } from '../../src/log/signed-note.js';
import { parsePolicy, type TlogPolicy } from '../../src/log/tlog-policy.js';
import { verifyPolicy } from '../../src/log/verify-policy.js';
import { verifyWitnesses } from '../../src/log/verify-witnesses.js';
import {
  formatWitnessKey,
  parseWitnessKey,
  toWitnessKey,
  type WitnessKey,
} from '../../src/log/witness-key.js';
import vectors from '../vectors/witnesses-ml-dsa-v1.json' with { type: 'json' };
import { verifyEd25519 } from './support/keys.js';
import { HAS_ML_DSA, verifyMlDsa } from './support/ml-dsa.js';

const keyOf = (name: string) =>
  parseWitnessKey(vectors.witnesses[name as keyof typeof vectors.witnesses]) as WitnessKey;
const noteOf = (text: string) => parseSignedNote(text) as SignedNote;

/** Node 24 made and verified these signatures. */
const SIGNED = new Set(
  vectors.cosignatures.flatMap(({ note, key, message }) => {
    if (message === undefined) return [];
    const { keyId, publicKey } = keyOf(key);
    const [own] = noteOf(note).signatures.filter((one) => one.keyId === keyId);
    return own === undefined ? [] : [tripleOf(publicKey, message, own.signature.subarray(8))];
  }),
);
function tripleOf(publicKey: Uint8Array, message: string, signature: Uint8Array): string {
  return [toHex(publicKey), message, toHex(signature)].join();
}

/**
 * Accepts a signature only with the key and the exact message of its vector. This also works on versions of Node
 * without ML-DSA.
 */
const byVectors: CosignatureVerifiers = {
  ed25519: verifyEd25519,
  mlDsa44: (publicKey, message, signature) => SIGNED.has(tripleOf(publicKey, toHex(message), signature)),
};
const byNode: CosignatureVerifiers = { ed25519: verifyEd25519, mlDsa44: verifyMlDsa };

/** The third element is the member of a vector with the expected result. */
const RUNS = [
  ['the signatures in the vectors', byVectors, 'result'],
  ['node:crypto', byNode, 'result'],
  ['only Ed25519', verifyEd25519, 'resultWithout'],
  ['only Ed25519 among the verifiers', { ed25519: verifyEd25519 }, 'resultWithout'],
] as const;

describe('the vectors of witnesses with ML-DSA-44', () => {
  it.each(vectors.witnessKeys)('witness key %#: $isValid', ({ text, isValid }) => {
    const key = parseWitnessKey(text);
    expect(key !== undefined).toBe(isValid);
    if (key !== undefined) expect(formatWitnessKey(key)).toBe(text);
  });

  for (const [title, verify, member] of RUNS)
    describe.runIf(verify !== byNode || HAS_ML_DSA)(
      `with ${title} (node:crypto has ML-DSA since Node 24.6)`,
      () => {
        it.each(vectors.cosignatures)('cosignature, $name', ({ note, key, ...expected }) => {
          const report = verifyCosignature(noteOf(note), keyOf(key), verify);
          expect(report.verified ? report.timeSeconds : report.reason).toBe(expected[member]);
        });

        it.each(vectors.policies)('quorum, $name', ({ note, witnesses, quorum, ...expected }) => {
          const report = verifyWitnesses(note, { witnesses: witnesses.map(keyOf), quorum }, verify);
          expect(report.verified ? 'verified' : report.code).toBe(expected[member]);
        });

        it.each(vectors.files)('policy file, $name', ({ file, note, ...expected }) => {
          const parsed = parsePolicy(new TextEncoder().encode(file)) as { policy: TlogPolicy };
          const report = verifyPolicy(note, parsed.policy, verify);
          expect(report.verified ? 'verified' : report.code).toBe(expected[member]);
        });
      },
    );

  it('have at least as many invalid cases as valid ones', () => {
    const { witnessKeys, cosignatures, policies, files } = vectors;
    for (const refused of [
      witnessKeys.map(({ isValid }) => !isValid),
      cosignatures.map(({ result }) => typeof result === 'string'),
      policies.map(({ result }) => result !== 'verified'),
      files.map(({ result }) => result !== 'verified'),
    ])
      expect(refused.filter(Boolean).length).toBeGreaterThanOrEqual(refused.length / 2);
  });

  it('have a message for most valid cosignatures', () => {
    expect(SIGNED.size).toBeGreaterThanOrEqual(6);
  });
});

describe('a cosignature with ML-DSA-44', () => {
  const [vector] = vectors.cosignatures;
  const { text } = noteOf(vector?.note ?? '');
  const name = 'witness.example.org/one';
  const timeSeconds = Number(vector?.result);
  /** The signatures of this signer are not valid. */
  const createSigner = (messages: Uint8Array[]): MlDsaSigner => ({
    algorithm: 'ml-dsa-44',
    publicKey: keyOf('one').publicKey,
    signBytes: (message) => {
      messages.push(message);
      return new Uint8Array(2_420);
    },
  });

  it('signs exactly the message of the vector, and its line has the time and the key id', () => {
    const messages: Uint8Array[] = [];
    const line = cosign(text, { name, timeSeconds }, createSigner(messages));
    expect(messages.map(toHex)).toEqual([vector?.message]);
    const [own] = noteOf(`${text}\n${line}`).signatures;
    expect(own).toMatchObject({ name, keyId: keyOf('one').keyId });
    expect(Buffer.from(own?.signature ?? []).readBigUInt64BE()).toBe(BigInt(timeSeconds));
    expect(own?.signature).toHaveLength(8 + 2_420);
  });

  it.each([
    ['no checkpoint', 'words\n', name],
    ['an origin of 256 bytes', text.replace(/^.*/, 'ü'.repeat(128)), name],
    ['a name of 256 bytes', text, 'n'.repeat(256)],
  ])('is refused for %s', (_, note, by) => {
    expect(() => cosign(note, { name: by, timeSeconds }, createSigner([]))).toThrow(RangeError);
  });

  it('has a key that a policy file accepts next to an Ed25519 key with the same first 32 bytes', () => {
    const prefix = toWitnessKey('ed', keyOf('one').publicKey.slice(0, 32));
    const file = `witness b ${formatWitnessKey(prefix)}\nwitness a ${formatWitnessKey(keyOf('one'))}\nquorum b\n`;
    expect(parsePolicy(new TextEncoder().encode(file))).toMatchObject({ policy: { quorum: 'b' } });
  });

  it.runIf(HAS_ML_DSA)('never verifies with one flipped bit in any byte (Node 24.6 or later)', () => {
    const key = keyOf('one');
    const { signatures } = noteOf(vector?.note ?? '');
    const own = signatures.find(({ keyId }) => keyId === key.keyId);
    expect(verifyCosignature({ text, signatures }, key, byNode)).toEqual({ verified: true, timeSeconds });
    for (let at = 0; at < 2_428; at++) {
      const signature = Uint8Array.from(own?.signature ?? []);
      signature[at] = (signature[at] ?? 0) ^ (1 << (at % 8));
      const changed = { text, signatures: [{ name, keyId: key.keyId, signature }] };
      expect(verifyCosignature(changed, key, byNode).verified).toBe(false);
    }
  });
});
