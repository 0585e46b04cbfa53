import { OWNERSHIP_CLAIM_EXTENSION, type OwnershipClaimInput } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import { type RecordedEvent, recordOwnership, type Who } from './record-ownership.js';

/** A claim to content, and who makes it. */
export interface OwnershipClaim extends Omit<OwnershipClaimInput, 'entityId'> {
  who: Who;
  cid: string;
  sentCid: string;
}

/** Records that somebody claims to own content. Its owner stays who it is. */
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
