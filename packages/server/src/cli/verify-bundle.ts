import { BUNDLE_FAULTS, type BundleReport, type TrustedLog, verifyBundle } from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import { print } from './print.js';
import { NotVerifiedError } from './usage.js';

/** Whether the JSON of a file is a proven bundle, or claims to be one. */
export function isProvenBundle(value: unknown): boolean {
  const { proof, actions } = Object(value) as { proof?: unknown; actions?: unknown };
  return typeof proof === 'object' && Array.isArray(actions);
}

/** Verifies a proven bundle offline. Throws NotVerifiedError when it does not verify. */
export function checkBundle(
  bundle: unknown,
  { trusted, json, name }: { trusted: TrustedLog; json: boolean | undefined; name: string },
): void {
  const report = verifyBundle(bundle, trusted, createVerifySignature());
  print(report, { json, describe: () => describe(name, report) });
  if (!report.verified) throw new NotVerifiedError(`${name} does not hold: ${report.code}.`);
}

function describe(name: string, report: BundleReport): string {
  if (!report.verified) return `${BUNDLE_FAULTS[report.code]}\n`;
  const { cid, origin, records, size, complete, coveredLeaves } = report;
  const whole = complete
    ? `No action is left out, of those among its first ${coveredLeaves} leaves.\n`
    : 'It was cut: other actions may belong to this history.\n';
  return (
    `${name} holds: its ${records} records, as they stand there, are in the log.\n${whole}` +
    `content ${cid}\nlog     ${origin}\nleaves  ${size}\n`
  );
}
