import { OWNERSHIP_CLAIM_EXTENSION, type OwnershipClaimInput } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import { type RecordedEvent, recordOwnership, type Who } from './record-ownership.js';

export interface OwnershipClaim extends Omit<OwnershipClaimInput, 'entityId'> {
  who: Who;
  cid: string;
  sentCid: string;
}

/** The owner of the content does not change. */
export function claimOwnership(
  deps: RecordDeps,
  projectId: string,
  { who, cid, sentCid, proof, ...said }: OwnershipClaim,
): Promise<RecordedEvent> {
  return recordOwnership(deps, projectId, {
    type: OWNERSHIP_CLAIM_EXTENSION,
    ...{ who, cid, sentCid, said, proof },
    attributed: { role: 'ext:ownership:claimant@1.0.0' },
    ownership: { kind: 'claim', cid },
    signedOutputs: [],
    asserted: {},
  });
}
