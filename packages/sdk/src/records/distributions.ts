import type { Distribution, DistributionRequest, Policy, Shares } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** How shares are made. */
export interface DistributionQuery {
  /** Who shares: those whom the content credits, those of what it was made from too, or those of its whole history. */
  policy?: Policy;
  /** Units to share out; 10,000 (basis points) unless given. */
  total?: number;
  /** What each step back weighs beside the one before, such as `1/2`. */
  decay?: string | number;
  /** How many actions back `all-ancestors` looks. */
  depth?: number;
}

/** Shares of those who made a content, exact to the last unit. */
export interface Distributions {
  /**
   * The shares of those who made a content, over its history; they sum to `total`, or to 0 when there is nobody.
   * Throws `ApiError`: `NotFound`, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('shared'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.distributions.get(cid)).shares.map(({ entityId, share }) => [entityId, share]); // => [['studio:ann', 10000]]
   */
  get(cid: string, query?: DistributionQuery, options?: CallOptions): Promise<Distribution>;
  /**
   * The shares by weights, or over a bundle, that the request brings; nothing is read or stored. Throws `ApiError`
   * `ValidationError`.
   *
   * @example
   * const weights = ['a', 'b', 'c'].map((entityId) => ({ entityId, weight: 1 }));
   * (await colophon.distributions.preview({ weights })).shares.map(({ share }) => share); // => [3334, 3333, 3333]
   */
  preview(request: DistributionRequest, options?: CallOptions): Promise<Distribution | Shares>;
}

export function createDistributions({ ask }: Transport): Distributions {
  return {
    get: (cid, query = {}, options) =>
      ask({ method: 'GET', path: path`/v1/distribution/${cid}`, query: { ...query } }, options),
    preview: (json, options) =>
      ask({ method: 'POST', path: '/v1/distribution/preview', json, repetition: 'harmless' }, options),
  };
}
