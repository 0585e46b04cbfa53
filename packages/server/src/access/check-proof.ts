import {
  actionIntentText,
  isEd25519Key,
  isVerifiable,
  type ProofReport,
  type ProvenAction,
  registrationText,
  type SentProof,
} from '@colophon/model';
import { type ErrorExtras, ServiceError } from '../errors.js';
import type { SignatureCheck, SignatureVerdict } from './signatures/protocol.js';

/** `warn`: the service records the result of the check. `enforce`: it rejects wrong and missing proofs. */
export type ProofPolicy = 'off' | 'warn' | 'enforce';

export type Claim = { status: 'verified' | 'unverified' | 'failed' | 'skipped'; detail?: string };

/** The extension `ext:verification@1.0.0`. */
export type Verification = {
  status: 'verified' | 'partial' | 'unverified' | 'skipped';
  claims: { identity: Claim; action: Claim; output: Claim };
  verifiedAt: string;
  policyUsed: ProofPolicy;
};

/** The extension `ext:identity@1.0.0` of an entity that has proved possession of its private key. */
export type KeyOwnership = { method: 'key-ownership'; verifiedAt: string; registrationSignature: string };

export interface ActionClaim {
  policy: ProofPolicy;
  proof: SentProof | undefined;
  /** `publicKey`: registered, or sent. `byBoundKey`: needs no proof, because the API key is bound to the performer. */
  performer: { id: string; publicKey?: string | undefined; byBoundKey?: boolean };
  /** `outputsSeen`: the service has received the bytes of the outputs and signs `ext:witness` for them. */
  action: Omit<ProvenAction, 'entityId'> & { outputsSeen: boolean };
  at: Date;
}

/** With a `refusal`, the service records nothing. `report` is present if the service checked a signature. */
export interface ActionDecision {
  verification?: Verification;
  report?: ProofReport;
  refusal?: ServiceError;
  warning?: string;
}

/** Returns the signature check for `decideAction`, or undefined if none is necessary. */
export function actionCheck(
  { policy, proof, performer, action }: ActionClaim,
  maxLagMs: number,
): SignatureCheck | undefined {
  if (policy === 'off' || proof === undefined || !isVerifiable(proof)) return undefined;
  if (performer.publicKey !== undefined && proof.publicKey !== performer.publicKey) return undefined;
  const { type, asSent, canonical } = action;
  return { kind: 'action', proof, action: { type, entityId: performer.id, asSent, canonical }, maxLagMs };
}

/** `verdict`: the result of the check from `actionCheck`. */
export function decideAction(claim: ActionClaim, verdict: SignatureVerdict | undefined): ActionDecision {
  const { policy, at } = claim;
  if (policy === 'off') return {};
  const report = toReport(verdict);
  const fault = verdict === 'unchecked' ? undefined : faultOf(claim, report);
  if (fault !== undefined && policy === 'enforce') {
    return { refusal: new ServiceError(fault.code, fault.message, fault.extras), ...withReport(report) };
  }
  const claims = verdict === 'unchecked' ? UNCHECKED : claimsOf(claim, report);
  return {
    verification: { status: overallStatus(claims), claims, verifiedAt: at.toISOString(), policyUsed: policy },
    ...withReport(report),
    ...(fault === undefined ? {} : { warning: fault.message }),
  };
}

function toReport(verdict: SignatureVerdict | undefined): ProofReport | undefined {
  if (verdict === undefined || verdict === 'unchecked') return undefined;
  if (!verdict.verified) return { verified: false, reason: 'signatureMismatch' };
  if (!('covers' in verdict)) throw new Error('The verdict is not of an action');
  return verdict;
}

/** An entity that the request creates, or to which it adds a key. */
export interface RegistrationClaim {
  policy: ProofPolicy;
  entityId: string;
  publicKey: string | undefined;
  registrationSignature: string | undefined;
  at: Date;
}

/** The verification of an entity whose registration signature is wrong or was not checked. */
export type RefutedOwnership = Verification & { registrationSignature: string; registrationVerified: false };

