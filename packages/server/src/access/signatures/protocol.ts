import type { ActionProof, ProofReport, ProvenAction } from '@colophon/model';

/** A signature to be checked. */
export type SignatureCheck =
  /** Of an action. `maxLagMs`: how far before the timestamp that was sent a signed one is searched for. */
  | { kind: 'action'; proof: ActionProof; action: ProvenAction; maxLagMs: number }
  /** Of a key's registration. Key and signature in hex. */
  | { kind: 'registration'; publicKey: string; text: string; signature: string };

/** The result of a check; `unchecked` after as many wrong signatures as the caller allowed. */
export type SignatureVerdict = ProofReport | { verified: boolean } | 'unchecked';

/** Checks of one request, which end after `maxFaults` wrong signatures. Projects take turns. */
export interface CheckTask {
  projectId: string;
  checks: readonly SignatureCheck[];
  maxFaults: number;
}

/** `verifications`: how many signatures were verified, several for a check that searches. */
export interface CheckedSignature {
  verifications: number;
  verdicts: SignatureVerdict[];
}
