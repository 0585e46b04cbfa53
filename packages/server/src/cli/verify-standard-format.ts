import {
  KEY_FAULTS,
  STATEMENT_FAULTS,
  type StatementReport,
  TLOG_PROOF_FAULTS,
  type TlogProofReport,
  verifyByKeys,
  verifyStatement,
  verifyTlogProof,
} from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import type { Verified } from './explain-document.js';
import { formatExplanation } from './explanation.js';
import { print } from './print.js';
import type { StandardFormat } from './standard-format.js';
import { describeKey, type KeySource, notCheckedOf } from './trusted-keys.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { assertQuorum, type CheckpointPolicy, verifyCosigners } from './verify-cosigners.js';

/** The signature of a COSE Receipt does not cover the size of the tree, so `maxSize` cannot be checked. */
const RETIRED_SIGNER = 'whether the retired key signed before its hand-over (a statement does not show this)';

type StandardReport = StatementReport | TlogProofReport;

const FAULTS: Record<StandardFormat, Record<string, string>> = {
  statement: { ...STATEMENT_FAULTS, ...KEY_FAULTS },
  tlogProof: { ...TLOG_PROOF_FAULTS, ...KEY_FAULTS },
};

interface StandardOptions {
  name: string;
  digest?: string | undefined;
  json?: boolean | undefined;
  /** If undefined, the cosignatures of witnesses are not checked. */
  policy?: CheckpointPolicy | undefined;
}

/** Throws NotVerifiedError if the document does not verify or does not fulfil the policy. */
export function checkStandardFormat(
  { format, bytes }: { format: StandardFormat; bytes: Uint8Array },
  { name, digest, json, policy }: StandardOptions,
  source: KeySource,
): void {
  const { report, key } = verifyByKeys(source.keys, (trusted): StandardReport => {
    const verify = createVerifySignature();
    if (format === 'statement') return verifyStatement(bytes, trusted, verify);
    return verifyTlogProof(Buffer.from(bytes).toString(), { digest: requireDigest(digest), trusted, verify });
  });
  const signedBy = describeKey(source, key, report.verified ? report.origin : undefined);
  const witnesses = policy && report.verified ? verifyCosigners(bytes, policy) : undefined;
  const isUnbounded = format === 'statement' && source.keys[key]?.maxSize !== undefined;
  const describe = () => {
    if (!report.verified) return `${FAULTS[format][report.code]}\n`;
    const { proven, open } = 'kind' in report ? readStatement(report) : readTlogProof(report);
    const notChecked = [open, ...(isUnbounded ? [RETIRED_SIGNER] : []), ...notCheckedOf(source)];
    const untimed = 'no proven time';
    return formatExplanation({ name, proven, signedBy, times: [], untimed, notChecked, witnesses });
  };
  print({ ...report, ...(witnesses === undefined ? {} : { witnesses }) }, { json, describe });
  if (!report.verified) throw new NotVerifiedError(`${name} does not verify: ${report.code}.`);
  if (policy !== undefined && witnesses !== undefined) assertQuorum(name, policy, witnesses);
}

function requireDigest(digest: string | undefined): string {
  if (digest !== undefined) return digest;
  throw new UsageError(
    'A tlog-proof does not contain its record. Give its digest: --digest sha256:<64 hex digits>.',
  );
}

function readStatement({ kind, id, digest, origin }: Verified<StatementReport>) {
  return {
    proven: `the ${kind} ${id} (${digest}), as the statement shows it, is in the log ${origin}`,
    open: 'the values of personal fields (the statement has commitments)',
  };
}

function readTlogProof({ digest, leafIndex, size, origin }: Verified<TlogProofReport>) {
  return {
    proven: `the record with the digest ${digest} is leaf ${leafIndex} of ${size} of the log ${origin}`,
    open: 'the record itself (compute its digest)',
  };
}
