import { TLOG_PROOF_HEADER, verifyStatement } from '@colophon/model';

/** A transparent statement in COSE, or a C2SP tlog-proof. */
export type StandardFormat = 'statement' | 'tlogProof';

/** The first byte of a tagged COSE_Sign1 message (RFC 9052 §4.2). */
const COSE_SIGN1 = 0xd2;
const PROOF_OPENING = Buffer.from(TLOG_PROOF_HEADER.slice(0, TLOG_PROOF_HEADER.indexOf('@') + 1));

/** Number of bytes that `standardFormatOf` needs. */
export const OPENING_BYTES = PROOF_OPENING.length;

/** Returns undefined for a file with other first bytes. */
export function standardFormatOf(opening: Uint8Array): StandardFormat | undefined {
  if (opening[0] === COSE_SIGN1) return 'statement';
  return PROOF_OPENING.equals(opening.subarray(0, OPENING_BYTES)) ? 'tlogProof' : undefined;
}

/** Whether the bytes are a transparent statement, valid or not. Other content can also begin with `COSE_SIGN1`. */
export function isStatement(bytes: Uint8Array): boolean {
  const report = verifyStatement(bytes, { publicKey: new Uint8Array(32) }, () => false);
  return report.verified || report.code !== 'malformed';
}
