import { parseTrustedLog, TIMESTAMP_FAULTS, type TrustedLog, verifyTimestamp } from '@colophon/model';
import { describe, expect, it } from 'vitest';
import vectors from '../../../model/test/vectors/timestamps-v1.json' with { type: 'json' };
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createVerifyToken, parseCertificates } from '../../src/anchors/timestamps/verify-token.js';

type Vector = (typeof vectors.documents)[number];
const { certificates } = vectors;

function report({ text, digest, key, maxSize, trusted }: Vector) {
  const log = parseTrustedLog(key) as TrustedLog;
  const anchors = parseCertificates(certificates[trusted as keyof typeof certificates]);
  return verifyTimestamp(text, {
    digest,
    trusted: maxSize === null ? log : { ...log, maxSize },
    verify: createVerifySignature(),
    verifyToken: createVerifyToken(anchors),
  });
}

describe('the vectors of time-stamps, version 1', () => {
  it.each(vectors.documents)('$result: $name', async (one) => {
    const found = await report(one);
    expect(found.verified ? 'verified' : found.code).toBe(one.result);
    const { time = null, authority = null } = found.verified ? found : {};
    expect([time, authority]).toEqual([one.time, one.authority]);
  });

  it('have each code of a time-stamp', () => {
    const codes = new Set(vectors.documents.map(({ result }) => result));
    expect(codes).toEqual(new Set(['verified', ...Object.keys(TIMESTAMP_FAULTS)]));
  });
});