/** The service records `identity` as `ext:identity@1.0.0` and `refuted` as `ext:verification@1.0.0`. */
export interface RegistrationDecision {
  identity?: KeyOwnership;
  refuted?: RefutedOwnership;
  refusal?: ServiceError;
  warning?: string;
}

export function registrationCheck({
  policy,
  entityId,
  publicKey,
  registrationSignature: signature,
}: RegistrationClaim): SignatureCheck | undefined {
  if (policy === 'off' || publicKey === undefined || signature === undefined) return undefined;
  if (!isEd25519Key(publicKey)) return undefined;
  return { kind: 'registration', publicKey, text: registrationText(entityId, publicKey), signature };
}

/** Decides whether the caller has proved possession of the private key. */
export function decideRegistration(
  { policy, entityId, publicKey, registrationSignature, at }: RegistrationClaim,
  verdict: SignatureVerdict | undefined,
): RegistrationDecision {
  if (policy === 'off' || publicKey === undefined) return {};
  if (!isEd25519Key(publicKey)) {
    const message = `The public key of entity ${entityId} is not an Ed25519 key. The service verifies only Ed25519 signatures.`;
    return policy === 'enforce'
      ? { refusal: new ServiceError('ValidationError', message, onlyEd25519('publicKey')) }
      : { warning: message };
  }
  const text = registrationText(entityId, publicKey);
  const recovery = `Sign the text \`${text}\` with the key and send the hex as registrationSignature.`;
  if (registrationSignature === undefined || verdict === undefined) {
    const message = `The public key of entity ${entityId} was sent without registrationSignature.`;
    return policy === 'enforce'
      ? { refusal: new ServiceError('Forbidden', message, { recovery }) }
      : { warning: message };
  }
  const isUnchecked = verdict === 'unchecked';
  if (isUnchecked || !verdict.verified) {
    const message = `registrationSignature of entity ${entityId} is wrong: it does not verify with the public key.`;
    // Signatures are unchecked only after too many wrong ones, which already cause the rejection of the batch.
    if (policy === 'enforce')
      return isUnchecked ? {} : { refusal: new ServiceError('Forbidden', message, { recovery }) };
    const identity: Claim = isUnchecked
      ? UNCHECKED.identity
      : { status: 'failed', detail: 'The registration signature does not verify with the public key' };
    const refuted: RefutedOwnership = {
      status: 'unverified',
      claims: { identity, action: NOT_OF_ENTITIES, output: NOT_OF_ENTITIES },
      verifiedAt: at.toISOString(),
      policyUsed: policy,
      ...{ registrationSignature, registrationVerified: false },
    };
    return isUnchecked ? { refuted } : { refuted, warning: message };
  }
  return { identity: { method: 'key-ownership', verifiedAt: at.toISOString(), registrationSignature } };
}

const NOT_OF_ENTITIES: Claim = { status: 'skipped' };

function onlyEd25519(path: string): ErrorExtras {
  return {
    recovery: 'Use an Ed25519 key, as 64 lower-case hex digits.',
    details: [{ path, message: 'Only Ed25519 is supported' }],
  };
}

interface ProofProblem {
  code: 'Forbidden' | 'ValidationError';
  message: string;
  extras: ErrorExtras;
}

/** Returns the reason why `enforce` rejects an action. */
function faultOf(
  { proof, performer, action }: ActionClaim,
  report: ProofReport | undefined,
): ProofProblem | undefined {
  if (proof === undefined) {
    if (performer.publicKey === undefined || performer.byBoundKey) return undefined;
    return {
      code: 'Forbidden',
      message: `Entity ${performer.id} has a registered key, but action.proof is missing.`,
      extras: { recovery: 'Sign the action with the registered key and send action.proof.' },
    };
  }
  if (!isVerifiable(proof)) {
    return { code: 'ValidationError', message: unknownKindOf(proof), extras: onlyEd25519('proof.algorithm') };
  }
  if (report === undefined) {
    return {
      code: 'Forbidden',
      message: `action.proof is by the key ${proof.publicKey}, but entity ${performer.id} has the key ${performer.publicKey}.`,
      extras: { recovery: 'Sign the action with the key that is registered for the entity.' },
    };
  }
  if (report.verified) return undefined;
  const intent = { actionType: action.type, entityId: performer.id, inputs: action.asSent.inputs };
  const timestamp = proof.signedTimestamp ?? proof.timestamp;
  return {
    code: 'Forbidden',
    message:
      'The signature in action.proof is not over the type, performer, inputs and timestamp of this action.',
    extras: {
      recovery:
        'Sign the text in details.signedText. It contains the timestamp of this request; send the same timestamp again.',
      details: { signedText: actionIntentText({ ...intent, timestamp }) },
    },
  };
}

