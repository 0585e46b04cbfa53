import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseSignedNote, verifySignedNote } from '../../src/log/signed-note.js';
import { nodeHash } from '../../src/log/tree-hash.js';
import { proveConsistency, proveInclusion, type ReadHashes, treeRoot } from '../../src/log/tree-proofs.js';
import { parseVerifierKey, type VerifierKey } from '../../src/log/verifier-key.js';
import { verifyConsistency, verifyInclusion } from '../../src/log/verify-proofs.js';
import { verifyEd25519 } from './support/keys.js';

/** These leaves are from the tests of implementations of Certificate Transparency (RFC 6962). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const NODE = {
  leaf0: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  leaf1: '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  leaf4: 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  twoAndThree: '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  fourAndFive: '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
  sixAndSeven: 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  firstFour: 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  lastFour: '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
};

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const hex = (all: readonly Uint8Array[]) => all.map((one) => Buffer.from(one).toString('hex'));
const leaves = LEAVES.map((data) =>
  createHash('sha256')
    .update(Buffer.from(`00${data}`, 'hex'))
    .digest(),
);
const subtree = (level: number, index: number): Uint8Array =>
  level === 0
    ? (leaves[index] as Uint8Array)
    : nodeHash(subtree(level - 1, 2 * index), subtree(level - 1, 2 * index + 1));
const read: ReadHashes = async (all) => all.map(({ level, index }) => subtree(level, index));
const head = (size: number) => ({ size, root: bytes(ROOTS[size] ?? '') });

describe('the vectors of RFC 6962', () => {
  it.each(ROOTS.map((root, size) => ({ root, size })))(
    'give the root of $size leaves',
    async ({ root, size }) => {
      expect(hex([await treeRoot(size, read)])).toEqual([root]);
    },
  );

  it.each([
    { leafIndex: 0, path: [NODE.leaf1, NODE.twoAndThree, NODE.lastFour] },
    { leafIndex: 5, path: [NODE.leaf4, NODE.sixAndSeven, NODE.firstFour] },
  ])('give the inclusion proof of leaf $leafIndex of 8', async ({ leafIndex, path }) => {
    expect(hex(await proveInclusion({ leafIndex, size: 8 }, read))).toEqual(path);
    const inclusion = { leafIndex, leafHash: leaves[leafIndex] as Uint8Array, path: path.map(bytes) };
    expect(verifyInclusion(inclusion, head(8))).toBe(true);
  });

  it.each([
    { from: 1, to: 8, path: [NODE.leaf1, NODE.twoAndThree, NODE.lastFour] },
    { from: 6, to: 8, path: [NODE.fourAndFive, NODE.sixAndSeven, NODE.firstFour] },
    { from: 2, to: 5, path: [NODE.twoAndThree, NODE.leaf4] },
    { from: 8, to: 8, path: [] },
    { from: 0, to: 8, path: [] },
  ])('give the consistency proof from $from to $to', async ({ from, to, path }) => {
    expect(hex(await proveConsistency({ from, to }, read))).toEqual(path);
    expect(verifyConsistency(head(from), head(to), path.map(bytes))).toBe(true);
  });
});

/** Example of the documentation of Go's package golang.org/x/mod/sumdb/note. */
const GO_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

describe('the signed note of Go', () => {
  it('is read and verified with its key', () => {
    const note = parseSignedNote(GO_NOTE);
    expect(note?.signatures.map(({ name, keyId }) => `${name} ${keyId}`)).toEqual(['PeterNeumann c74f20a3']);
    expect(verifySignedNote(note ?? { text: '', signatures: [] }, keyOf(GO_KEY), verifyEd25519)).toEqual({
      verified: true,
    });
  });

  it('is rejected when one letter was changed', () => {
    const note = parseSignedNote(GO_NOTE.replace('answer', 'Answer'));
    expect(verifySignedNote(note ?? { text: '', signatures: [] }, keyOf(GO_KEY), verifyEd25519)).toEqual({
      verified: false,
      reason: 'badSignature',
    });
  });
});

function keyOf(text: string): VerifierKey {
  const key = parseVerifierKey(text);
  if (key === undefined) throw new Error(`${text} is no key`);
  return key;
}
