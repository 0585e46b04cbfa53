import { describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import { cosign, verifyCosignature } from '../../src/log/cosignature.js';
import { parseSignedNote, type SignedNote } from '../../src/log/signed-note.js';
import { verifyWitnesses } from '../../src/log/verify-witnesses.js';
import {
  formatWitnessKey,
  parseWitnessKey,
  toWitnessKey,
  type WitnessKey,
} from '../../src/log/witness-key.js';
import { formatWitnessRequest, parseWitnessRequest } from '../../src/log/witness-request.js';
import vectors from '../vectors/witnesses-v1.json' with { type: 'json' };
import { createTestSigner, verifyEd25519 } from './support/keys.js';

const isRefused = (result: unknown) => typeof result === 'string' && result !== 'verified';

describe('the vectors of witnesses', () => {
  it.each(vectors.witnessKeys)('witness key $text: $isValid', ({ text, isValid }) => {
    const key = parseWitnessKey(text);
    expect(key !== undefined).toBe(isValid);
    if (key !== undefined) expect(formatWitnessKey(key)).toBe(text);
  });

  it.each(vectors.cosignatures)('cosignature, $name: $result', ({ note, key, result }) => {
    const parsed = parseSignedNote(note) as SignedNote;
    const report = verifyCosignature(parsed, parseWitnessKey(key) as WitnessKey, verifyEd25519);
    expect(report.verified ? report.timeSeconds : report.reason).toBe(result);
  });

  it.each(vectors.requests)('request, $name', ({ body, result }) => {
    const request = parseWitnessRequest(body);
    if (request === undefined) return expect(result).toBe(null);
    const { oldSize, path, checkpoint } = request;
    expect({ oldSize, hashes: path.map(toBase64), size: checkpoint.size }).toEqual(result);
    expect(formatWitnessRequest(request)).toBe(body);
  });

  it.each(vectors.policies)('policy, $name: $result', ({ note, witnesses, quorum, result }) => {
    const trusted = witnesses.map((text) => parseWitnessKey(text) as WitnessKey);
    const report = verifyWitnesses(note, { witnesses: trusted, quorum }, verifyEd25519);
    expect(report.verified ? 'verified' : report.code).toBe(result);
  });

  it('have at least as many invalid cases as valid ones', () => {
    const { witnessKeys, cosignatures, requests, policies } = vectors;
    for (const refused of [
      witnessKeys.map(({ isValid }) => !isValid),
      cosignatures.map(({ result }) => isRefused(result)),
      requests.map(({ result }) => result === null),
      policies.map(({ result }) => isRefused(result)),
    ])
      expect(refused.filter(Boolean).length).toBeGreaterThanOrEqual(refused.length / 2);
  });
});

describe('a cosignature', () => {
  const { name, timeSeconds, text, line } = vectors.signed;
  const signer = createTestSigner(2);
  const witness = toWitnessKey(name, signer.publicKey);

  it('has exactly the bytes of the vector', () => {
    expect(cosign(text, { name, timeSeconds }, signer)).toBe(line);
  });

  it('never verifies after one of its bits is flipped', () => {
    const parsed = parseSignedNote(`${text}\n${line}`) as SignedNote;
    const [own] = parsed.signatures;
    expect(verifyCosignature(parsed, witness, verifyEd25519)).toEqual({ verified: true, timeSeconds });
    for (let bit = 0; bit < (own?.signature.length ?? 0) * 8; bit++) {
      const signature = Uint8Array.from(own?.signature ?? []);
      signature.set([(signature[bit >> 3] ?? 0) ^ (1 << (bit & 7))], bit >> 3);
      const changed = { text, signatures: [{ name, keyId: witness.keyId, signature }] };
      expect(verifyCosignature(changed, witness, verifyEd25519).verified).toBe(false);
    }
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('cannot be made for the time %s', (time) => {
    expect(() => cosign(text, { name, timeSeconds: time }, signer)).toThrow(RangeError);
  });

  it('is in a report that also lists each witness without a cosignature, with the reason', () => {
    const other = toWitnessKey('other.example', createTestSigner(3).publicKey);
    const policy = { witnesses: [witness, other], quorum: 1 };
    expect(verifyWitnesses(`${text}\n${line}`, policy, verifyEd25519)).toEqual({
      verified: true,
      cosigned: [{ name, keyId: witness.keyId, timeSeconds }],
      missing: [{ name: 'other.example', keyId: other.keyId, reason: 'absent' }],
    });
  });
});
