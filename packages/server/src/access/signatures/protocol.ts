import type { KeyObject } from 'node:crypto';
import type { ActionProof, ProofReport, ProvenAction } from '@colophon/model';

export type SignatureCheck =
  /** The check searches for the signed timestamp, up to `maxLagMs` milliseconds before the proof's `timestamp`. */
  | { kind: 'action'; proof: ActionProof; action: ProvenAction; maxLagMs: number }
  /** Key and signature are in hex. */
  | { kind: 'registration'; publicKey: string; text: string; signature: string };

/** `unchecked`: the request already had `maxFaults` wrong signatures. */
export type SignatureVerdict = ProofReport | { verified: boolean } | 'unchecked';

/** The thread stops checking after `maxFaults` wrong signatures. */
export interface CheckTask {
  projectId: string;
  checks: readonly SignatureCheck[];
  maxFaults: number;
}

/** The reply transfers the buffer of `bytes` back to the sender. */
export interface SigningTask {
  projectId: string;
  key: KeyObject;
  bytes: Uint8Array;
}

/** One check can need several verifications. */
export interface CheckedSignature {
  verifications: number;
  verdicts: SignatureVerdict[];
}
