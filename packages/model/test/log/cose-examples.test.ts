import { describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import { signCheckpoint } from '../../src/log/checkpoint.js';
import { parseCbor, parseCoseSign1 } from '../../src/log/parse-cose.js';
import { toTransparentStatement } from '../../src/log/receipt-formats.js';
import { leafHash } from '../../src/log/tree-hash.js';
import { proveConsistency, proveInclusion, treeRoot } from '../../src/log/tree-proofs.js';
import { digestRecord } from '../../src/record-digest.js';
import { createTestSigner } from './support/keys.js';
import { makeLeaves, readHashesOf } from './support/small-tree.js';

/**
 * The numbers in the examples of RFC 9942 (figures 2, 5 and 8). The RFC shortens all hashes, signatures and keys there
 * (`h'fc9f050f...221c92cb'`), so nobody can verify the examples themselves.
 */
const INCLUSION = [
  { size: 9, leafIndex: 8, hashes: 1 },
  { size: 6, leafIndex: 5, hashes: 2 },
  { size: 20, leafIndex: 17, hashes: 3 },
];
const CONSISTENCY = { from: 20, to: 104, hashes: 6 };
const LABELS = { receipts: 394, vds: 395, vdp: 396, inclusion: -1, rfc9162: 1 };

const signer = createTestSigner(1);

/** A statement of a record at this leaf. */
async function makeStatement({ size, leafIndex }: { size: number; leafIndex: number }): Promise<Uint8Array> {
  const body = { id: 'ann', role: 'human' };
  const { digest, salts } = digestRecord('entity', body);
  const leaves = makeLeaves(size).with(leafIndex, leafHash(digest));
  const read = readHashesOf(leaves);
  const origin = 'example.org/log';
  const path = await proveInclusion({ leafIndex, size }, read);
  const log = {
    ...{ origin, leafIndex, leafHash: toBase64(leafHash(digest)), inclusionPath: path.map(toBase64) },
    checkpoint: signCheckpoint({ origin, size, root: await treeRoot(size, read) }, signer),
  };
  const receipt = { version: 1, record: { kind: 'entity', digest, body, salts }, log } as const;
  return toTransparentStatement(receipt, { keyId: new Uint8Array(4), signBytes: signer.signBytes });
}

describe('the examples of RFC 9942', () => {
  it.each(INCLUSION)(
    'have the header labels and the proof of our receipts: $leafIndex of $size',
    async (example) => {
      const statement = parseCoseSign1(await makeStatement(example));
      const [first] = (statement?.unprotectedHeader.get(LABELS.receipts) ?? []) as Uint8Array[];
      const receipt = parseCoseSign1(first ?? new Uint8Array());
      expect(receipt?.protectedHeader.get(LABELS.vds)).toBe(LABELS.rfc9162);
      expect(receipt?.payload).toBeNull();
      const proofs = receipt?.unprotectedHeader.get(LABELS.vdp) as Map<number, Uint8Array[]>;
      expect([...proofs.keys()]).toEqual([LABELS.inclusion]);
      const [proof] = proofs.get(LABELS.inclusion) ?? [];
      const hash = expect.objectContaining({ length: 32 });
      const path = Array.from({ length: example.hashes }, () => hash);
      expect(parseCbor(proof ?? new Uint8Array())).toEqual([example.size, example.leafIndex, path]);
    },
  );

  it('have consistency proofs of our length', async () => {
    const { from, to, hashes } = CONSISTENCY;
    expect(await proveConsistency({ from, to }, readHashesOf(makeLeaves(to)))).toHaveLength(hashes);
  });
});
