import { equalBytes } from './tree-hash.js';
import { type TreeHead, verifyConsistency } from './verify-proofs.js';

/**
 * The result of a comparison. `rollback`: the newer tree is smaller, so leaves were removed. `splitView`: both trees
 * have the same size and different roots, so the log shows different trees to different readers. `inconsistent`: the
 * proof does not show that the newer tree contains the older one.
 */
export type GrowthReport =
  | { verified: true }
  | { verified: false; code: 'rollback' | 'splitView' | 'inconsistent' };

/**
 * Whether a log only appended leaves between two of its checkpoints. `older` is the checkpoint that the reader
 * stored. Verify the signatures of both checkpoints first. `path` is the consistency proof between their sizes, as
 * hashes of 32 bytes.
 *
 * @example
 * const [older, added] = ['01', '02'].map((byte) => leafHash(`sha256:${byte.repeat(32)}`));
 * verifyGrowth({ size: 1, root: older }, { size: 2, root: nodeHash(older, added) }, [added]); // => { verified: true }
 * verifyGrowth({ size: 1, root: older }, { size: 1, root: added }, []); // => { verified: false, code: 'splitView' }
 */
export function verifyGrowth(older: TreeHead, newer: TreeHead, path: readonly Uint8Array[]): GrowthReport {
  if (newer.size < older.size) return { verified: false, code: 'rollback' };
  if (newer.size === older.size && !equalBytes(newer.root, older.root)) {
    return { verified: false, code: 'splitView' };
  }
  return verifyConsistency(older, newer, path)
    ? { verified: true }
    : { verified: false, code: 'inconsistent' };
}
