import type { Action, ActionRequest, ActionType, Onchain, Receipt } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions, RecordOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** A recorded action. */
export interface ActionAnswer {
  actionId: string;
  action: Action;
  /** Present after the service began to anchor the action on a blockchain. */
  onchain?: Onchain;
  /** Present when the call requested it (`prefer`). */
  receipt?: Receipt;
}

/** Filters of a list of actions. */
export interface ActionQuery extends PageQuery {
  type?: ActionType;
  sessionId?: string;
  /** An entity id. */
  performedBy?: string;
  /** Earliest time of recording (included), RFC 3339. */
  since?: string;
  /** Latest time of recording (excluded), RFC 3339. */
  until?: string;
}

/** A page of actions, newest first. `count` is the number of actions on this page. */
export interface ActionPage {
  actions: Action[];
  count: number;
  nextCursor: string | null;
}

/** Actions on content. */
export interface Actions {
  /**
   * Records an action without the bytes of its content. The contents in `outputCids` become resources. The default
   * `type` is `create`. With your own `id` (a UUID), a repeated request gets the response of the first request.
   *
   * Throws `ApiError`: `NotFound` for an unknown performer, `Conflict` for a cycle or when a different request used the
   * same `id`, `ValidationError` for an invalid body, `Forbidden` for a wrong or missing proof.
   *
   * @example
   * const { action } = await colophon.actions.record({ type: 'transform', performedBy: 'studio:ann', outputCids: [`sha256:${'ab'.repeat(32)}`], sessionId: 'monday' });
   * action.type; // => 'transform'
   * const { receipt } = await colophon.actions.record({ performedBy: 'studio:ann' }, { prefer: { receipt: true } });
   * receipt.record.kind; // => 'action'
   */
  record(action: ActionRequest, options?: RecordOptions): Promise<ActionAnswer>;
  /**
   * Reads an action. Throws `ApiError` `NotFound`.
   *
   * @example
   * const { actionId } = await colophon.actions.record({ performedBy: 'studio:ann' });
   * (await colophon.actions.get(actionId)).performedBy; // => 'studio:ann'
   */
  get(id: string, options?: CallOptions): Promise<Action>;
  /**
   * Returns one page of actions, newest first. Throws `ApiError` `InvalidField` for a cursor of another list.
   *
   * @example
   * const { actions } = await colophon.actions.list({ sessionId: 'monday' });
   * actions.map(({ sessionId }) => sessionId); // => ['monday']
   */
  list(query?: ActionQuery, options?: CallOptions): Promise<ActionPage>;
  /**
   * Yields all actions that match the query, newest first. Requests one page at a time.
   *
   * @example
   * let count = 0;
   * for await (const action of colophon.actions.listAll({ performedBy: 'studio:ann', limit: 1 })) count += action.id ? 1 : 0;
   * count > 1; // => true
   */
  listAll(query?: ActionQuery, options?: CallOptions): AsyncGenerator<Action, void, undefined>;
}

export function createActions({ ask }: Transport): Actions {
  const list: Actions['list'] = (query = {}, options) =>
    ask({ method: 'GET', path: '/v1/actions', query: { ...query } }, options);
  return {
    record: (json, options) => ask({ method: 'POST', path: '/v1/action', json }, options),
    get: (id, options) => ask({ method: 'GET', path: path`/v1/action/${id}` }, options),
    list,
    listAll: (query = {}, options) =>
      eachOf(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ actions }) => actions,
      ),
  };
}
