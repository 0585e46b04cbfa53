import type { KeyObject } from 'node:crypto';
import type { ActionProof, ProofReport, ProvenAction } from '@colophon/model';

export type SignatureCheck =
  /**
   * The signed timestamp may be up to `maxLagMs` milliseconds earlier than the `timestamp` of the proof. The check
   * searches for the signed timestamp.
   */
  | { kind: 'action'; proof: ActionProof; action: ProvenAction; maxLagMs: number }
  /** Key and signature are in hex. */
  | { kind: 'registration'; publicKey: string; text: string; signature: string };

/** `unchecked`: the request already had `maxFaults` wrong signatures. */
export type SignatureVerdict = ProofReport | { verified: boolean } | 'unchecked';

/** Some checks of one request. The thread stops checking after `maxFaults` wrong signatures. */
export interface CheckTask {
  projectId: string;
  checks: readonly SignatureCheck[];
  maxFaults: number;
}

/**
 * Bytes to sign with an Ed25519 key. With its reply, the thread transfers the buffer of the bytes back to the sender.
 * So the buffer does not stay in the memory of the thread.
 */
export interface SigningTask {
  projectId: string;
  key: KeyObject;
  bytes: Uint8Array;
}

/** One check can verify the signature several times, while it searches for the signed timestamp. */
export interface CheckedSignature {
  verifications: number;
  verdicts: SignatureVerdict[];
}
