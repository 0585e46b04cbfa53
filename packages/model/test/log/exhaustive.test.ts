import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { proveConsistency, proveInclusion, type ReadHashes, treeRoot } from '../../src/log/tree-proofs.js';
import { verifyConsistency, verifyInclusion } from '../../src/log/verify-proofs.js';

const MAX_SIZE = 300;
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const createSha256 = () => createHash('sha256');
const LEAVES = Array.from({ length: MAX_SIZE }, (_, index) => sha256(Buffer.from(`leaf ${index}`)));

const known = new Map<string, Buffer>();

// The functions below are the definitions of RFC 9162, word by word, over a range of leaves.

/** §2.1.1: MTH(D[from:to]). */
function referenceRoot(from: number, to: number): Buffer {
  if (to === from) return sha256();
  const name = `${from} ${to}`;
  const split = from + referenceSplit(to - from);
  const root =
    known.get(name) ??
    (to - from === 1
      ? (LEAVES[from] as Buffer)
      : sha256(Buffer.of(1), referenceRoot(from, split), referenceRoot(split, to)));
  known.set(name, root);
  return root;
}

/** §2.1.1: the k with k < n <= 2k that is a power of two. */
function referenceSplit(size: number): number {
  return [1, 2, 4, 8, 16, 32, 64, 128, 256].find((k) => k < size && size <= 2 * k) ?? 0;
}

/** §2.1.3.1, PATH(m, D[from:to]). */
function referencePath(index: number, from: number, to: number): Buffer[] {
  if (to - from === 1) return [];
  const split = from + referenceSplit(to - from);
  return index < split
    ? [...referencePath(index, from, split), referenceRoot(split, to)]
    : [...referencePath(index, split, to), referenceRoot(from, split)];
}

/** §2.1.4.1, SUBPROOF(m, D[from:to], b), m counted from the first leaf. */
function referenceSubproof(m: number, from: number, to: number, isWhole: boolean): Buffer[] {
  if (m === to) return isWhole ? [] : [referenceRoot(from, to)];
  const split = from + referenceSplit(to - from);
  return m <= split
    ? [...referenceSubproof(m, from, split, isWhole), referenceRoot(split, to)]
    : [...referenceSubproof(m, split, to, false), referenceRoot(from, split)];
}

/** Only complete subtrees inside the tree are valid. */
const sourceOf =
  (size: number): ReadHashes =>
  async (subtrees) =>
    subtrees.map(({ level, index }) => {
      const [from, to] = [index * 2 ** level, (index + 1) * 2 ** level];
      if (!Number.isInteger(index) || to > size)
        throw new Error(`${level}/${index} is not in a tree of ${size}`);
      return referenceRoot(from, to);
    });

const hexOf = (hashes: readonly Uint8Array[]) =>
  hashes.map((hash) => Buffer.from(hash).toString('hex')).join();
const headOf = (size: number) => ({ size, root: referenceRoot(0, size) });
const SIZES = Array.from({ length: MAX_SIZE }, (_, index) => index + 1);

