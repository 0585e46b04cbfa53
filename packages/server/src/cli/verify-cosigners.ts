import { readFile } from 'node:fs/promises';
import {
  CHECKPOINT_POLICY_FAULTS,
  type CosignatureFault,
  POLICY_FAULTS,
  type PolicyReport,
  parseCheckpoint,
  parsePolicy,
  parseWitnessKey,
  type QuorumReport,
  type TlogPolicy,
  verifyPolicy,
  verifyWitnesses,
  type WitnessPolicy,
} from '@colophon/model';
import { createCosignatureVerifiers, explainMissingMlDsa } from '../access/ml-dsa.js';
import { explainWitnessKey, readWitnessKey } from '../config/witness-key.js';
import { parseJson } from './parse-json.js';
import { standardFormatOf } from './standard-format.js';
import type { KeySource } from './trusted-keys.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** The policy of `--witness` and `--quorum`, or of the file of `--policy`. */
export type CheckpointPolicy = WitnessPolicy | TlogPolicy;

interface PolicyOptions {
  witness?: readonly string[] | undefined;
  quorum?: string | undefined;
  policy?: string | undefined;
}

/** Returns undefined if none of these options is set. */
export async function openPolicy({
  policy: file,
  ...options
}: PolicyOptions): Promise<CheckpointPolicy | undefined> {
  if (file === undefined) return readPolicy(options);
  if (options.witness !== undefined || options.quorum !== undefined)
    throw new UsageError('--policy names the witnesses and the quorum. Leave out --witness and --quorum.');
  const parsed = parsePolicy(await readFile(file));
  if ('policy' in parsed) return parsed.policy;
  const place = parsed.line === undefined ? '' : `, line ${parsed.line}`;
  throw new UsageError(
    `${file}${place}: ${parsed.fault}. ${POLICY_FAULTS[parsed.fault]} --policy takes a file in the format C2SP tlog-policy.`,
  );
}

/** Returns undefined if the policy does not have the log of this document. */
export function findPolicyKey(
  policy: CheckpointPolicy | undefined,
  document: Uint8Array,
): KeySource | undefined {
  if (policy === undefined || !('logs' in policy)) return undefined;
  const origin = parseCheckpoint(checkpointOf(document))?.origin;
  const keys = policy.logs.filter(({ name }) => name === origin);
  return keys.length === 0 ? undefined : { keys, from: 'given with --policy' };
}

/** Without `--quorum`, all witnesses must have cosigned. */
function readPolicy({
  witness: texts = [],
  quorum: digits,
}: Omit<PolicyOptions, 'policy'>): WitnessPolicy | undefined {
  if (texts.length === 0 && digits === undefined) return undefined;
  const witnesses = texts.map((text) => {
    const key = readWitnessKey(text);
    if (key === undefined)
      throw new UsageError(`--witness ${shorten(text)} ${explainWitnessKey(text)}.${hintFor(text)}`);
    return key;
  });
  // Witnesses with the same public key count once.
  const most = new Set(witnesses.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).size;
  const quorum = digits === undefined ? most : Number(digits);
  if (!/^[1-9]\d*$/.test(digits ?? '1') || quorum > most)
    throw new UsageError(`--quorum takes 1 to ${most}, the number of --witness options with different keys.`);
  return { witnesses, quorum };
}

/** The result is empty for a key in the right form, which was refused for another reason. */
const hintFor = (text: string) =>
  parseWitnessKey(text) === undefined
    ? ' Pass <name>+<key id>+<base64>, as `colophon witness` prints it.'
    : '';

const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}...` : text);

/** Verify the document first. */
export function verifyCosigners(document: Uint8Array, policy: CheckpointPolicy): QuorumReport | PolicyReport {
  const verify = createCosignatureVerifiers();
  const checkpoint = checkpointOf(document);
  return 'logs' in policy
    ? verifyPolicy(checkpoint, policy, verify)
    : verifyWitnesses(checkpoint, policy, verify);
}

function checkpointOf(document: Uint8Array): string {
  const text = Buffer.from(document).toString();
  // A tlog-proof ends with its checkpoint, after the first empty line.
  if (standardFormatOf(document) === 'tlogProof') return text.slice(text.indexOf('\n\n') + 2);
  const { log, proof } = Object(parseJson(text)) as Record<
    'log' | 'proof',
    { checkpoint?: unknown } | undefined
  >;
  return String((proof ?? log)?.checkpoint);
}

/** The text after the name of a witness without a valid cosignature. */
const REASONS: Record<CosignatureFault, () => string> = {
  absent: () => ' did not cosign',
  badSignature: () => ': the cosignature is wrong',
  notChecked: () => `: the cosignature is not checked. ${explainMissingMlDsa()}`,
};

/** Returns one line for each witness. */
export function describeCosigners({ cosigned, missing }: QuorumReport | PolicyReport): string[] {
  const lines = [
    ...cosigned.map(({ name, timeSeconds }) =>
      timeSeconds === 0 ? `${name} without a time` : `${name} at ${toTime(timeSeconds)}`,
    ),
    ...missing.map(({ name, reason }) => `${name}${REASONS[reason]()}`),
  ];
  return lines.map((line) => `witness      ${line}`);
}

/** Limits the time to the latest possible `Date`, because a witness can state any time. */
export function toTime(timeSeconds: number): string {
  return new Date(Math.min(timeSeconds, 8.64e12) * 1000).toISOString();
}

export function assertQuorum(
  name: string,
  policy: CheckpointPolicy,
  report: QuorumReport | PolicyReport,
): void {
  if (report.verified) return;
  const unchecked = report.missing.filter(({ reason }) => reason === 'notChecked').length;
  const why = unchecked === 0 ? '' : ` Cosignatures not checked: ${unchecked}. ${explainMissingMlDsa()}.`;
  if ('logs' in policy)
    throw new NotVerifiedError(
      `${name} does not fulfil the policy: ${report.code}. ${CHECKPOINT_POLICY_FAULTS[report.code]}${why}`,
    );
  throw new NotVerifiedError(
    `${name} does not have the quorum: ${report.cosigned.length} of ${policy.quorum} required witnesses cosigned its checkpoint.${why}`,
  );
}
