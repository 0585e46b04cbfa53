import {
  KEY_FAULTS,
  STATEMENT_FAULTS,
  TLOG_PROOF_FAULTS,
  type TrustedLog,
  verifyByKeys,
  verifyStatement,
  verifyTlogProof,
} from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import { formatExplanation } from './explanation.js';
import { print } from './print.js';
import type { StandardFormat } from './standard-format.js';
import { describeKey, type KeySource, notCheckedOf } from './trusted-keys.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { assertQuorum, type CheckpointPolicy, verifyCosigners } from './verify-cosigners.js';

/** A COSE Receipt does not sign the size of the tree, so `maxSize` of a retired key has no effect. */
const RETIRED_SIGNER = 'whether the retired key signed before its hand-over (a statement does not say)';

interface StandardOptions {
  name: string;
  digest?: string | undefined;
  json?: boolean | undefined;
  /** If undefined, the cosignatures of witnesses are not checked. A statement has none. */
  policy?: CheckpointPolicy | undefined;
}

/** Prints the report on a document in a standard format. Throws NotVerifiedError when it or its policy does not verify. */
export function checkStandardFormat(
  { format, bytes }: { format: StandardFormat; bytes: Uint8Array },
  { name, digest, json, policy }: StandardOptions,
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
  const witnesses =
    policy && report.verified ? verifyCosigners(bytes, policy, createVerifySignature()) : undefined;
  const isUnbounded = format === 'statement' && source.keys[key]?.maxSize !== undefined;
  const notChecked = [text.notChecked, ...(isUnbounded ? [RETIRED_SIGNER] : []), ...notCheckedOf(source)];
  const facts = { name, proven: text.proven, signedBy, times: [], untimed: 'no proven time', notChecked };
  const describe = () => (report.verified ? formatExplanation({ ...facts, witnesses }) : `${text.proven}\n`);
  print({ ...report, ...(witnesses === undefined ? {} : { witnesses }) }, { json, describe });
  if (!report.verified) throw new NotVerifiedError(`${name} does not verify: ${report.code}.`);
  if (policy !== undefined && witnesses !== undefined) assertQuorum(name, policy, witnesses);
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
