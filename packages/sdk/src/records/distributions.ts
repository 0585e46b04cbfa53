import type { Distribution, DistributionRequest, Policy, Shares } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Options of a distribution. */
export interface DistributionQuery {
  /**
   * The contents that count. `direct` (default): the content alone. `parents`: also the contents that it was made from.
   * `all-ancestors`: all contents in its history.
   */
  policy?: Policy;
  /** Number of units to distribute; default: 10,000 (basis points). */
  total?: number;
  /** Factor of the weight of a content for each action between it and the requested content, for example `1/2`. */
  decay?: string | number;
  /** The maximum number of actions that `all-ancestors` goes back. */
  depth?: number;
}

/** Shares of the entities that a content credits. They are exact integers. */
export interface Distributions {
  /**
   * Returns the shares of the entities that a content and its history credit. The shares sum to `total`, or to 0
   * when nobody is credited. Throws `ApiError`: `NotFound`, `InvalidField`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('shared'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.distributions.get(cid)).shares.map(({ entityId, share }) => [entityId, share]); // => [['studio:ann', 10000]]
   */
  get(cid: string, query?: DistributionQuery, options?: CallOptions): Promise<Distribution>;
  /**
   * Returns the shares for the weights or the bundle in the request. The service reads no records and stores
   * nothing. Throws `ApiError` `ValidationError`.
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
