import type { Attribution, AttributionRequest, AttributionRole, Receipt } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import type { CallOptions, RecordOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** An attribution, and whether this call created it. */
export interface AttributionAnswer {
  id: string;
  created: boolean;
  attribution: Attribution;
  /** Present when the call requested it (`prefer`). */
  receipt?: Receipt;
}

/** Filters of a list of attributions. */
export interface AttributionQuery extends PageQuery {
  actionId?: string;
  entityId?: string;
  resourceCid?: string;
  /** `creator`, `contributor`, `source` or `ext:<ns>`. */
  role?: AttributionRole;
}

/** A page of attributions, newest first. `count` is the number of attributions on this page. */
export interface AttributionPage {
  attributions: Attribution[];
  count: number;
  nextCursor: string | null;
}

/** Roles of entities in actions and for content. */
export interface Attributions {
  /**
   * Records the role of an entity in an action, for a content, or both. A repeated call returns the existing
   * attribution. `weight` is a number of at least 0, or a decimal or fraction as text, such as `'1/3'`.
   *
   * Throws `ApiError`: `NotFound` for an unknown entity or action, `Conflict`, `ValidationError`.
   *
   * @example
   * const { actionId } = await colophon.actions.record({ performedBy: 'studio:ann' });
   * const { attribution } = await colophon.attributions.create({ entityId: 'studio:ann', actionId, role: 'contributor', weight: '1/3' });
   * attribution.weight; // => '1/3'
   */
  create(attribution: AttributionRequest, options?: RecordOptions): Promise<AttributionAnswer>;
  /**
   * Returns one page of attributions, newest first. Throws `ApiError` `InvalidField` for a cursor of another list.
   *
   * @example
   * const { attributions } = await colophon.attributions.list({ entityId: 'studio:ann', limit: 1 });
   * attributions.map(({ entityId }) => entityId); // => ['studio:ann']
   */
  list(query?: AttributionQuery, options?: CallOptions): Promise<AttributionPage>;
  /**
   * Yields all attributions that match the query, newest first. Requests one page at a time.
   *
   * @example
   * const roles = new Set();
   * for await (const { role } of colophon.attributions.listAll({ entityId: 'studio:ann' })) roles.add(role);
   * roles.has('creator'); // => true
   */
  listAll(query?: AttributionQuery, options?: CallOptions): AsyncGenerator<Attribution, void, undefined>;
}

export function createAttributions({ ask }: Transport): Attributions {
  const list: Attributions['list'] = (query = {}, options) =>
    ask({ method: 'GET', path: '/v1/attributions', query: { ...query } }, options);
  return {
    create: (json, options) => ask({ method: 'POST', path: '/v1/attribution', json }, options),
    list,
    listAll: (query = {}, options) =>
      eachOf(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ attributions }) => attributions,
      ),
  };
}
