import type { ActionProof, ProofReport, ProvenAction } from '@colophon/model';

export type SignatureCheck =
  /** Of an action. `maxLagMs`: the search for the signed timestamp goes back this far from the sent one. */
  | { kind: 'action'; proof: ActionProof; action: ProvenAction; maxLagMs: number }
  /** Of a key's registration. Key and signature in hex. */
  | { kind: 'registration'; publicKey: string; text: string; signature: string };

/** The result of a check; `unchecked` once the request has had its allowed number of wrong signatures. */
export type SignatureVerdict = ProofReport | { verified: boolean } | 'unchecked';

/** The checks of one request. They end after `maxFaults` wrong signatures. Projects take turns. */
export interface CheckTask {
  projectId: string;
  checks: readonly SignatureCheck[];
  maxFaults: number;
}

/** `verifications`: the number of verified signatures. A check that searches for the timestamp verifies several. */
export interface CheckedSignature {
  verifications: number;
  verdicts: SignatureVerdict[];
}