function unknownKindOf({ algorithm }: SentProof): string {
  return `The proof algorithm ${algorithm} is not supported. The service supports only Ed25519.`;
}

const UNCHECKED: Verification['claims'] = {
  identity: unverified('The signature was not checked: too many other signatures of the batch were wrong'),
  action: unverified('The signature was not checked: too many other signatures of the batch were wrong'),
  output: unverified('No proof covers the outputs'),
};

function claimsOf(
  { proof, performer, action }: ActionClaim,
  report: ProofReport | undefined,
): Verification['claims'] {
  if (proof === undefined) return claimsWithoutProof(performer);
  if (report === undefined || !report.verified) {
    const isKnown = isVerifiable(proof);
    const detail =
      report === undefined
        ? 'The proof is by another key than the registered one'
        : 'The signature is not over this action';
    return {
      identity: unverified(
        performer.publicKey === undefined
          ? 'The entity has no registered key, and the action has no valid signature'
          : 'The registered key has not signed this action',
      ),
      action: isKnown ? { status: 'failed', detail } : unverified(unknownKindOf(proof)),
      output: unverified('No proof covers the outputs'),
    };
  }
  return {
    identity:
      performer.publicKey === undefined
        ? unverified('The entity has no registered key: anyone could have created the key in the proof')
        : { status: 'verified', detail: 'Signed by the registered key' },
    action: { status: 'verified', detail: `Ed25519 signature of the ${report.covers} format` },
    output: outputClaim(action, report.covers),
  };
}

function claimsWithoutProof({ publicKey, byBoundKey }: ActionClaim['performer']): Verification['claims'] {
  if (byBoundKey) {
    const unsigned = unverified('The request contains no signature');
    const identity: Claim = { status: 'verified', detail: 'Called with an API key bound to the entity' };
    return { identity, action: unsigned, output: unsigned };
  }
  if (publicKey === undefined) {
    const skipped: Claim = {
      status: 'skipped',
      detail: 'The entity has no registered key and sent no proof',
    };
    return { identity: skipped, action: skipped, output: skipped };
  }
  const absent = unverified('The entity has a registered key, but sent no proof');
  return { identity: absent, action: absent, output: absent };
}

function outputClaim(action: ActionClaim['action'], covers: 'intent' | 'full'): Claim {
  if (covers === 'full') return { status: 'verified', detail: 'The signature covers the outputs' };
  if (action.canonical.outputs.length === 0) return { status: 'skipped', detail: 'No outputs' };
  if (action.outputsSeen) return { status: 'verified', detail: 'Countersigned by the service' };
  return unverified('The signature does not cover the outputs, and the service did not countersign them');
}

/** Follows the ProvenanceKit server: skipped claims do not count. */
function overallStatus(claims: Verification['claims']): Verification['status'] {
  const statuses = Object.values(claims).map(({ status }) => status);
  const counted = statuses.filter((status) => status !== 'skipped');
  if (counted.length === 0) return 'skipped';
  if (counted.every((status) => status === 'verified')) return 'verified';
  return counted.includes('verified') ? 'partial' : 'unverified';
}

function unverified(detail: string): Claim {
  return { status: 'unverified', detail };
}

function withReport(report: ProofReport | undefined): { report?: ProofReport } {
  return report === undefined ? {} : { report };
}
