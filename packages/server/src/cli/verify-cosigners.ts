import {
  parseWitnessKey,
  type QuorumReport,
  type VerifySignature,
  verifyWitnesses,
  type WitnessPolicy,
} from '@colophon/model';
import { parseJson } from './parse-json.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** Reads `--witness` and `--quorum`. Undefined without both. By default, all named witnesses must have cosigned. */
export function readPolicy({
  witness: texts = [],
  quorum: digits,
}: {
  witness?: readonly string[] | undefined;
  quorum?: string | undefined;
}): WitnessPolicy | undefined {
  if (texts.length === 0 && digits === undefined) return undefined;
  const witnesses = texts.map((text) => {
    const key = parseWitnessKey(text);
    if (key === undefined)
      throw new UsageError(
        `--witness must be <name>+<key id>+<base64>, as \`colophon witness\` prints it, not ${text}.`,
      );
    return key;
  });
  const quorum = digits === undefined ? witnesses.length : Number(digits);
  if (!/^[1-9]\d*$/.test(digits ?? '1') || quorum > witnesses.length)
    throw new UsageError(`--quorum takes 1 to ${witnesses.length}, the number of --witness options.`);
  return { witnesses, quorum };
}

/** Checks the cosignatures of the checkpoint in a receipt or a bundle that verifies. */
export function verifyCosigners(
  document: Uint8Array,
  policy: WitnessPolicy,
  verify: VerifySignature,
): QuorumReport {
  const { log, proof } = Object(parseJson(Buffer.from(document).toString())) as Record<
    'log' | 'proof',
    { checkpoint?: unknown } | undefined
  >;
  return verifyWitnesses(String((proof ?? log)?.checkpoint), policy, verify);
}

/** Describes the witnesses, one a line. */
export function describeCosigners({ cosigned, missing }: QuorumReport): string {
  const lines = [
    ...cosigned.map(
      ({ name, timeSeconds }) =>
        `${name} at ${new Date(Math.min(timeSeconds, 8.64e12) * 1000).toISOString()}`,
    ),
    ...missing.map(({ name, reason }) =>
      reason === 'absent' ? `${name} did not cosign` : `${name}: the cosignature is wrong`,
    ),
  ];
  return lines.map((line) => `witness      ${line}\n`).join('');
}

/** Throws NotVerifiedError when fewer witnesses than the quorum cosigned the checkpoint. */
export function assertQuorum(name: string, { quorum }: WitnessPolicy, report: QuorumReport): void {
  if (report.verified) return;
  throw new NotVerifiedError(
    `${name} does not have the quorum: ${report.cosigned.length} of ${quorum} necessary witnesses cosigned its checkpoint.`,
  );
}
