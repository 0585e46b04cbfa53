import { describe, expect, it } from 'vitest';
import { verifyByKeys } from '../../src/log/verify-by-keys.js';
import { verifyDocument } from '../../src/log/verify-document.js';
import { KEY_HISTORY_FAULTS, verifyKeyHistory } from '../../src/log/verify-key-history.js';
import { parseTrustedLog, type TrustedLog } from '../../src/log/verify-signer.js';
import vectors from '../vectors/log-keys-v1.json' with { type: 'json' };
import { verifyEd25519 } from './support/keys.js';

const follow = (text: string, key: string) =>
  verifyKeyHistory(text, parseTrustedLog(key) as TrustedLog, verifyEd25519);

describe('the vectors of the keys of a log, version 1', () => {
  it.each(vectors.histories)('$name: $result', ({ text, key, result, keys }) => {
    const report = follow(text, key);
    expect(report.verified ? 'verified' : report.code).toBe(result);
    const found = (report.verified ? report.keys : []).map(({ publicKey, maxSize = null }) => ({
      publicKey: Buffer.from(publicKey).toString('hex'),
      maxSize,
    }));
    expect(found).toEqual(keys);
  });

  it.each(vectors.documents)('$name: $result', ({ text, keys, result }) => {
    const followed = keys.flatMap((key) => {
      const report = follow(vectors.history, key);
      return report.verified ? report.keys : [parseTrustedLog(key) as TrustedLog];
    });
    const verifyWith = (trusted: TrustedLog) => verifyDocument(text, trusted, verifyEd25519).report;
    const { report } = verifyByKeys(followed, verifyWith);
    expect(report.verified ? 'verified' : report.code).toBe(result);
  });

  it('lead to each result of a key history at least once', () => {
    const codes = new Set(vectors.histories.map(({ result }) => result));
    expect(codes).toEqual(new Set(['verified', ...Object.keys(KEY_HISTORY_FAULTS)]));
  });
});
