import type { ContentTitle, OwnAiLevel, TitledResource, TitlePatch } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** The requested range or format of a content. */
export interface ContentOptions extends CallOptions {
  /** Index of the first and the last byte, from 0. Without `end`, the range ends with the content. */
  range?: { start: number; end?: number };
  /** `car`: the blocks of the file as a CARv1, for IPFS. */
  format?: 'car';
}

/** Filters of a list of contents. */
export interface ResourceQuery extends PageQuery {
  /** For example `image`. */
  type?: string;
  /** Id of the entity that made the content first, as in `createdBy`. */
  creator?: string;
  /**
   * Id of a maker: the performer of an action that made the content. Corrected actions do not count, but their
   * corrections do. For a marked copy, the makers of its original count.
   */
  maker?: string;
  /** Earliest time of recording (included), RFC 3339. */
  since?: string;
  /** Latest time of recording (excluded), RFC 3339. */
  until?: string;
  /** A text. The list contains only contents among the first 50 results of `search.text` for this text. */
  text?: string;
  /** Up to five words of the title, or the beginnings of these words. Case and accents are ignored. */
  title?: string;
  /** The AI tool, as in the member `tool` of a content. */
  tool?: string;
  /** The AI level that the records of the content itself state. */
  ai?: OwnAiLevel;
  /** A media type, or a family such as `image/*`. */
  mimeType?: string;
}

/** A page of contents, newest first. `count` is the number of contents on this page. */
export interface ResourcePage {
  resources: TitledResource[];
  count: number;
  nextCursor: string | null;
}

/** Recorded contents and their bytes. */
export interface Resources {
  /**
   * Returns the data of a content. Throws `ApiError` `NotFound`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a resource'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.resources.get(cid)).state; // => 'claimed'
   */
  get(cid: string, options?: CallOptions): Promise<TitledResource>;
  /**
   * Sets the title of a content, or removes it (null). No record changes. A title has 1 to 200 characters in one line.
   * Throws `ApiError`: `NotFound`, `ValidationError`, `Forbidden` for a key that is bound to an entity that does not
   * own this content.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a named text'), { entity: { id: 'studio:ann', role: 'human' } });
   * await colophon.resources.update(cid, { title: 'Draft of the song' });
   * (await colophon.resources.get(cid)).title; // => 'Draft of the song'
   */
  update(cid: string, patch: TitlePatch, options?: CallOptions): Promise<ContentTitle>;
  /**
   * Returns the titles of contents, by the given CIDs. Content without a title is left out. Sends one request per 500
   * CIDs, one after the other.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('sung'), { entity: { id: 'studio:ann', role: 'human' }, title: 'Song' });
   * (await colophon.resources.titles([cid]))[cid]; // => 'Song'
   */
  titles(cids: readonly string[], options?: CallOptions): Promise<Record<string, string>>;
  /**
   * Returns the bytes of a content as a Response. Read its body with `await response.blob()`, or as the stream
   * `response.body`. `timeoutMs` applies until the body begins; `signal` can also cancel the body.
   *
   * Throws `ApiError`: `NotFound` for unknown content or content without stored bytes, `RangeNotSatisfiable`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('some bytes'), { entity: { id: 'studio:ann', role: 'human' } });
   * await (await colophon.resources.content(cid, { range: { start: 5 } })).text(); // => 'bytes'
   */
  content(cid: string, options?: ContentOptions): Promise<Response>;
  /**
   * Returns the thumbnail of a content as a Response: a small WebP picture, or the first lines of a text. The service
   * makes it at the first call. Throws `ApiError` `NotFound` for content without a thumbnail or without stored bytes.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('first line'), { entity: { id: 'studio:ann', role: 'human' } });
   * await (await colophon.resources.thumbnail(cid)).text(); // => 'first line'
   */
  thumbnail(cid: string, options?: CallOptions): Promise<Response>;
  /**
   * Returns one page of contents, newest first. Throws `ApiError` `InvalidField` for a cursor of another list.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a listed text'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { resources } = await colophon.resources.list({ type: 'text', creator: 'studio:ann', text: 'a listed text' });
   * resources[0].cid === cid; // => true
   */
  list(query?: ResourceQuery, options?: CallOptions): Promise<ResourcePage>;
  /**
   * Yields all contents that match the query, newest first. Requests one page at a time.
   *
   * @example
   * const types = new Set();
   * for await (const { type } of colophon.resources.listAll({ type: 'text' })) types.add(type);
   * [...types]; // => ['text']
   */
  listAll(query?: ResourceQuery, options?: CallOptions): AsyncGenerator<TitledResource, void, undefined>;
}

/** Limit of the service for one request. */
const MAX_TITLES = 500;

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
    thumbnail: (cid, options) => open({ method: 'GET', path: path`/v1/resource/${cid}/thumbnail` }, options),
    update: (cid, json, options) =>
      ask({ method: 'PATCH', path: path`/v1/resource/${cid}`, json, repetition: 'harmless' }, options),
    async titles(cids, options) {
      const titles: Record<string, string> = {};
      for (let start = 0; start < cids.length; start += MAX_TITLES) {
        const json = { cids: cids.slice(start, start + MAX_TITLES) };
        const page = await ask<{ titles: Record<string, string> }>(
          { method: 'POST', path: '/v1/titles', json, repetition: 'harmless' },
          options,
        );
        Object.assign(titles, page.titles);
      }
      return titles;
    },
    content: (cid, { range, format, ...options } = {}) =>
      open(
        {
          method: 'GET',
          path: path`/v1/resource/${cid}/content`,
          query: { format },
          headers: { accept: '*/*', ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }) },
        },
        options,
      ),
  };
}
