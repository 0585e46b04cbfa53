import type { Resource } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** The requested part or form of a content. */
export interface ContentOptions extends CallOptions {
  /** First and last byte, counted from 0; without `end`, up to the last. */
  range?: { start: number; end?: number };
  /** `car`: the blocks of the file as a CARv1, for IPFS. */
  format?: 'car';
}

/** Filters of a list of contents. */
export interface ResourceQuery extends PageQuery {
  /** Type, such as `image`. */
  type?: string;
  /** The entity that made it, by id. */
  creator?: string;
  /** Known from this instant on (RFC 3339). */
  since?: string;
  /** Known before this instant (RFC 3339). */
  until?: string;
  /** Texts that `search.text` finds for this query, the first 50 of them. */
  text?: string;
}

/** A page of contents, newest first. `count`: on this page. */
export interface ResourcePage {
  resources: Resource[];
  count: number;
  nextCursor: string | null;
}

/** Contents: their data, and their bytes. */
export interface Resources {
  /**
   * The data of a content. Throws `ApiError` `NotFound`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a resource'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.resources.get(cid)).state; // => 'claimed'
   */
  get(cid: string, options?: CallOptions): Promise<Resource>;
  /**
   * The bytes of a content. Read them from the answer's body: `await answer.blob()`, or `answer.body` as a stream.
   * `timeoutMs` applies until the body begins; the signal also ends the body.
   *
   * Throws `ApiError`: `NotFound` for unknown content or content without stored bytes, `RangeNotSatisfiable`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('some bytes'), { entity: { id: 'studio:ann', role: 'human' } });
   * await (await colophon.resources.content(cid, { range: { start: 5 } })).text(); // => 'bytes'
   */
  content(cid: string, options?: ContentOptions): Promise<Response>;
  /**
   * One page of contents, newest first. Throws `ApiError` `InvalidField` for a cursor of another list.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a listed text'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { resources } = await colophon.resources.list({ type: 'text', creator: 'studio:ann', text: 'a listed text' });
   * resources[0].cid === cid; // => true
   */
  list(query?: ResourceQuery, options?: CallOptions): Promise<ResourcePage>;
  /**
   * All contents, newest first, page after page.
   *
   * @example
   * const types = new Set();
   * for await (const { type } of colophon.resources.listAll({ type: 'text' })) types.add(type);
   * [...types]; // => ['text']
   */
  listAll(query?: ResourceQuery, options?: CallOptions): AsyncGenerator<Resource, void, undefined>;
}

export function createResources({ ask, open }: Transport): Resources {
  const list: Resources['list'] = (query = {}, options) =>
    ask({ method: 'GET', path: '/v1/resources', query: { ...query } }, options);
  return {
    list,
    listAll: (query = {}, options) =>
      eachOf(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ resources }) => resources,
      ),
    get: (cid, options) => ask({ method: 'GET', path: path`/v1/resource/${cid}` }, options),
    content: (cid, { range, format, ...options } = {}) =>
      open(
        {
          method: 'GET',
          path: path`/v1/resource/${cid}/content`,
          query: { format },
          headers: {
            accept: '*/*',
            ...(range === undefined ? {} : { range: `bytes=${range.start}-${range.end ?? ''}` }),
          },
        },
        options,
      ),
  };
}
