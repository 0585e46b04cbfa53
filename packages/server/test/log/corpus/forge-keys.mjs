// Key histories of a log in memory, and their changes, for the vectors.
import {
  digestRecord,
  formatVerifierKey,
  handoverDigest,
  handoverText,
  leafHash,
  proveInclusion,
  signCheckpoint,
  toBase64,
  toVerifierKey,
  treeRoot,
} from '../../../../model/dist/index.js';
import { copy, flip } from './forge.mjs';
import { createTestSigner, ORIGIN, readFrom } from './forge-log.mjs';

export const [A, B, C, STRANGER] = [11, 12, 13, 14].map(createTestSigner);
const SIZE = 9;
const LEAVES = [3, 7];
/** The leaf of a record. */
const RECORD = 1;
const body = { id: 'ann', role: 'human', createdAt: 'T' };
const record = { kind: 'entity', body, ...digestRecord('entity', body) };

export const keyOf = ({ publicKey }, name = ORIGIN) => formatVerifierKey(toVerifierKey(name, publicKey));

export function signHandover(from, to, signers = { from, to }) {
  const statement = {
    ...{ version: 1, kind: 'handover' },
    from: toBase64(from.publicKey),
    to: toBase64(to.publicKey),
  };
  const text = handoverText(statement);
  const signatureOf = ({ sign }) => Buffer.from(sign(text), 'hex').toString('base64');
  return { statement, signatures: { from: signatureOf(signers.from), to: signatureOf(signers.to) } };
}

/** A tree with the leaves of these hand-overs, signed by `present`. */
function plant({ signed, places = LEAVES, size = SIZE, present = C }) {
  const leaves = Array.from({ length: Math.max(size, ...places.map((place) => place + 1)) }, (_, index) =>
    leafHash(`sha256:${String(index).padStart(64, '0')}`),
  );
  leaves[RECORD] = leafHash(record.digest);
  for (const [at, { statement }] of signed.entries())
    leaves[places[at]] = leafHash(handoverDigest(statement));
  const read = readFrom(leaves.slice(0, size));
  const pathOf = async (leafIndex) =>
    leafIndex < size ? (await proveInclusion({ leafIndex, size }, read)).map(toBase64) : [];
  const checkpoint = async () =>
    signCheckpoint({ origin: ORIGIN, size, root: await treeRoot(size, read) }, present);
  return { pathOf, checkpoint };
}

const HANDOVERS = [signHandover(A, B), signHandover(B, C)];

export async function history({ signed = HANDOVERS, keys = [A, B, C], places = LEAVES, ...more } = {}) {
  const { pathOf, checkpoint } = plant({ signed, places, ...more });
  const handovers = signed.map(async (one, at) => ({
    ...one,
    leafIndex: places[at],
    inclusionPath: await pathOf(places[at]),
  }));
  return {
    version: 1,
    origin: ORIGIN,
    keys: keys.map((key) => ({ verifierKey: keyOf(key), publicKey: key.publicKeyHex })),
    handovers: await Promise.all(handovers),
    checkpoint: await checkpoint(),
  };
}

/** A receipt of the record in a tree of this size that this key signed. */
export async function receipt(size, present) {
  const { pathOf, checkpoint } = plant({ signed: HANDOVERS, size, present });
  const { kind, digest, salts } = record;
  const log = {
    ...{ origin: ORIGIN, leafIndex: RECORD, leafHash: toBase64(leafHash(digest)) },
    ...{ inclusionPath: await pathOf(RECORD), checkpoint: await checkpoint() },
  };
  return { version: 1, record: { kind, digest, body, salts }, log };
}

const changed = async (change, base = history()) => {
  const value = copy(await base);
  change(value);
  return value;
};
const ofHandover = (place, change) => () => changed(({ handovers }) => change(handovers[place]));
const hex = ({ publicKeyHex }) => publicKeyHex;

/** Name, history, and the trusted key if it is not the first one. */
export const VALID = [
  ['two hand-overs', history],
  ['two hand-overs, from a public key', history, hex(A)],
  ['two hand-overs, from the second key', history, keyOf(B)],
  ['two hand-overs, from the present key', history, keyOf(C)],
  ['no hand-over', () => history({ signed: [], keys: [A], present: A })],
  [
    'a tree without leaves',
    () => history({ signed: [], keys: [A], present: A, places: [], size: 0 }),
    hex(A),
  ],
  ['one hand-over, at the first leaf', () => history({ signed: [HANDOVERS[0]], places: [0], present: B })],
  ['another list of keys, which no check uses', () => changed((value) => value.keys.reverse())],
  [
    'a hand-over before the trusted key that the former key did not sign',
    () => history({ signed: [signHandover(A, B, { from: STRANGER, to: B }), HANDOVERS[1]] }),
    keyOf(B),
  ],
  [
    'a hand-over of another key that leads elsewhere and is no leaf',
    () =>
      changed(({ handovers }) =>
        handovers.unshift({ ...signHandover(STRANGER, A), leafIndex: 99, inclusionPath: [] }),
      ),
  ],
  [
    'a second hand-over of the first key, which is ignored after the first one',
    () =>
      changed(({ handovers }) =>
        handovers.push({ ...signHandover(A, STRANGER), leafIndex: 1, inclusionPath: [] }),
      ),
  ],
  [
    'a cosignature under the checkpoint',
    () =>
      changed((value) => (value.checkpoint += `\u2014 witness ${Buffer.alloc(80, 1).toString('base64')}\n`)),
  ],
];

