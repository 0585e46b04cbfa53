import {
  type ActionInput,
  type ContentNames,
  IDENTITY_EXTENSION,
  isVerifiable,
  MAX_TIMESTAMP_LAG_MS,
  type SentProof,
  VERIFICATION_EXTENSION,
  WITNESS_EXTENSION,
} from '@colophon/model';
import {
  type ActionClaim,
  actionCheck,
  decideAction,
  decideRegistration,
  registrationCheck,
} from '../../access/check-proof.js';
import { createCountersignature } from '../../access/countersignature.js';
import type { SignatureVerdict } from '../../access/signatures/protocol.js';
import type { ServiceError } from '../../errors.js';
import type { Proofs, RecordDeps, WarningSubject } from '../deps.js';
import type { AssertedExtensions } from '../draft/draft-records.js';
import { withoutAbsent } from '../draft/draft-records.js';
import { readStoredEntity } from '../read/records.sql.js';
import type { Outcome } from './outcome.js';

export interface Registration {
  entityId: string;
  publicKey: string | undefined;
  registrationSignature: string | undefined;
  at: Date;
}

/** Checks that the caller who sends a public key has the private key. Ignores the key if the entity exists. */
export async function proveNewEntity(
  deps: Pick<RecordDeps, 'proofs' | 'provenance'>,
  projectId: string,
  registration: Registration,
): Promise<AssertedExtensions> {
  if (deps.proofs.policy === 'off' || registration.publicKey === undefined) return {};
  const stored = await readStoredEntity(deps.provenance, projectId, registration.entityId);
  return stored === undefined ? proveRegistration(deps, projectId, registration) : {};
}

/** Does the same as `proveNewEntity`, but does not read the stored entity. */
export async function proveRegistration(
  { proofs }: Pick<RecordDeps, 'proofs'>,
  projectId: string,
  registration: Registration,
): Promise<AssertedExtensions> {
  const needed = registrationCheck({ policy: proofs.policy, ...registration });
  const [verdict] = needed === undefined ? [] : await proofs.checker.check(projectId, [needed]);
  return assertRegistration(proofs, registration, verdict);
}

/** Throws if the policy rejects the registration. */
export function assertRegistration(
  proofs: Proofs,
  registration: Registration,
  verdict: SignatureVerdict | undefined,
): AssertedExtensions {
  const decision = decideRegistration({ policy: proofs.policy, ...registration }, verdict);
  reportDecision(proofs, decision, { entityId: registration.entityId });
  const { identity, refuted } = decision;
  if (refuted !== undefined) return { [VERIFICATION_EXTENSION]: withoutAbsent(refuted) };
  return identity === undefined ? {} : { [IDENTITY_EXTENSION]: { ...identity } };
}

/** `givenKey`: the key that the same request registers for the performer. */
export interface ProvenDraft {
  id: string;
  at: Date;
  action: Pick<ActionInput, 'type' | 'inputCids' | 'outputCids' | 'performedBy'> & {
    proof?: SentProof | undefined;
  };
  asSent: ContentNames;
  givenKey?: string | undefined;
  /** True when the service received the bytes of the outputs. */
  outputsSeen: boolean;
  /** True when the API key is bound to the performer, so no signature is required. */
  byBoundKey?: boolean;
}

/**
 * Verifies the proof of an action. If the action has no proof, checks whether the policy permits this. Throws
 * `Forbidden` when the policy rejects the action.
 */
export async function proveAction(
  { proofs, provenance }: Pick<RecordDeps, 'proofs' | 'provenance'>,
  projectId: string,
  draft: ProvenDraft,
): Promise<AssertedExtensions> {
  if (proofs.policy === 'off') return {};
  const stored = await readStoredEntity(provenance, projectId, draft.action.performedBy);
  const storedKey = stored?.body.publicKey;
  const publicKey = typeof storedKey === 'string' ? storedKey : draft.givenKey;
  const claim = toClaim(proofs, draft, publicKey);
  const needed = actionCheck(claim, MAX_TIMESTAMP_LAG_MS);
  const [verdict] = needed === undefined ? [] : await proofs.checker.check(projectId, [needed]);
  return assertAction(proofs, draft, { claim, verdict });
}

export function toClaim(
  { policy, signer }: Proofs,
  { at, action, asSent, outputsSeen, byBoundKey = false }: Omit<ProvenDraft, 'givenKey'>,
  publicKey: string | undefined,
): ActionClaim {
  const { performedBy, type, inputCids, outputCids, proof } = action;
  return {
    policy,
    proof,
    performer: { id: performedBy, publicKey, byBoundKey },
    action: {
      type,
      asSent,
      canonical: { inputs: inputCids, outputs: outputCids },
      outputsSeen: outputsSeen && signer !== undefined,
    },
    at,
  };
}

/** Throws if the policy rejects the action. */
export function assertAction(
  proofs: Proofs,
  { id, at, action, outputsSeen }: Omit<ProvenDraft, 'givenKey'>,
  { claim, verdict }: { claim: ActionClaim; verdict: SignatureVerdict | undefined },
): AssertedExtensions {
  const { signer } = proofs;
  const { performedBy: entityId, outputCids, proof } = action;
  const decision = decideAction(claim, verdict);
  reportDecision(proofs, decision, { entityId, actionId: id });
  const asserted: AssertedExtensions = {};
  if (decision.verification !== undefined) {
    asserted[VERIFICATION_EXTENSION] = withoutAbsent(decision.verification);
  }
  const [outputCid] = outputCids;
  const isProven = decision.report?.verified === true && proof !== undefined && isVerifiable(proof);
  if (signer !== undefined && isProven && outputCid !== undefined && outputsSeen) {
    const witness = createCountersignature(signer, { actionId: id, entityId, outputCid, proof, at });
    asserted[WITNESS_EXTENSION] = withoutAbsent(witness);
  }
  return asserted;
}

function reportDecision(
  { warn }: Proofs,
  { refusal, warning }: { refusal?: ServiceError; warning?: string },
  facts: WarningSubject,
): void {
  if (refusal !== undefined) throw refusal;
  if (warning !== undefined) warn(warning, facts);
}

/** With the policy `warn`, an unknown input causes only a warning. */
export function applyProofDecision(
  { proofs: { policy, warn } }: Pick<RecordDeps, 'proofs'>,
  outcome: Outcome | undefined,
  facts: WarningSubject,
): Outcome | undefined {
  if (policy !== 'warn' || outcome?.outcome !== 'unknownContent') return outcome;
  warn(`This project has no record of the input ${outcome.cid}.`, facts);
  return undefined;
}
