import type {
  Ownership,
  OwnershipClaimRequest,
  OwnershipEvent,
  OwnershipTransferRequest,
} from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions, RecordOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Ownership of content. */
export interface Ownerships {
  /**
   * Returns the owner of a content, and the claims and transfers of ownership, oldest first. Throws `ApiError`
   * `NotFound`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('owned'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.ownerships.get(cid)).currentOwner.id; // => 'studio:ann'
   */
  get(cid: string, options?: CallOptions): Promise<Ownership>;
  /**
   * Records a claim to own a content. The service does not check the claim, and the owner does not change.
   *
   * Throws `ApiError`: `NotFound`, `Forbidden`, `ValidationError`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('claimed'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { attribution } = await colophon.ownerships.claim(cid, { entityId: 'studio:ann', evidenceType: 'self-declaration' });
   * attribution.role; // => 'ext:ownership:claimant@1.0.0'
   */
  claim(cid: string, claim: OwnershipClaimRequest, options?: RecordOptions): Promise<OwnershipEvent>;
  /**
   * Makes another entity the owner of a content. The call needs a `proof` of the owner (see `signTransfer`), an API key
   * that is bound to the owner, or an API key with the permission `admin`.
   *
   * Throws `ApiError`: `Forbidden`, `NotFound`, `Conflict` when the owner changed during the call, `ValidationError`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('sold'), { entity: { id: 'studio:ann', role: 'human' } });
   * await colophon.entities.create({ id: 'gallery', role: 'organization' });
   * await colophon.ownerships.transfer(cid, { toEntityId: 'gallery', transferType: 'voluntary' });
   * (await colophon.ownerships.get(cid)).currentOwner.id; // => 'gallery'
   */
  transfer(cid: string, transfer: OwnershipTransferRequest, options?: RecordOptions): Promise<OwnershipEvent>;
}

export function createOwnerships({ ask }: Transport): Ownerships {
  return {
    get: (cid, options) => ask({ method: 'GET', path: path`/v1/resource/${cid}/ownership` }, options),
    claim: (cid, json, options) =>
      ask({ method: 'POST', path: path`/v1/resource/${cid}/ownership/claim`, json }, options),
    transfer: (cid, json, options) =>
      ask({ method: 'POST', path: path`/v1/resource/${cid}/ownership/transfer`, json }, options),
  };
}