/** Code, name, history, and the trusted key if it is not the first one. */
export const INVALID = [
  ['unsupportedVersion', 'version 2', () => changed((value) => (value.version = 2))],
  ['unsupportedVersion', 'no version', () => changed((value) => delete value.version)],
  ['malformed', 'an unknown member', () => changed((value) => (value.more = 1))],
  ['malformed', 'a list', async () => [await history()]],
  ['malformed', 'no list of keys', () => changed((value) => delete value.keys)],
  ['malformed', 'another kind', ofHandover(0, ({ statement }) => (statement.kind = 'mentions'))],
  [
    'malformed',
    'a key of 31 bytes',
    ofHandover(1, ({ statement }) => (statement.to = toBase64(new Uint8Array(31)))),
  ],
  [
    'malformed',
    'a signature of 63 bytes',
    ofHandover(0, ({ signatures }) => (signatures.to = toBase64(new Uint8Array(63)))),
  ],
  ['malformed', 'an index that is no integer', ofHandover(0, (one) => (one.leafIndex = 3.5))],
  [
    'malformed',
    '1,001 keys',
    () => changed((value) => (value.keys = Array(1_001).fill({ verifierKey: '', publicKey: '' }))),
  ],
  ['otherOrigin', 'a trusted key of another log', history, keyOf(A, 'example.org/other')],
  [
    'otherOrigin',
    'the origin of another log',
    () => changed((value) => (value.origin = 'example.org/other')),
    hex(A),
  ],
  [
    'badHandover',
    'a hand-over without the former key',
    () => history({ signed: [signHandover(A, B, { from: STRANGER, to: B }), HANDOVERS[1]] }),
  ],
  [
    'badHandover',
    'a hand-over without the new key',
    () => history({ signed: [signHandover(A, B, { from: A, to: STRANGER }), HANDOVERS[1]] }),
  ],
  [
    'badHandover',
    'the signatures in the wrong order',
    ofHandover(1, (one) => (one.signatures = { from: one.signatures.to, to: one.signatures.from })),
  ],
  [
    'badHandover',
    'a former key that returns',
    () => history({ signed: [HANDOVERS[0], signHandover(B, A)], present: A }),
  ],
  [
    'badHandover',
    'a key that hands over to itself',
    () => history({ signed: [signHandover(A, A)], places: [3], present: A }),
  ],
  [
    'malformedCheckpoint',
    'words in place of the checkpoint',
    () => changed((value) => (value.checkpoint = 'words')),
  ],
  ['untrustedKey', 'a checkpoint of the second key', () => history({ present: B })],
  ['untrustedKey', 'no first hand-over', () => changed(({ handovers }) => handovers.shift())],
  [
    'untrustedKey',
    'the hand-overs in the wrong order',
    () => changed(({ handovers }) => handovers.reverse()),
  ],
  ['untrustedKey', 'an unknown trusted key', history, keyOf(STRANGER)],
  [
    'badSignature',
    'a checkpoint of another size',
    () => changed((value) => (value.checkpoint = value.checkpoint.replace('\n9\n', '\n8\n'))),
  ],
  ['wrongOrder', 'a second hand-over before the first', () => history({ places: [7, 3] })],
  ['wrongOrder', 'two hand-overs at one leaf', ofHandover(1, (one) => (one.leafIndex = 3))],
  ['leafOutsideTree', 'a hand-over after the end of the tree', () => history({ places: [3, 8], size: 8 })],
  ['notIncluded', 'another leaf', ofHandover(0, (one) => (one.leafIndex = 2))],
  ['notIncluded', 'a path without its last hash', ofHandover(0, (one) => one.inclusionPath.pop())],
  [
    'notIncluded',
    'a changed hash',
    ofHandover(1, (one) => (one.inclusionPath[0] = flip(one.inclusionPath[0]))),
  ],
];

/** Result, name, size of the tree, its signer, and the trusted keys. */
export const DOCUMENTS = [
  ['verified', 'a tree of the first key, up to its hand-over', 3, A],
  ['retiredKey', 'a tree of the first key with its hand-over', 4, A],
  ['verified', 'a tree of the second key, up to its hand-over', 7, B],
  ['retiredKey', 'a tree of the second key with its hand-over', 8, B],
  ['verified', 'a small tree of the present key', 2, C],
  ['verified', 'a tree of the present key', 9, C],
  ['untrustedKey', 'a tree of an unknown key', 9, STRANGER],
  ['untrustedKey', 'a tree of a key before the trusted one', 3, A, [keyOf(B)]],
  ['verified', 'two trusted keys, of which the second has a history', 9, C, [keyOf(STRANGER), keyOf(A)]],
  ['verified', 'two trusted keys, of which one has no history', 9, STRANGER, [keyOf(STRANGER), keyOf(A)]],
];
