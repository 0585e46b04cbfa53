import type { Action, ActionRequest, ActionType, Onchain, Receipt } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions, RecordOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** A recorded action. */
export interface ActionAnswer {
  actionId: string;
  action: Action;
  /** Present after the anchoring on a chain has begun. */
  onchain?: Onchain;
  /** Present on request (`prefer`). */
  receipt?: Receipt;
}

/** Filters of a list of actions. */
export interface ActionQuery extends PageQuery {
  type?: ActionType;
  sessionId?: string;
  /** An entity id. */
  performedBy?: string;
  /** Recorded at this instant or later, RFC 3339. */
  since?: string;
  /** Recorded before this instant. */
  until?: string;
}

/** A page of actions, newest first. `count`: on this page. */
export interface ActionPage {
  actions: Action[];
  count: number;
  nextCursor: string | null;
}

/** Actions on content. */
export interface Actions {
  /**
   * Records an action without the bytes of its content; its `outputCids` become resources. The default `type` is
   * `create`. With your own `id` (a UUID), a repetition of the request returns the first answer.
   *
   * Throws `ApiError`: `NotFound` for an unknown performer, `Conflict` for a cycle and for an id that another request
   * used, `ValidationError`, `Forbidden` for a wrong or missing proof.
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
   * One page of actions, newest first. Throws `ApiError` `InvalidField` for a cursor of another list.
   *
   * @example
   * const { actions } = await colophon.actions.list({ sessionId: 'monday' });
   * actions.map(({ sessionId }) => sessionId); // => ['monday']
   */
  list(query?: ActionQuery, options?: CallOptions): Promise<ActionPage>;
  /**
   * All actions, newest first, page after page.
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
