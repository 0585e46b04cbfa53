import { beforeAll, describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import { formatCheckpoint, signCheckpoint } from '../../src/log/checkpoint.js';
import type { Timestamp } from '../../src/log/timestamp.js';
import { headHash, leafHash } from '../../src/log/tree-hash.js';
import { proveInclusion, treeRoot } from '../../src/log/tree-proofs.js';
import { type VerifyToken, verifyTimestamp } from '../../src/log/verify-timestamp.js';
import { createTestSigner, verifyEd25519 } from './support/keys.js';
import { makeLeaves, readHashesOf } from './support/small-tree.js';

const ORIGIN = 'example.org/log';
const DIGEST = `sha256:${'5a'.repeat(32)}`;
const LEAF = 3;
const SIZE = 6;
const PLACE = 1;
const signer = createTestSigner(1);
const trusted = { origin: ORIGIN, publicKey: signer.publicKey };
const STAMPED = { verified: true, time: '2026-01-02T03:04:05.000Z', authority: 'Example TSA' } as const;

let timestamp: Timestamp;

beforeAll(async () => {
  const read = readHashesOf(makeLeaves(SIZE).with(LEAF, leafHash(DIGEST)));
  const head = { origin: ORIGIN, size: SIZE, root: await treeRoot(SIZE, read) };
  const heads = makeLeaves(3).with(PLACE, headHash(formatCheckpoint(head)));
  const readHeads = readHashesOf(heads);
  const path = async (leafIndex: number, size: number, hashes: typeof read) =>
    (await proveInclusion({ leafIndex, size }, hashes)).map(toBase64);
  timestamp = {
    version: 1,
    digest: DIGEST,
    log: {
      ...{ origin: ORIGIN, leafIndex: LEAF, leafHash: toBase64(leafHash(DIGEST)) },
      inclusionPath: await path(LEAF, SIZE, read),
      checkpoint: signCheckpoint(head, signer),
    },
    heads: { index: PLACE, size: heads.length, path: await path(PLACE, heads.length, readHeads) },
    root: toBase64(await treeRoot(heads.length, readHeads)),
    token: toBase64(Uint8Array.of(48, 0)),
  };
});

const check = (
  value: unknown,
  { digest = DIGEST, verifyToken = async () => STAMPED }: { digest?: string; verifyToken?: VerifyToken } = {},
) =>
  verifyTimestamp(typeof value === 'string' ? value : JSON.stringify(value), {
    ...{ digest, trusted, verifyToken },
    verify: verifyEd25519,
  });
const code = (code: string) => ({ verified: false, code });

describe('verifyTimestamp', () => {
  it('passes token and root to `verifyToken`, and returns the time and the place in the log', async () => {
    const seen: Uint8Array[] = [];
    const verifyToken: VerifyToken = async (token, data) => {
      seen.push(token, data);
      return STAMPED;
    };
    expect(await check(timestamp, { verifyToken })).toEqual({
      ...STAMPED,
      ...{ digest: DIGEST, origin: ORIGIN, leafIndex: LEAF, size: SIZE },
    });
    expect(seen.map(toBase64)).toEqual([timestamp.token, timestamp.root]);
  });

  it('returns the code of a token that does not verify', async () => {
    const verifyToken: VerifyToken = async () => ({ verified: false, code: 'wrongUsage' });
    expect(await check(timestamp, { verifyToken })).toEqual(code('wrongUsage'));
  });

  it('accepts a retired key only for trees without its hand-over', async () => {
    const terms = { digest: DIGEST, verify: verifyEd25519, verifyToken: async () => STAMPED };
    const by = (maxSize: number | undefined) =>
      verifyTimestamp(JSON.stringify(timestamp), { ...terms, trusted: { ...trusted, maxSize } });
    expect(await by(undefined)).toMatchObject({ verified: true });
    expect(await by(SIZE)).toMatchObject({ verified: true });
    expect(await by(SIZE - 1)).toEqual(code('retiredKey'));
    expect(await by(0)).toEqual(code('retiredKey'));
  });

  it('returns the code of each fault', async () => {
    const { log, heads } = timestamp;
    const zero = toBase64(new Uint8Array(32));
    const other = createTestSigner(2);
    const cases: [string, unknown][] = [
      ['malformed', 'no JSON'],
      ['malformed', '[]'],
      ['duplicateMember', JSON.stringify(timestamp).replace('{', '{"version":1,')],
      ['unsupportedVersion', { ...timestamp, version: 2 }],
      ['unsupportedVersion', {}],
      ['malformed', { ...timestamp, more: 1 }],
      ['malformed', { ...timestamp, token: '' }],
      ['malformed', { ...timestamp, token: 'AA' }],
      ['malformed', { ...timestamp, heads: undefined }],
      ['otherRecord', { ...timestamp, digest: `sha256:${'00'.repeat(32)}` }],
      ['leafMismatch', { ...timestamp, log: { ...log, leafHash: zero } }],
      ['malformedCheckpoint', { ...timestamp, log: { ...log, checkpoint: 'words' } }],
      ['otherOrigin', { ...timestamp, log: { ...log, origin: 'example.org/other' } }],
      ['leafOutsideTree', { ...timestamp, log: { ...log, leafIndex: SIZE } }],
      ['notIncluded', { ...timestamp, log: { ...log, leafIndex: LEAF - 1 } }],
      ['notIncluded', { ...timestamp, log: { ...log, inclusionPath: [] } }],
      ['notCovered', { ...timestamp, root: zero }],
      ['notCovered', { ...timestamp, heads: { ...heads, index: 0 } }],
      ['notCovered', { ...timestamp, heads: { ...heads, path: [...heads.path, zero] } }],
    ];
    for (const [expected, value] of cases)
      expect(await check(value), JSON.stringify(value)).toEqual(code(expected));
    expect(await check(timestamp, { digest: `sha256:${'00'.repeat(32)}` })).toEqual(code('otherRecord'));
    const terms = { digest: DIGEST, verify: verifyEd25519, verifyToken: async () => STAMPED };
    const stranger = { ...terms, trusted: { publicKey: other.publicKey } };
    expect(await verifyTimestamp(JSON.stringify(timestamp), stranger)).toEqual(code('untrustedKey'));
    const broken = JSON.stringify(timestamp).replace(/(AAA|.{3})(=?=?\\n")/, 'AAA$2');
    expect((await verifyTimestamp(broken, { ...terms, trusted })).verified).toBe(false);
  });
});
