import { type Anchor, type Onchain, toBase64 } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { mayProve } from '../transparency-log/former-name.js';
import { readLoggedRecord } from '../transparency-log/log.sql.js';
import { proveLeaf } from '../transparency-log/prove.js';
import { type LeafAnchor, readLeafAnchor } from './anchors.sql.js';

export interface AnchoredLeaf {
  /** The anchored state of the log. An anchor of a single action has no head. */
  head: { size: number; origin: string } | undefined;
  anchor: Anchor;
}

/** Returns undefined until a block contains the anchor. */
export async function readAnchoredLeaf(
  db: Queryable,
  projectId: string,
  leafIndex: number,
): Promise<AnchoredLeaf | undefined> {
  const found = await readLeafAnchor(db, projectId, leafIndex);
  if (found === undefined) return undefined;
  const { size, origin, chainId, chainName, contractAddress, txHash, blockNumber, logIndex } = found;
  const heads = headsOf(found);
  const root = toBase64(Buffer.from(found.rootHex, 'hex'));
  return {
    head: heads === undefined ? undefined : { size, origin },
    anchor: {
      root,
      ...(heads === undefined ? {} : { heads }),
      chainId,
      chainName,
      contractAddress,
      txHash,
      blockNumber,
      logIndex,
    },
  };
}

function headsOf({ place, path, heads }: LeafAnchor): Anchor['heads'] {
  return place === null || path === null || heads === null ? undefined : { index: place, size: heads, path };
}

/**
 * Returns the proof that the anchor of an action includes this action. Returns undefined until a block contains the
 * anchor. Also returns undefined if the service cannot make the proof: it has no signer, or `mayProve` returns false.
 */
export async function readOnchainProof(
  deps: TransparencyLogDeps,
  projectId: string,
  { actionId, signal }: { actionId: string; signal?: AbortSignal },
): Promise<Onchain['proof']> {
  if (deps.signer === undefined) return undefined;
  const named = { kind: 'action', id: actionId } as const;
  const record = await readLoggedRecord(deps.provenance, projectId, named);
  if (record === undefined) return undefined;
  const { leafIndex, size, origin } = record;
  const anchored = await readAnchoredLeaf(deps.provenance, projectId, leafIndex);
  if (anchored === undefined) return undefined;
  const { head, anchor } = anchored;
  if (!(await mayProve(deps, { projectId, present: origin }, head))) return undefined;
  const log = await proveLeaf(deps, projectId, { leafIndex, size, origin, ...head, signal });
  return { root: anchor.root, ...(anchor.heads === undefined ? {} : { heads: anchor.heads }), log };
}
