import { bytesToHex } from '@noble/hashes/utils.js';
import type { VerifySignature } from '../proofs/signature.js';
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.js';
import { type CosignatureVerifiers, toVerifiers } from './cosignature.js';
import { verifySignedNote } from './signed-note.js';
import type { TlogPolicy } from './tlog-policy.js';
import { type Cosigner, findCosigners, type MissingCosigner } from './verify-witnesses.js';

/** The codes of a checkpoint that a policy file refuses, with their meanings. */
export const CHECKPOINT_POLICY_FAULTS = {
  malformedCheckpoint: 'The checkpoint is not a signed note with an origin, a size and a root.',
  untrustedLog: 'No log of the policy signed the checkpoint.',
  badSignature: "The signature of the policy's log is wrong.",
  belowQuorum: 'The witnesses that cosigned the checkpoint do not reach the quorum of the policy.',
} as const;

/** A code of a checkpoint that a policy file refuses. */
export type CheckpointPolicyFault = keyof typeof CHECKPOINT_POLICY_FAULTS;

/** The result of the check of a checkpoint against a policy file. */
export type PolicyReport =
  | { verified: true; cosigned: Cosigner[]; missing: MissingCosigner[] }
  | { verified: false; code: CheckpointPolicyFault; cosigned: Cosigner[]; missing: MissingCosigner[] };

/**
 * Whether the checkpoint in this signed note fulfils the policy (C2SP tlog-policy): a log of the policy signed the
 * checkpoint, and the witnesses of the policy reach its quorum. A policy without logs accepts every log. In this case,
 * verify the log's signature first. Without a function for ML-DSA-44, cosignatures with ML-DSA-44 do not count
 * (`notChecked`). Never throws for the content.
 *
 * @example
 * const policy = { logs: [], witnesses: [], groups: [], quorum: undefined };
 * verifyPolicy('words', policy, () => true); // => { verified: false, code: 'malformedCheckpoint', cosigned: [], missing: [] }
 */
export function verifyPolicy(
  checkpointNote: string,
  policy: TlogPolicy,
  verify: VerifySignature | CosignatureVerifiers,
): PolicyReport {
  const checkpoint = parseCheckpoint(checkpointNote);
  if (checkpoint === undefined)
    return { verified: false, code: 'malformedCheckpoint', cosigned: [], missing: [] };
  const keys = policy.witnesses.map(({ key }) => key);
  const { found, counted } = findCosigners(checkpoint.note, keys, verify);
  const code =
    findLogFault(checkpoint, policy, toVerifiers(verify).ed25519) ?? findQuorumFault(policy, counted);
  return code === undefined ? { verified: true, ...found } : { verified: false, code, ...found };
}

function findLogFault(
  { origin, note }: SignedCheckpoint,
  { logs }: TlogPolicy,
  verify: VerifySignature,
): 'untrustedLog' | 'badSignature' | undefined {
  if (logs.length === 0) return undefined;
  const reports = logs
    .filter(({ name }) => name === origin)
    .map((log) => verifySignedNote(note, log, verify));
  if (reports.some(({ verified }) => verified)) return undefined;
  const isWrong = reports.some((report) => !report.verified && report.reason === 'badSignature');
  return isWrong ? 'badSignature' : 'untrustedLog';
}

/**
 * `counted`: public keys of the cosigners in hex, because two keys can have the same name and key id. The members of a
 * group are defined before it, so one pass evaluates all groups.
 */
function findQuorumFault(
  { witnesses, groups, quorum }: TlogPolicy,
  counted: ReadonlySet<string>,
): 'belowQuorum' | undefined {
  const cosigners = witnesses.filter(({ key }) => counted.has(bytesToHex(key.publicKey)));
  const reached = new Set(cosigners.map(({ name }) => name));
  for (const { name, threshold, members } of groups)
    if (members.filter((member) => reached.has(member)).length >= threshold) reached.add(name);
  return quorum === undefined || reached.has(quorum) ? undefined : 'belowQuorum';
}
