import {
  KEY_FAULTS,
  STATEMENT_FAULTS,
  TLOG_PROOF_FAULTS,
  TLOG_PROOF_HEADER,
  type TrustedLog,
  verifyByKeys,
  verifyStatement,
  verifyTlogProof,
} from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import { print } from './print.js';
import { describeKey, type KeySource } from './trusted-keys.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** A format of a receipt besides JSON: a transparent statement in COSE, or a C2SP tlog-proof. */
export type StandardFormat = 'statement' | 'tlogProof';

/** The first byte of a tagged COSE_Sign1 message (RFC 9052 §4.2). */
const COSE_SIGN1 = 0xd2;
const PROOF_OPENING = Buffer.from(TLOG_PROOF_HEADER.slice(0, TLOG_PROOF_HEADER.indexOf('@') + 1));

/** Number of bytes that `standardFormatOf` needs. */
export const OPENING_BYTES = PROOF_OPENING.length;

/** Returns the format of a file by its first bytes; undefined for a file that cannot have either format. */
export function standardFormatOf(opening: Uint8Array): StandardFormat | undefined {
  if (opening[0] === COSE_SIGN1) return 'statement';
  return PROOF_OPENING.equals(opening.subarray(0, OPENING_BYTES)) ? 'tlogProof' : undefined;
}

/** Whether the bytes are a transparent statement, valid or not, and not content that begins with the same byte. */
export function isStatement(bytes: Uint8Array): boolean {
  const report = verifyStatement(bytes, { publicKey: new Uint8Array(32) }, () => false);
  return report.verified || report.code !== 'malformed';
}

/** Part of the report that holds for each format. */
export const SPLIT_VIEW = 'whether the log shows everybody the same tree (compare checkpoints)';

interface StandardOptions {
  name: string;
  digest?: string | undefined;
  json?: boolean | undefined;
}

/** Prints the report on a document in a standard format. Throws NotVerifiedError when it does not verify. */
export function checkStandardFormat(
  { format, bytes }: { format: StandardFormat; bytes: Uint8Array },
  { name, digest, json }: StandardOptions,
  source: KeySource,
): void {
  let text = { proven: '', notChecked: '' };
  const { report, key } = verifyByKeys(source.keys, (trusted) => {
    const read =
      format === 'statement' ? readStatement(bytes, trusted) : readTlogProof(bytes, { digest, trusted });
    text = read.text;
    return read.report;
  });
  if (!report.verified && report.code === 'retiredKey')
    throw new NotVerifiedError(`retiredKey. ${KEY_FAULTS.retiredKey}`);
  const signedBy = describeKey(source, key, report.verified ? report.origin : undefined);
  const describe = () =>
    report.verified
      ? `${name} holds.\nproven       ${text.proven}\nsigned by    ${signedBy}\n` +
        `as of        no proven time\nnot checked  ${text.notChecked}; ${SPLIT_VIEW}\n`
      : `${text.proven}\n`;
  print(report, { json, describe });
  if (!report.verified) throw new NotVerifiedError(`${name} does not hold: ${report.code}.`);
}

function readStatement(bytes: Uint8Array, trusted: TrustedLog) {
  const report = verifyStatement(bytes, trusted, createVerifySignature());
  const proven = report.verified
    ? `the ${report.kind} ${report.id} (${report.digest}), as the statement shows it, is in the log ${report.origin}`
    : STATEMENT_FAULTS[report.code];
  return {
    report,
    text: { proven, notChecked: 'the values of personal fields (the statement has commitments)' },
  };
}

function readTlogProof(
  bytes: Uint8Array,
  { digest, trusted }: { digest: string | undefined; trusted: TrustedLog },
) {
  if (digest === undefined)
    throw new UsageError(
      'A tlog-proof does not contain its record. Give its digest: --digest sha256:<64 hex digits>.',
    );
  const text = Buffer.from(bytes).toString('utf8');
  const report = verifyTlogProof(text, { digest, trusted, verify: createVerifySignature() });
  const proven = report.verified
    ? `the record with the digest ${digest} is leaf ${report.leafIndex} of ${report.size} of the log ${report.origin}`
    : TLOG_PROOF_FAULTS[report.code];
  return { report, text: { proven, notChecked: 'the record itself (compute its digest)' } };
}
