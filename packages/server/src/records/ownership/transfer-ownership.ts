import {
  type ActionProof,
  AUTHORIZATION_EXTENSION,
  fullActionText,
  MAX_TIMESTAMP_LAG_MS,
  OWNERSHIP_TRANSFER_EXTENSION,
  type OwnershipTransferInput,
  type Permission,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import { absent } from '../read/absent.js';
import { readOwner } from '../read/ownership.sql.js';
import { readStoredEntity } from '../read/records.sql.js';
import { type RecordedEvent, readEarlierEvent, recordOwnership, type Who } from './record-ownership.js';

export interface OwnershipTransfer extends Omit<OwnershipTransferInput, 'performedBy'> {
  /** The owner by default. */
  who: Who | undefined;
  cid: string;
  sentCid: string;
  permission: Permission;
}

/**
 * Requires one of three: a proof of the owner that covers the new owner, an API key that is bound to the owner, or the
 * permission `admin`. Without `admin`, an invalid proof of the owner throws `Forbidden` even with a bound key.
 */
export async function transferOwnership(
  deps: RecordDeps,
  projectId: string,
  { who, cid, sentCid, permission, proof, ...said }: OwnershipTransfer,
): Promise<RecordedEvent> {
  const { toEntityId, authorizationRef } = said;
  const earlier = await readEarlierEvent(deps, projectId);
  if (earlier !== undefined) return earlier;
  const owner = await readOwner(deps.provenance, projectId, cid);
  if (owner === undefined) {
    throw absent('content', cid, `There is no resource ${cid} in this project.`);
  }
  const performer = who ?? owner;
  if (performer === null) throw nobodyOwns(cid);
  const options = { owner, cid, sentCid, toEntityId };
  const isByOwner = await authorise(deps, projectId, { ...options, performer, permission, proof });
  return recordOwnership(deps, projectId, {
    type: OWNERSHIP_TRANSFER_EXTENSION,
    who: performer,
    ...{ cid, sentCid, proof },
    said: { fromEntityId: owner ?? UNKNOWN_OWNER, ...said },
    attributed: { role: 'ext:ownership:owner@1.0.0', entityId: toEntityId },
    ownership: {
      ...{ kind: 'transfer', cid, from: owner, to: toEntityId },
      ...(isByOwner && proof !== undefined ? { signature: proof.signature } : {}),
    },
    signedOutputs: [toEntityId],
    asserted: {
      [AUTHORIZATION_EXTENSION]: {
        status: 'authorized',
        authorizedBy: isByOwner && owner !== null ? owner : 'admin-key',
        authorizedAt: new Date().toISOString(),
        ...(authorizationRef === undefined ? {} : { reference: authorizationRef }),
      },
    },
  });
}

/** The value of `fromEntityId` when the former owner is unknown. */
const UNKNOWN_OWNER = 'ent:unclaimed';

interface TransferOptions {
  owner: string | null;
  cid: string;
  sentCid: string;
  toEntityId: string;
}

/** True: the owner authorised the transfer. False: only an admin key did. */
async function authorise(
  deps: RecordDeps,
  projectId: string,
  options: TransferOptions & { performer: Who; permission: Permission; proof: ActionProof | undefined },
): Promise<boolean> {
  const { owner, performer, permission, proof } = options;
  const performerId = typeof performer === 'string' ? performer : performer.id;
  const isOwners = owner !== null && performerId === owner;
  if (isOwners && proof !== undefined) {
    const stored = await readStoredEntity(deps.provenance, projectId, owner);
    if (
      stored?.body.publicKey === proof.publicKey &&
      (await isSigned(deps, projectId, { ...options, owner, proof }))
    )
      return true;
    if (permission !== 'admin') throw notSigned({ ...options, owner, proof });
  }
  if (isOwners && deps.boundKey?.entityId === owner) return true;
  if (permission === 'admin') return false;
  throw new ServiceError(
    'Forbidden',
    'Only the owner or an API key with `admin` can transfer this content.',
    {
      recovery:
        'Send a proof signed with the owner’s registered key, or use an API key that is bound to the owner or has the permission `admin`.',
    },
  );
}

type SignedTransfer = TransferOptions & { owner: string; proof: ActionProof };

/** The signed text must name the new owner as its only output. Without outputs, it would allow any new owner. */
async function isSigned(
  { proofs: { checker } }: RecordDeps,
  projectId: string,
  { owner, cid, sentCid, toEntityId, proof }: SignedTransfer,
): Promise<boolean> {
  const outputs = [toEntityId];
  const action = {
    type: OWNERSHIP_TRANSFER_EXTENSION,
    entityId: owner,
    asSent: { inputs: [sentCid], outputs },
    canonical: { inputs: [cid], outputs },
  };
  const check = { kind: 'action', proof, action, maxLagMs: MAX_TIMESTAMP_LAG_MS } as const;
  const [verdict] = await checker.check(projectId, [check]);
  return typeof verdict === 'object' && 'covers' in verdict && verdict.covers === 'full';
}

function notSigned({ owner, cid, toEntityId, proof }: SignedTransfer): ServiceError {
  const { signedTimestamp, timestamp } = proof;
  const text = {
    actionType: OWNERSHIP_TRANSFER_EXTENSION,
    entityId: owner,
    inputs: [cid],
    outputs: [toEntityId],
  };
  return new ServiceError('Forbidden', 'The proof is not a signature of the owner for this transfer.', {
    recovery: 'Sign the text in details.signedText with the registered key of the owner.',
    details: { signedText: fullActionText({ ...text, timestamp: signedTimestamp ?? timestamp }) },
  });
}

function nobodyOwns(cid: string): ServiceError {
  const message = `The content ${cid} has no known owner, so the request must name the entity that transfers it.`;
  return new ServiceError('ValidationError', message, {
    recovery: 'Send the id of this entity in performedBy.',
    details: [{ path: 'performedBy', message: 'Required when the content has no owner' }],
  });
}
