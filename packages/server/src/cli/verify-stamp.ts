import { readFile } from 'node:fs/promises';
import {
  type BundleReport,
  type LogKey,
  type ReceiptReport,
  TIMESTAMP_FAULTS,
  type TimestampReport,
  type TimestampTerms,
  type VerifyToken,
  verifyTimestamp,
} from '@colophon/model';
import { NotVerifiedError, UsageError } from './usage.js';

export interface Stamp {
  document: Uint8Array;
  verifyToken: VerifyToken;
}

/** Returns undefined without `--timestamp` and `--tsa-ca`. Throws UsageError when only one of them is absent. */
export async function readStampOptions({
  timestamp,
  'tsa-ca': authorities,
}: {
  timestamp?: string | undefined;
  'tsa-ca'?: string | undefined;
}): Promise<Stamp | undefined> {
  if (timestamp === undefined && authorities === undefined) return undefined;
  if (timestamp === undefined || authorities === undefined)
    throw new UsageError('Use --timestamp (the time-stamp) and --tsa-ca (the trusted authorities) together.');
  const { createVerifyToken, parseCertificates } = await import('../anchors/timestamps/verify-token.js');
  const [document, pem] = await Promise.all([readFile(timestamp), readFile(authorities, 'utf8')]);
  return {
    document,
    verifyToken: createVerifyToken(openCertificates(authorities, () => parseCertificates(pem))),
  };
}

function openCertificates<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new UsageError(
      `--tsa-ca takes a file with certificates in PEM. ${file} has none, or an invalid one.`,
    );
  }
}

/** Tries all keys, because the log may have changed its key between the time-stamp and the receipt. */
export async function verifyStamp(
  { document, verifyToken }: Stamp,
  report: ReceiptReport | BundleReport,
  { keys, verify }: { keys: readonly LogKey[]; verify: TimestampTerms['verify'] },
): Promise<TimestampReport | undefined> {
  if (!report.verified) return undefined;
  if ('cid' in report) throw new UsageError('Use --timestamp with a receipt. A bundle has many records.');
  let best: TimestampReport | undefined;
  for (const trusted of keys) {
    const found = await verifyTimestamp(document, { trusted, verify, digest: report.digest, verifyToken });
    if (found.verified) return found;
    if (best === undefined || found.code !== 'untrustedKey') best = found;
  }
  return best;
}

export function describeStamp(report: TimestampReport): string {
  return report.verified
    ? `${report.time} by ${report.authority}, over a tree of ${report.size} leaves`
    : TIMESTAMP_FAULTS[report.code];
}

export function assertStamped(name: string, report: TimestampReport): void {
  if (!report.verified)
    throw new NotVerifiedError(`The time-stamp of ${name} does not verify: ${report.code}.`);
}
