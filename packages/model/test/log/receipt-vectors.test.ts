import { describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/base64.js';
import { canonicalJson } from '../../src/canonical-json.js';
import { parseCheckpoint } from '../../src/log/checkpoint.js';
import { BUNDLE_FAULTS } from '../../src/log/verify-bundle.js';
import { verifyDocument } from '../../src/log/verify-document.js';
import { verifyConsistency } from '../../src/log/verify-proofs.js';
import { RECEIPT_FAULTS } from '../../src/log/verify-receipt.js';
import { findSignerFault, parseTrustedLog, type TrustedLog } from '../../src/log/verify-signer.js';
import { type RecordKind, verifyRecordDigest } from '../../src/record-digest.js';
import { parseStrictJson } from '../../src/strict-json.js';
import vectors from '../vectors/receipts-v1.json' with { type: 'json' };
import { verifyEd25519 } from './support/keys.js';

const toHead = ({ size, root }: { size: number; root: string }) => ({
  size,
  root: fromBase64(root) ?? new Uint8Array(),
});

describe('the vectors of receipts, version 1', () => {
  it.each(vectors.canonicalJson)('canonical JSON of $text', ({ text, canonical, fault }) => {
    const parsed = parseStrictJson(text);
    if (fault !== undefined) expect(parsed).toEqual({ fault });
    else expect('value' in parsed && canonicalJson(parsed.value)).toBe(canonical);
  });

  it.each(vectors.recordDigests)(
    'record digest of $body.id: $digest',
    ({ kind, body, salts, ...digests }) => {
      const { digest, claimed } = digests;
      const present = Object.fromEntries(Object.entries(salts).filter(([, salt]) => salt !== undefined));
      const isRight = verifyRecordDigest(kind as RecordKind, body as never, present as never, claimed);
      expect(isRight).toBe(digest !== null);
    },
  );

  it.each(vectors.checkpoints)('checkpoint: $result', ({ text, key, result }) => {
    const checkpoint = parseCheckpoint(text);
    const trusted = parseTrustedLog(key) as TrustedLog;
    const fault =
      checkpoint && findSignerFault(checkpoint, { named: checkpoint.origin, trusted, verify: verifyEd25519 });
    expect(checkpoint === undefined ? 'malformedCheckpoint' : (fault ?? checkpoint.size)).toBe(result);
  });

  it.each(vectors.verifierKeys)('verifier key $text: $isValid', ({ text, isValid }) => {
    expect(parseTrustedLog(text)?.origin !== undefined).toBe(isValid);
  });

  it.each(vectors.consistency)(
    'consistency of $from.size and $to.size: $isValid',
    ({ from, to, path, isValid }) => {
      const hashes = path.map((hash) => fromBase64(hash) ?? new Uint8Array());
      expect(verifyConsistency(toHead(from), toHead(to), hashes)).toBe(isValid);
    },
  );

  it.each(vectors.documents)('$name: $result', ({ text, key, strict, result, warnings }) => {
    const { report } = verifyDocument(text, parseTrustedLog(key) as TrustedLog, verifyEd25519, { strict });
    if (report.verified) expect(report.warnings).toEqual(warnings);
    expect(report.verified ? 'verified' : report.code).toBe(result);
  });

  it('lead to each fault code, and have more invalid documents than valid ones', () => {
    const results = vectors.documents.map(({ result }) => result);
    const codes = new Set(results.filter((result) => result !== 'verified'));
    expect(codes).toEqual(new Set([...Object.keys(RECEIPT_FAULTS), ...Object.keys(BUNDLE_FAULTS)]));
    expect(results.filter((result) => result === 'verified').length).toBeGreaterThanOrEqual(30);
    expect(results.length).toBeGreaterThan(2 * results.filter((result) => result === 'verified').length);
  });
});
