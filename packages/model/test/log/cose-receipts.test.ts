import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { COSE, EDDSA, toCoseSign1, toSigStructure } from '../../src/log/cose.js';
import { type CoseSign1, parseCbor, parseCoseSign1 } from '../../src/log/parse-cose.js';
import { INCLUSION_PROOFS, RFC9162_SHA256 } from '../../src/log/receipt-formats.js';
import { leafHash } from '../../src/log/tree-hash.js';
import { inclusionRoot } from '../../src/log/verify-proofs.js';
import { verifyEd25519 } from '../../src/proofs/ed25519.js';
import vectors from '../vectors/cose-receipts.json' with { type: 'json' };

type Vector = (typeof vectors.messages)[number];

const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function parse(hex: string): CoseSign1 {
  const message = parseCoseSign1(fromHex(hex));
  if (message === undefined) throw new Error('not COSE_Sign1');
  return message;
}

function isSigned(
  { protectedHeader, protectedBytes, signature }: CoseSign1,
  payload: Uint8Array,
  key: string,
) {
  const bytes = toSigStructure('Signature1', protectedBytes, payload);
  return protectedHeader.get(COSE.alg) === EDDSA && verifyEd25519(fromHex(key), bytes, signature);
}

function readProof({ unprotectedHeader }: CoseSign1) {
  const proofs = unprotectedHeader.get(COSE.vdp) as Map<number, Uint8Array[]>;
  const [proof = new Uint8Array()] = proofs.get(INCLUSION_PROOFS) ?? [];
  return parseCbor(proof) as [number, number, Uint8Array[]];
}

function rootOf({ statement }: Vector, receipt: CoseSign1): Uint8Array {
  const [size, leafIndex, path] = readProof(receipt);
  // The entry of this log is the SHA-256 of the statement.
  const digest = `sha256:${createHash('sha256').update(fromHex(statement)).digest('hex')}`;
  return inclusionRoot({ leafIndex, leafHash: leafHash(digest), path }, size) ?? new Uint8Array();
}

/** RFC 9942 shortens its examples; these messages are complete. */
describe('the COSE Receipts of another implementation', () => {
  it.each(vectors.messages)('have the stated validity: $file', (vector) => {
    const { statement, receipt: hex, isStatementSigned, isReceiptValid, issuerKey, logKey } = vector;
    const signed = parse(statement);
    expect(isSigned(signed, signed.payload ?? new Uint8Array(), issuerKey)).toBe(isStatementSigned);
    const receipt = parse(hex);
    expect(receipt.payload).toBeNull();
    const isSupported = receipt.protectedHeader.get(COSE.vds) === RFC9162_SHA256;
    expect(isSupported && isSigned(receipt, rootOf(vector, receipt), logKey)).toBe(isReceiptValid);
  });

  it.each(vectors.messages)('have the stated entry, proof and root: $file', (vector) => {
    const receipt = parse(vector.receipt);
    const [size, leafIndex, path] = readProof(receipt);
    expect([size, leafIndex, path.map(toHex)]).toEqual([vector.size, vector.leafIndex, vector.path]);
    expect(createHash('sha256').update(fromHex(vector.statement)).digest('hex')).toBe(vector.leafEntry);
    expect(vector.isReceiptValid ? toHex(rootOf(vector, receipt)) : null).toBe(vector.root);
  });

  it.each(vectors.messages)('equal our own encoding: $file', ({ statement, receipt: receiptHex }) => {
    for (const hex of [statement, receiptHex]) {
      const { protectedBytes, unprotectedHeader, payload, signature } = parse(hex);
      expect(toHex(toCoseSign1([protectedBytes, unprotectedHeader, payload, signature]))).toBe(hex);
    }
  });
});
