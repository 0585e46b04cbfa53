import { describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import type { JsonObject } from '../../src/canonical-json.js';
import { provenBundleText, statementDigest } from '../../src/log/bundle-proof.js';
import { signCheckpoint } from '../../src/log/checkpoint.js';
import { createMap, mapRoot, walkMap } from '../../src/log/mention-map.js';
import {
  emptyChain,
  extendChain,
  type Mentions,
  mapLeafHash,
  mentionKey,
  mentionValue,
} from '../../src/log/mentions.js';
import { INPUT_FAULTS } from '../../src/log/proof-input.js';
import { leafHash, nodeHash } from '../../src/log/tree-hash.js';
import { proveInclusion, type ReadHashes, treeRoot } from '../../src/log/tree-proofs.js';
import { toVerifierKey } from '../../src/log/verifier-key.js';
import { BUNDLE_FAULTS, type BundleFault, verifyBundle } from '../../src/log/verify-bundle.js';
import { digestRecord, type RecordKind } from '../../src/record-digest.js';
import { createTestSigner, verifyEd25519 } from './support/keys.js';

const ORIGIN = 'example.org/log/0198c0de-0000-7000-8000-000000000000';
const signer = createTestSigner(1);
const trusted = { origin: ORIGIN, publicKey: signer.publicKey };

type Json = Record<string, unknown>;
const toAction = (id: string, inputCids: string[], outputCids: string[]): [RecordKind, JsonObject] => [
  'action',
  {
    id,
    type: 'transform',
    performedBy: 'ann',
    inputCids,
    outputCids,
    extensions: { 'ext:x@1.0.0': { deep: [{ er: 1 }] } },
  },
];
const BODIES: [RecordKind, JsonObject][] = [
  ['entity', { id: 'ann', role: 'human', name: 'Ann', createdAt: 'T' }],
  toAction('a1', [], ['source']),
  toAction('a2', ['source'], ['made']),
  toAction('a3', ['source'], ['made']),
  ['attribution', { id: 't1', entityId: 'ann', actionId: 'a1', role: 'creator', createdAt: 'T' }],
];
const RECORDS = BODIES.map(([kind, body], leafIndex) => ({
  kind,
  body,
  leafIndex,
  ...digestRecord(kind, body),
}));
type Logged = (typeof RECORDS)[number];

function mentionsOf(records: readonly Logged[]): Map<string, Mentions> {
  const map = new Map<string, Mentions>();
  for (const { kind, body, digest } of records) {
    if (kind !== 'action') continue;
    for (const [member, chain] of [
      ['inputCids', 'used'],
      ['outputCids', 'made'],
    ] as const) {
      for (const name of body[member] as string[]) {
        const held = map.get(name) ?? { made: emptyChain(), used: emptyChain() };
        map.set(name, { ...held, [chain]: extendChain(held[chain], digest) });
      }
    }
  }
  return map;
}

function readFrom(leaves: readonly Uint8Array[]): ReadHashes {
  const hashOf = (level: number, index: number): Uint8Array =>
    level === 0
      ? (leaves[index] as Uint8Array)
      : nodeHash(hashOf(level - 1, 2 * index), hashOf(level - 1, 2 * index + 1));
  return async (subtrees) => subtrees.map(({ level, index }) => hashOf(level, index));
}

/**
 * The bundle contains the records `shown`. The map of mentions counts the records `counted`. `alter` changes the bundle
 * before signing.
 */
interface Server {
  shown?: Logged[];
  counted?: Logged[];
  alter?: (bundle: Json & { proof: Json }) => void;
  by?: typeof signer;
  /** Runs after signing. */
  tamper?: (text: string) => string;
}

async function bundleOf({
  shown = RECORDS,
  counted = RECORDS,
  alter,
  by = signer,
  tamper,
}: Server = {}): Promise<unknown> {
  const map = [...mentionsOf(counted)]
    .map(([name, mentions]) => ({ name, mentions, key: mentionKey(name) }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  const entries = map.map(({ key, mentions }) => ({ key, hash: mapLeafHash(key, mentionValue(mentions)) }));
  const statement = {
    ...{ version: 1 as const, kind: 'mentions' as const, leaves: RECORDS.length, names: map.length },
    root: toBase64(mapRoot(entries)),
  };
  const leaves = [...RECORDS.map(({ digest }) => leafHash(digest)), leafHash(statementDigest(statement))];
  const size = leaves.length;
  const prove = async (leafIndex: number) => ({
    leafIndex,
    inclusionPath: (await proveInclusion({ leafIndex, size }, readFrom(leaves))).map(toBase64),
  });
  const toWire = ({ count, head }: Mentions['made']) => ({ count, head: toBase64(head) });
  const byName = map.map(({ name, key, mentions }) => {
    const tree = createMap(entries);
    const path = (tree === undefined ? [] : walkMap(tree, key).path).map(({ bit, hash }) => ({
      bit,
      hash: toBase64(hash),
    }));
    return [name, { made: toWire(mentions.made), used: toWire(mentions.used), path }];
  });
  const list = (kind: RecordKind) =>
    shown
      .filter((one) => one.kind === kind)
      .map(({ body, digest }) => (kind === 'action' ? { ...body, digest } : body));
  const bundle: Json & { proof: Json } = {
    ...{ cid: 'made', entities: list('entity'), actions: list('action'), attributions: list('attribution') },
    ...{ resources: [{ cid: 'made', state: 'claimed' }], complete: true },
    proof: {
      ...{ version: 1, direction: 'ancestors', origin: ORIGIN },
      checkpoint: signCheckpoint({ origin: ORIGIN, size, root: await treeRoot(size, readFrom(leaves)) }, by),
      records: await Promise.all(
        shown.map(async ({ kind, body, digest, salts, leafIndex }) => ({
          ...{ kind, id: body.id, digest, salts },
          ...(await prove(leafIndex)),
        })),
      ),
      mentions: { statement, ...(await prove(size - 1)), byName: Object.fromEntries(byName) },
    },
  };
  alter?.(bundle);
  const keyid = toVerifierKey(ORIGIN, signer.publicKey).keyId;
  const sig = toBase64(Buffer.from(by.sign(provenBundleText(bundle)), 'hex'));
  const proof = { ...bundle.proof, signatures: (bundle.proof.signatures as unknown[]) ?? [{ keyid, sig }] };
  const text = JSON.stringify({ ...bundle, proof });
  return JSON.parse(tamper === undefined ? text : tamper(text));
}

const verdictOf = (bundle: unknown) => verifyBundle(bundle, trusted, verifyEd25519);
const without = (id: string) => RECORDS.filter(({ body }) => body.id !== id);
const proofsOf = ({ proof }: { proof: Json }) => proof.records as Json[];
const mentionsIn = ({ proof }: { proof: Json }) => proof.mentions as Json & { byName: Record<string, Json> };
const replace = (before: string, after: string) => (text: string) => {
  if (!text.includes(before)) throw new Error(`${before} is not in the bundle`);
  return text.replace(before, after);
};

/** Each forgery has its rejection code. */
const FORGERIES: [BundleFault, string, Server][] = [
  [
    'unsupportedVersion',
    'a proof of version 2 with a statement of version 1',
    { alter: ({ proof }) => Object.assign(proof, { version: 2 }) },
  ],
  ['malformed', 'a proof without a checkpoint', { alter: ({ proof }) => void delete proof.checkpoint }],
  [
    'malformedCheckpoint',
    'a checkpoint without a signature',
    { alter: ({ proof }) => Object.assign(proof, { checkpoint: 'x\n' }) },
  ],
  [
    'otherOrigin',
    'the log of another project',
    { alter: ({ proof }) => Object.assign(proof, { origin: 'example.org/log/2' }) },
  ],
  ['untrustedKey', 'a swapped key', { by: createTestSigner(2) }],
  [
    'badSignature',
    'a swapped key under the id of the trusted key',
    { by: { ...createTestSigner(2), publicKeyHex: signer.publicKeyHex } },
  ],
  ['notSigned', 'no signature', { alter: ({ proof }) => Object.assign(proof, { signatures: [] }) }],
  ['badBundleSignature', 'one changed nested field', { tamper: replace('"er":1', '"er":2') }],
  ['badBundleSignature', 'a changed resource', { tamper: replace('"claimed"', '"referenced"') }],
  [
    'badBundleSignature',
    'an additional member',
    { tamper: replace('"complete":true', '"complete":true,"more":1') },
  ],
  ['unprovenRecord', 'a record without its proof', { alter: (bundle) => void proofsOf(bundle).pop() }],
  [
    'unprovenRecord',
    'a record twice',
    { alter: ({ actions }) => void (actions as unknown[]).push((actions as unknown[])[0]) },
  ],
  [
    'otherKind',
    'an attribution in the list of entities',
    {
      alter: (bundle) => {
        (bundle.entities as unknown[]).push((bundle.attributions as unknown[]).pop());
        for (const one of proofsOf(bundle)) if (one.kind === 'attribution') one.kind = 'entity';
      },
    },
  ],
  [
    'digestMismatch',
    'one changed nested field, signed again',
    { alter: ({ actions }) => Object.assign((actions as Json[])[0] as Json, { extensions: {} }) },
  ],
  [
    'digestMismatch',
    'a visible field that is declared erased',
    {
      alter: (bundle) =>
        Object.assign(proofsOf(bundle)[0] as Json, { erased: { '/name': toBase64(new Uint8Array(32)) } }),
    },
  ],
  [
    'leafOutsideTree',
    'a leaf index beyond the end of the tree',
    { alter: (bundle) => Object.assign(proofsOf(bundle)[1] as Json, { leafIndex: 9 }) },
  ],
  [
    'notIncluded',
    'the proof of another leaf',
    { alter: (bundle) => Object.assign(proofsOf(bundle)[1] as Json, { leafIndex: 2 }) },
  ],
  ['absentEntity', 'an action whose performer is left out', { shown: without('ann') }],
  [
    'otherStatement',
    'a statement that is not in the log',
    { alter: (bundle) => Object.assign(mentionsIn(bundle).statement as Json, { names: 1 }) },
  ],
  [
    'unstatedName',
    'a recorded content without an entry in `byName`',
    { alter: (bundle) => void delete mentionsIn(bundle).byName.source },
  ],
  [
    'otherMentions',
    'a count other than that in the map',
    {
      shown: without('a3'),
      alter: (bundle) => Object.assign(mentionsIn(bundle).byName.made?.made as Json, { count: 1 }),
    },
  ],
  [
    'otherMentions',
    'a statement that no action names a recorded content, with the map leaf of another content as its proof',
    {
      alter: (bundle) => {
        const none = { count: 0, head: toBase64(new Uint8Array(32)) };
        const other = { key: toBase64(mentionKey('made')), value: toBase64(new Uint8Array(32)) };
        Object.assign(mentionsIn(bundle).byName.source as Json, { made: none, used: none, other });
      },
    },
  ],
  ['leftOut', 'an action left out', { shown: without('a3') }],
  [
    'leftOut',
    'a source without the action that made it',
    { shown: without('a1').filter(({ kind }) => kind !== 'attribution') },
  ],
  ['leftOut', 'an action that the map does not count', { counted: without('a3') }],
];

describe('a proven bundle of an honest log', () => {
  it('verifies', async () => {
    expect(verdictOf(await bundleOf())).toEqual({
      ...{
        verified: true,
        cid: 'made',
        origin: ORIGIN,
        size: 6,
        records: 5,
        complete: true,
        coveredLeaves: 5,
        unproven: ['resources', 'attributions'],
        signedOnly: ['resources'],
        warnings: [],
      },
    });
  });

  it('verifies as incomplete if it lacks an action and states that it is incomplete', async () => {
    const cut = await bundleOf({
      shown: without('a3'),
      alter: (bundle) => Object.assign(bundle, { complete: false }),
    });
    expect(verdictOf(cut)).toMatchObject({ verified: true, complete: false });
  });
});

describe('a malicious server', () => {
  it.each(FORGERIES)('gets %s for a forged bundle: %s', async (code, _what, server) => {
    expect(verdictOf(await bundleOf(server))).toEqual({ verified: false, code });
  });

  it('gets each fault code at least once, except the codes in `INPUT_FAULTS`', () => {
    const others = Object.keys(BUNDLE_FAULTS).filter((code) => !Object.keys(INPUT_FAULTS).includes(code));
    expect(new Set(FORGERIES.map(([code]) => code))).toEqual(new Set(others));
  });
});
