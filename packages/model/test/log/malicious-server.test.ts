import { describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import type { JsonObject } from '../../src/canonical-json.js';
import type { Anchor } from '../../src/log/anchor.js';
import { formatCheckpoint, parseCheckpoint, signCheckpoint } from '../../src/log/checkpoint.js';
import { INPUT_FAULTS } from '../../src/log/proof-input.js';
import type { Receipt } from '../../src/log/receipt.js';
import { digestBytes, headHash, leafHash, nodeHash } from '../../src/log/tree-hash.js';
import { proveConsistency, proveInclusion, type ReadHashes, treeRoot } from '../../src/log/tree-proofs.js';
import { verifyGrowth } from '../../src/log/verify-growth.js';
import { RECEIPT_FAULTS, type ReceiptFault, verifyReceipt } from '../../src/log/verify-receipt.js';
import { digestRecord, type RecordKind } from '../../src/record-digest.js';
import { createTestSigner, verifyEd25519 } from './support/keys.js';

const ORIGIN = 'example.org/log/0198c0de-0000-7000-8000-000000000000';
const signer = createTestSigner(1);
const trusted = { origin: ORIGIN, publicKey: signer.publicKey };

const BODIES: [RecordKind, JsonObject][] = [
  ['entity', { id: 'ann', role: 'human', name: 'Ann', metadata: { a: [1, { b: 2 }] }, createdAt: 'T' }],
  [
    'action',
    {
      ...{ id: 'a1', type: 'create', performedBy: 'ann', inputCids: [], outputCids: ['b'], timestamp: 'T' },
      extensions: { 'ext:ai@1.0.0': { model: 'm', prompt: 'p' }, 'ext:note@1.0.0': { deep: [{ er: 1 }] } },
    },
  ],
  ['attribution', { id: 't1', entityId: 'ann', actionId: 'a1', role: 'creator', note: 'n', createdAt: 'T' }],
  ['entity', { id: 'bo', role: 'ai', createdAt: 'T' }],
  ['entity', { id: 'cy', role: 'ai', createdAt: 'T' }],
];
const RECORDS = BODIES.map(([kind, body]) => ({ kind, body, ...digestRecord(kind, body) }));
const LEAVES = RECORDS.map(({ digest }) => leafHash(digest));

function readFrom(leaves: readonly Uint8Array[]): ReadHashes {
  const hashOf = (level: number, index: number): Uint8Array =>
    level === 0
      ? (leaves[index] as Uint8Array)
      : nodeHash(hashOf(level - 1, 2 * index), hashOf(level - 1, 2 * index + 1));
  return async (subtrees) => subtrees.map(({ level, index }) => hashOf(level, index));
}

async function checkpointOf(leaves: readonly Uint8Array[], by = signer, origin = ORIGIN): Promise<string> {
  const root = await treeRoot(leaves.length, readFrom(leaves));
  return signCheckpoint({ origin, size: leaves.length, root }, by);
}

async function receiptOf(index: number, leaves: readonly Uint8Array[] = LEAVES): Promise<Receipt> {
  const { kind, body, digest, salts } = RECORDS[index] as (typeof RECORDS)[number];
  const path = await proveInclusion({ leafIndex: index, size: leaves.length }, readFrom(leaves));
  return {
    version: 1,
    record: { kind, digest, body, salts },
    log: {
      origin: ORIGIN,
      leafIndex: index,
      leafHash: toBase64(leafHash(digest)),
      inclusionPath: path.map(toBase64),
      checkpoint: await checkpointOf(leaves),
    },
  };
}

/** The anchor covers three heads. The receipt's log has the second. */
async function anchoredReceiptOf(index: number) {
  const receipt = await receiptOf(index);
  const checkpoint = parseCheckpoint(receipt.log.checkpoint);
  if (checkpoint === undefined) throw new Error('no checkpoint');
  const heads = [headHash('another'), headHash(formatCheckpoint(checkpoint)), headHash('a third')];
  const path = await proveInclusion({ leafIndex: 1, size: 3 }, readFrom(heads));
  const anchor: Anchor = {
    root: toBase64(await treeRoot(3, readFrom(heads))),
    heads: { index: 1, size: 3, path: path.map(toBase64) },
    ...{ chainId: 1, chainName: 'main', contractAddress: `0x${'0a'.repeat(20)}` },
    ...{ txHash: `0x${'0b'.repeat(32)}`, blockNumber: 7, logIndex: 0 },
  };
  return { ...receipt, anchor };
}

const verdictOf = (receipt: unknown, key: object = trusted) =>
  verifyReceipt(receipt, { ...trusted, ...key }, verifyEd25519);

describe('a receipt of an honest log', () => {
  it.each(RECORDS.map(({ kind }, index) => ({ kind, index })))(
    'verifies: $kind, leaf $index',
    async ({ index }) => {
      const { kind, digest } = RECORDS[index] as (typeof RECORDS)[number];
      expect(verdictOf(JSON.parse(JSON.stringify(await receiptOf(index))))).toEqual({
        ...{ verified: true, kind, digest, origin: ORIGIN, leafIndex: index, size: 5, anchor: null },
        ...{ anchorChecked: false, warnings: [] },
      });
    },
  );

  it('verifies with a trusted key for which no origin is given', async () => {
    expect(verdictOf(await receiptOf(0), { origin: undefined })).toMatchObject({ verified: true });
  });

  it('verifies after a personal field was erased and only its commitment is left', async () => {
    const receipt = await receiptOf(0);
    const { body, salts, digest } = receipt.record;
    const { committedBody } = await import('../../src/record-digest.js');
    const erased = committedBody('entity', body, salts);
    const record = {
      ...receipt.record,
      digest,
      body: { ...body, name: erased.name ?? null },
      salts: { ...salts },
    };
    delete record.salts['/name'];
    expect(verdictOf({ ...receipt, record })).toMatchObject({ verified: true });
  });

  it('verifies with an anchor over log heads, and with an anchor over its record digest', async () => {
    const overHeads = await anchoredReceiptOf(0);
    expect(verdictOf(JSON.parse(JSON.stringify(overHeads)))).toMatchObject({ anchor: overHeads.anchor });
    const { heads: _, ...alone } = overHeads.anchor;
    const anchor = { ...alone, root: toBase64(digestBytes(overHeads.record.digest)) };
    expect(verdictOf({ ...overHeads, anchor })).toMatchObject({ verified: true, anchor });
  });
});

type Forge = (receipt: Receipt) => unknown | Promise<unknown>;

async function withAnchor(index: number, change: (anchor: Required<Anchor>) => object) {
  const receipt = await anchoredReceiptOf(index);
  return { ...receipt, anchor: { ...receipt.anchor, ...change(receipt.anchor as Required<Anchor>) } };
}

/** Each forgery has its rejection code. */
const FORGERIES: [ReceiptFault, string, Forge][] = [
  ['unsupportedVersion', 'an unknown version', (receipt) => ({ ...receipt, version: 2 })],
  ['malformed', 'a text instead of an object', () => 'a receipt'],
  ['malformed', 'a member that nobody knows', (receipt) => ({ ...receipt, verified: true })],
  [
    'malformed',
    'a record of 100,000 levels, which would overflow the stack of a recursive reader',
    ({ record, ...receipt }) => ({ ...receipt, record: { ...record, body: nested(100_000) } }),
  ],
  [
    'malformed',
    'a hash of 31 bytes',
    ({ log, ...receipt }) => ({
      ...receipt,
      log: { ...log, inclusionPath: [toBase64(new Uint8Array(31))] },
    }),
  ],
  [
    'uncommittedMember',
    'a time of recording, which the digest does not cover',
    ({ record, ...receipt }) => ({
      ...receipt,
      record: { ...record, body: { ...record.body, recordedAt: 'yesterday' } },
    }),
  ],
  [
    'otherKind',
    'an action that is declared an entity',
    ({ record, ...receipt }) => ({
      ...receipt,
      record: { ...record, kind: 'entity' },
    }),
  ],
  ['digestMismatch', 'one changed nested field', (receipt) => withText(receipt, '"er":1', '"er":2')],
  [
    'digestMismatch',
    'a changed personal field',
    (receipt) => withText(receipt, '"prompt":"p"', '"prompt":"q"'),
  ],
  [
    'digestMismatch',
    'an additional member',
    ({ record, ...receipt }) => ({
      ...receipt,
      record: { ...record, body: { ...record.body, sessionId: 's' } },
    }),
  ],
  [
    'digestMismatch',
    'a personal field without its salt',
    ({ record, ...receipt }) => ({
      ...receipt,
      record: { ...record, salts: {} },
    }),
  ],
  [
    'leafMismatch',
    'another record with a correct digest',
    ({ log, ...receipt }) => {
      const { body } = receipt.record;
      const forged = { ...body, performedBy: 'eve' };
      return { ...receipt, record: { kind: 'action', body: forged, ...digestRecord('action', forged) }, log };
    },
  ],
  [
    'malformedCheckpoint',
    'a checkpoint without a signature',
    ({ log, ...receipt }) => ({
      ...receipt,
      log: { ...log, checkpoint: `${ORIGIN}\n5\n${log.leafHash}\n` },
    }),
  ],
  [
    'malformedCheckpoint',
    'a tree size with a leading zero',
    (receipt) => withText(receipt, '\\n5\\n', '\\n05\\n'),
  ],
  [
    'otherOrigin',
    'the log of another project, signed by the same key',
    async ({ log, ...receipt }) => {
      const origin = 'example.org/log/other';
      return { ...receipt, log: { ...log, origin, checkpoint: await checkpointOf(LEAVES, signer, origin) } };
    },
  ],
  [
    'otherOrigin',
    'another origin than in the checkpoint',
    ({ log, ...receipt }) => ({
      ...receipt,
      log: { ...log, origin: 'example.org/log/other' },
    }),
  ],
  [
    'untrustedKey',
    'a swapped key',
    async ({ log, ...receipt }) => ({
      ...receipt,
      log: { ...log, checkpoint: await checkpointOf(LEAVES, createTestSigner(2)) },
    }),
  ],
  [
    'badSignature',
    'a swapped key under the id of the trusted one',
    async ({ log, ...receipt }) => {
      const { publicKeyHex } = signer;
      const forger = { ...createTestSigner(2), publicKeyHex };
      return { ...receipt, log: { ...log, checkpoint: await checkpointOf(LEAVES, forger) } };
    },
  ],
  [
    'badSignature',
    'a checkpoint whose size was changed',
    (receipt) => withText(receipt, '\\n5\\n', '\\n6\\n'),
  ],
  [
    'leafOutsideTree',
    'a truncated tree',
    async ({ log, ...receipt }) => ({
      ...receipt,
      log: { ...log, checkpoint: await checkpointOf(LEAVES.slice(0, 1)) },
    }),
  ],
  [
    'notIncluded',
    'the inclusion proof of another leaf',
    async ({ log, ...receipt }) => ({
      ...receipt,
      log: { ...log, inclusionPath: (await receiptOf(2)).log.inclusionPath },
    }),
  ],
  ['notIncluded', 'another index', ({ log, ...receipt }) => ({ ...receipt, log: { ...log, leafIndex: 2 } })],
  [
    'notIncluded',
    'the tree of a log that has another record in this place',
    async ({ log, ...receipt }) => {
      const other = LEAVES.with(1, LEAVES[4] as Uint8Array);
      return { ...receipt, log: { ...log, checkpoint: await checkpointOf(other) } };
    },
  ],
  [
    'notAnchored',
    'the root of another anchor',
    () => withAnchor(0, () => ({ root: toBase64(LEAVES[0] as Uint8Array) })),
  ],
  [
    'notAnchored',
    'the place of another log in the anchor',
    () => withAnchor(0, ({ heads }) => ({ heads: { ...heads, index: 0 } })),
  ],
  [
    'notAnchored',
    'a root over heads that is presented as the digest of the record',
    () => withAnchor(0, () => ({ heads: undefined })),
  ],
  [
    'notAnchored',
    'an older checkpoint than the anchored one',
    async () => {
      const { anchor } = await anchoredReceiptOf(0);
      return { ...(await receiptOf(0, LEAVES.slice(0, 4))), anchor };
    },
  ],
  ['malformed', 'an anchor with a member that nobody knows', () => withAnchor(0, () => ({ verified: true }))],
];

describe('a malicious server', () => {
  it.each(FORGERIES)('gets %s for a forged receipt: %s', async (code, _what, forge) => {
    const forged = await forge(await receiptOf(1));
    expect(verdictOf(forged)).toEqual({ verified: false, code });
  });

  it('gets each fault code at least once, except the codes in `INPUT_FAULTS`', () => {
    const ofInput = Object.keys(INPUT_FAULTS);
    const others = Object.keys(RECEIPT_FAULTS).filter((code) => !ofInput.includes(code));
    expect([...new Set(FORGERIES.map(([code]) => code))]).toEqual(others);
  });

  it('cannot change a character of a receipt unnoticed', async () => {
    const text = JSON.stringify(await receiptOf(1));
    const unnoticed: string[] = [];
    for (let place = 0; place < text.length; place++) {
      const forged =
        text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ 1) + text.slice(place + 1);
      const parsed = parseJson(forged);
      if (parsed !== undefined && verdictOf(parsed).verified)
        unnoticed.push(forged.slice(place - 20, place + 20));
    }
    expect(unnoticed).toEqual([]);
  });
});

