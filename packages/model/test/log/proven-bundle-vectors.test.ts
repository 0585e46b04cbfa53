import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/base64.js';
import { actionKey, chainsValue } from '../../src/log/mentions.js';
import { BUNDLE_FAULTS } from '../../src/log/verify-bundle.js';
import { verifyDocument } from '../../src/log/verify-document.js';
import { parseTrustedLog, type TrustedLog } from '../../src/log/verify-signer.js';
import vectors from '../vectors/proven-bundles-v2.json' with { type: 'json' };
import { verifyEd25519 } from './support/keys.js';

describe('the vectors of proven bundles, version 2', () => {
  it.each(vectors.actionKeys)('key of the action $id', ({ id, key }) => {
    expect(bytesToHex(actionKey(id))).toBe(key);
  });

  it.each(vectors.values)('value $value', ({ chains, value }) => {
    const parsed = chains.map(({ count, head }) => ({ count, head: fromBase64(head) ?? new Uint8Array() }));
    expect(bytesToHex(chainsValue(parsed))).toBe(value);
  });

  it.each(vectors.documents)('$name: $result', ({ text, key, strict, result, warnings, ...more }) => {
    const { report } = verifyDocument(text, parseTrustedLog(key) as TrustedLog, verifyEd25519, { strict });
    expect(report.verified ? 'verified' : report.code).toBe(result);
    if (!report.verified) return;
    expect(report.warnings).toEqual(warnings);
    expect('unproven' in report && report.unproven).not.toContain('attributions');
    expect('signedOnly' in report && report.signedOnly).toEqual(more.signedOnly);
  });

  it('lead to each fault code, and have at least as many invalid documents as valid ones', () => {
    const results = vectors.documents.map(({ result }) => result);
    const codes = new Set(results.filter((result) => result !== 'verified'));
    expect(codes).toEqual(new Set(Object.keys(BUNDLE_FAULTS)));
    const validCount = results.filter((result) => result === 'verified').length;
    expect(validCount).toBeGreaterThanOrEqual(20);
    expect(results.length - validCount).toBeGreaterThanOrEqual(validCount);
  });
});
