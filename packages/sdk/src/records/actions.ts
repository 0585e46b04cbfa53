import type { Action, ActionRequest, ActionType, Onchain, Receipt } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions, RecordOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** A recorded action. */
export interface ActionAnswer {
  actionId: string;
  action: Action;
  /** Once its anchoring on a chain has begun. */
  onchain?: Onchain;
  /** Where it is preferred. */
  receipt?: Receipt;
}

/** Which actions a list has. */
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

/** What was done. */
export interface Actions {
  /**
   * Records an action on content that is not sent with it; its `outputCids` become resources. `type` is `create` unless
   * given. With an `id` (a UUID) of one's own, the same request again gives the first answer.
   *
   * Throws `ApiError`: `NotFound` for an unknown performer, `Conflict` for an id that another request used or a cycle,
   * `ValidationError`, `Forbidden` for a wrong or missing proof.
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