describe('a malicious log, read by a client with a stored checkpoint', () => {
  const headOf = async (leaves: readonly Uint8Array[]) => ({
    size: leaves.length,
    root: await treeRoot(leaves.length, readFrom(leaves)),
  });
  const pathOf = (from: number, leaves: readonly Uint8Array[]) =>
    proveConsistency({ from, to: leaves.length }, readFrom(leaves));
  const rewritten = LEAVES.with(1, LEAVES[4] as Uint8Array);

  it('is accepted while it only grows', async () => {
    for (let size = 0; size <= LEAVES.length; size++) {
      const [older, newer] = [await headOf(LEAVES.slice(0, size)), await headOf(LEAVES)];
      expect(verifyGrowth(older, newer, await pathOf(size, LEAVES))).toEqual({ verified: true });
    }
  });

  it('is rejected with rollback when leaves are missing', async () => {
    const [older, newer] = [await headOf(LEAVES), await headOf(LEAVES.slice(0, 3))];
    expect(verifyGrowth(older, newer, [])).toEqual({ verified: false, code: 'rollback' });
  });

  it('is rejected with splitView when its tree differs from the stored tree of the same size', async () => {
    const [older, newer] = [await headOf(LEAVES), await headOf(rewritten)];
    expect(verifyGrowth(older, newer, [])).toEqual({ verified: false, code: 'splitView' });
  });

  it.each([
    ['the proof of the rewritten tree', (own: Uint8Array[]) => own],
    ['no proof', () => []],
    ['a forged end of the proof', (own: Uint8Array[]) => [...own.slice(0, -1), LEAVES[0] as Uint8Array]],
    ['an additional hash', (own: Uint8Array[]) => [...own, LEAVES[0] as Uint8Array]],
  ])('is rejected with inconsistent when an old leaf was rewritten, with %s', async (_what, forge) => {
    const [older, newer] = [await headOf(LEAVES.slice(0, 3)), await headOf(rewritten)];
    const path = forge(await pathOf(3, rewritten));
    expect(verifyGrowth(older, newer, path)).toEqual({ verified: false, code: 'inconsistent' });
  });
});

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { deeper: value };
  return value;
}

function withText(receipt: Receipt, before: string, after: string): unknown {
  const text = JSON.stringify(receipt);
  if (!text.includes(before)) throw new Error(`${before} is not in the receipt`);
  return JSON.parse(text.replace(before, after));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
