import type { Distribution, DistributionRequest, Policy, Shares } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Options of a distribution. */
export interface DistributionQuery {
  /**
   * The entities that share: those that the content credits, also those of the contents it was made from, or those of
   * its whole history.
   */
  policy?: Policy;
  /** Units to distribute; default: 10,000 (basis points). */
  total?: number;
  /** The weight of each step back relative to the step before, such as `1/2`. */
  decay?: string | number;
  /** The number of actions that `all-ancestors` goes back. */
  depth?: number;
}

/** Shares of the creators of a content, exact to the last unit. */
export interface Distributions {
  /**
   * The shares of the creators of a content, over its history. They sum to `total`, or to 0 without creators. Throws
   * `ApiError`: `NotFound`, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('shared'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.distributions.get(cid)).shares.map(({ entityId, share }) => [entityId, share]); // => [['studio:ann', 10000]]
   */
  get(cid: string, query?: DistributionQuery, options?: CallOptions): Promise<Distribution>;
  /**
   * The shares for weights, or for a bundle, in the request; the call reads and stores nothing. Throws `ApiError`
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
