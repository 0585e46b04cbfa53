import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import { signCheckpoint } from '../../src/log/checkpoint.js';
import { COSE, EDDSA, toCoseSign1, toSigStructure } from '../../src/log/cose.js';
import { type CoseSign1, parseCbor, parseCoseSign1 } from '../../src/log/parse-cose.js';
import { toTransparentStatement } from '../../src/log/receipt-formats.js';
import { leafHash } from '../../src/log/tree-hash.js';
import { proveConsistency, proveInclusion, treeRoot } from '../../src/log/tree-proofs.js';
import { verifyEd25519 } from '../../src/proofs/ed25519.js';
import { digestRecord } from '../../src/record-digest.js';
import examples from '../vectors/cose-sign1.json' with { type: 'json' };
import { createTestSigner } from './support/keys.js';
import { makeLeaves, readHashesOf } from './support/small-tree.js';

/**
 * The numbers in the examples of RFC 9942 (figures 2, 5 and 8). The RFC shortens all hashes, signatures and keys, so
 * nobody can verify the examples themselves.
 */
const INCLUSION = [
  { size: 9, leafIndex: 8, hashes: 1 },
  { size: 6, leafIndex: 5, hashes: 2 },
  { size: 20, leafIndex: 17, hashes: 3 },
];
const CONSISTENCY = { from: 20, to: 104, hashes: 6 };
const LABELS = { receipts: 394, vds: 395, vdp: 396, inclusion: -1, rfc9162: 1 };

const signer = createTestSigner(1);

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
    'have the same header labels and number of hashes as our receipts: leaf $leafIndex of $size',
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

  it('have a consistency proof with as many hashes as ours', async () => {
    const { from, to, hashes } = CONSISTENCY;
    expect(await proveConsistency({ from, to }, readHashesOf(makeLeaves(to)))).toHaveLength(hashes);
  });
});

type Example = (typeof examples.messages)[number];

const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const signedBytes = ({ protectedBytes, payload }: CoseSign1) =>
  toSigStructure('Signature1', protectedBytes, payload ?? new Uint8Array());

function isSigned(message: CoseSign1, { key: jwk }: Example): boolean {
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const hash = jwk.kty === 'EC' ? 'sha256' : null;
  return verify(hash, signedBytes(message), { key, dsaEncoding: 'ieee-p1363' }, message.signature);
}

describe('the examples of the COSE working group', () => {
  it.each(examples.messages)('give the stated result: $file: $name', (example) => {
    const message = parseCoseSign1(fromHex(example.cbor));
    if (message === undefined) return expect('malformed').toBe(example.result);
    expect(isSigned(message, example) ? 'verified' : 'badSignature').toBe(example.result);
    if (example.result !== 'verified') return;
    expect(Buffer.from(signedBytes(message)).toString('hex')).toBe(example.toBeSigned);
    const { protectedBytes, unprotectedHeader, payload, signature } = message;
    const encoded = toCoseSign1([protectedBytes, unprotectedHeader, payload, signature]);
    expect(Buffer.from(encoded).toString('hex')).toBe(example.cbor);
    expect(Buffer.from(payload ?? []).toString()).toBe('This is the content.');
  });

  it('have an EdDSA message that verifies, but not after a bit of a signed byte is flipped', () => {
    const [example] = examples.messages;
    const bytes = fromHex(example?.cbor ?? '');
    const publicKey = new Uint8Array(Buffer.from(example?.key.x ?? '', 'base64url'));
    const accepts = (changed: Uint8Array) => {
      const message = parseCoseSign1(changed);
      if (message?.protectedHeader.get(COSE.alg) !== EDDSA) return false;
      return verifyEd25519(publicKey, signedBytes(message), message.signature);
    };
    expect(accepts(bytes)).toBe(true);
    const kid = Buffer.from(bytes).indexOf('11');
    const accepted = [...bytes.keys()].filter((at) => {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      return accepts(changed);
    });
    // The header of the key id is unprotected.
    expect(accepted).toEqual([kid - 2, kid, kid + 1]);
  });
});
