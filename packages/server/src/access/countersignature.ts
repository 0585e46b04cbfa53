import { type ActionProof, actionProofHash, type Witness, witnessText } from '@colophon/model';
import type { Signer } from './ed25519.js';

/** An output that the service has received with an action. The countersignature does not cover `at`. */
export interface CountersignedOutput {
  actionId: string;
  entityId: string;
  outputCid: string;
  proof: ActionProof;
  at: Date;
}

/** Signs the extension `ext:witness@1.0.0`. The performer may have signed the action without its outputs. */
export function createCountersignature(signer: Signer, output: CountersignedOutput): Witness {
  const { actionId, entityId, outputCid } = output;
  const statement = { actionId, entityId, outputCid, actionProofHash: actionProofHash(output.proof) };
  return {
    ...statement,
    serverSignature: signer.sign(witnessText(statement)),
    serverPublicKey: signer.publicKeyHex,
    timestamp: output.at.toISOString(),
  };
}