describe(`a tree of up to ${MAX_SIZE} leaves`, () => {
  it('has the root that RFC 9162 defines, at every size', async () => {
    expect(hexOf([await treeRoot(0, sourceOf(0))])).toBe(hexOf([referenceRoot(0, 0)]));
    for (const size of SIZES) {
      const root = await treeRoot(size, sourceOf(size), createSha256);
      expect(hexOf([root])).toBe(hexOf([referenceRoot(0, size)]));
    }
  });

  it('has the inclusion proofs of RFC 9162, for every leaf at every size, and they verify', async () => {
    const wrong: string[] = [];
    for (const size of SIZES) {
      for (let leafIndex = 0; leafIndex < size; leafIndex++) {
        const path = await proveInclusion({ leafIndex, size }, sourceOf(size), createSha256);
        const inclusion = { leafIndex, leafHash: LEAVES[leafIndex] as Buffer, path };
        const isSame = hexOf(path) === hexOf(referencePath(leafIndex, 0, size));
        if (!isSame || !verifyInclusion(inclusion, headOf(size))) wrong.push(`${leafIndex} of ${size}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('has the consistency proofs of RFC 9162, for every pair of sizes, and they verify', async () => {
    const wrong: string[] = [];
    for (const to of SIZES) {
      for (let from = 1; from <= to; from++) {
        const path = await proveConsistency({ from, to }, sourceOf(to), createSha256);
        const isSame = hexOf(path) === hexOf(referenceSubproof(from, 0, to, true));
        if (!isSame || !verifyConsistency(headOf(from), headOf(to), path)) wrong.push(`${from} to ${to}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('rejects an inclusion proof for another leaf, index or root, or with an added or missing hash', async () => {
    const taken: string[] = [];
    for (const size of SIZES.filter((one) => one <= 40 || one > 290)) {
      for (let leafIndex = 0; leafIndex < size; leafIndex += 1 + Math.floor(size / 20)) {
        const path = referencePath(leafIndex, 0, size);
        const leafHash = LEAVES[leafIndex] as Buffer;
        const other = LEAVES[(leafIndex + 1) % MAX_SIZE] as Buffer;
        const claims: [object, object][] = [
          [{ leafHash: other }, {}],
          [{ leafIndex: leafIndex + 1 }, {}],
          [{ leafIndex: leafIndex - 1 }, {}],
          [{ leafIndex: leafIndex + 0.5 }, {}],
          [{ leafIndex: leafIndex + 2 ** 32 }, {}],
          [{ path: [...path, other] }, {}],
          [{ path: size === 1 ? [other] : path.slice(1) }, {}],
          [{ path: [...path, Buffer.of(1)] }, {}],
          [{}, { root: other }],
        ];
        for (const [index, [inclusion, head]] of claims.entries()) {
          const claimed = { leafIndex, leafHash, path, ...inclusion };
          if (verifyInclusion(claimed, { ...headOf(size), ...head }))
            taken.push(`${index}: ${leafIndex}/${size}`);
        }
      }
    }
    expect(taken).toEqual([]);
  });

  it('rejects a consistency proof with a changed, added or missing hash, or for other trees', () => {
    const taken: string[] = [];
    for (const to of [2, 3, 7, 8, 64, 65, 255, 300]) {
      for (let from = 1; from < to; from++) {
        const path = referenceSubproof(from, 0, to, true);
        const other = sha256(Buffer.from('no leaf'));
        const flipped = path.map((_, place) =>
          path.map((hash, at) => (at === place ? Buffer.from(hash.map((byte) => byte ^ 1)) : hash)),
        );
        for (const claimed of [...flipped, [...path, other], path.slice(1), path.slice(0, -1), []]) {
          if (verifyConsistency(headOf(from), headOf(to), claimed)) taken.push(`${from} to ${to}`);
        }
        if (verifyConsistency({ size: from, root: other }, headOf(to), path))
          taken.push(`${from} to ${to}: another old tree`);
        if (verifyConsistency(headOf(from), { size: to, root: other }, path))
          taken.push(`${from} to ${to}: another`);
        if (verifyConsistency(headOf(to), headOf(from), path)) taken.push(`${to} to ${from}`);
      }
    }
    expect(taken).toEqual([]);
  });
});

describe('proofs in trees of more than 2^31 leaves', () => {
  /** All leaves are equal, so the test does not have to build the tree. */
  const levels = [sha256(Buffer.of(0))];
  for (let level = 1; level < 53; level++) {
    const below = levels[level - 1] as Buffer;
    levels.push(sha256(Buffer.of(1), below, below));
  }
  const read: ReadHashes = async (subtrees) => subtrees.map(({ level }) => levels[level] as Buffer);

  it.each([2 ** 31 + 1, 2 ** 32 + 12_345, 2 ** 52 + 7, Number.MAX_SAFE_INTEGER])(
    'verify at %d leaves',
    async (size) => {
      const head = { size, root: await treeRoot(size, read) };
      for (const leafIndex of [0, 2 ** 31 - 1, 2 ** 31, size - 1]) {
        const path = await proveInclusion({ leafIndex, size }, read);
        expect(verifyInclusion({ leafIndex, leafHash: levels[0] as Buffer, path }, head)).toBe(true);
      }
      for (const from of [1, 2 ** 31, 2 ** 31 + 1, size - 1]) {
        const older = { size: from, root: await treeRoot(from, read) };
        expect(verifyConsistency(older, head, await proveConsistency({ from, to: size }, read))).toBe(true);
      }
    },
  );
});
