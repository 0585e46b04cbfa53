import type { Publication, PublicationRequest } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Filters of a list of publications. */
export interface PublicationQuery extends PageQuery {
  /** Canonical CID of a content; selects only the publications of this content. */
  cid?: string;
}

/** A page of publications, newest first. `count` is the number of publications on this page. */
export interface PublicationPage {
  publications: Publication[];
  count: number;
  nextCursor: string | null;
}

/** The public histories of a project. All calls need a key with the permission `write`. */
export interface Publications {
  /**
   * Publishes the history of a content. Everybody with the id of the publication can read the history. By default,
   * `withhold` leaves out wallets, metadata, notes, prompts and details. If `withhold` has any item, the service adds
   * `details`, because extensions are among the details and can repeat the data of every other item. `license: true`
   * shows the terms of licences even if `withhold` contains `details`. Entities in `hiddenEntities` appear only under a
   * pseudonym.
   *
   * Throws `ApiError`: `NotFound` for an unknown content or hidden entity, `ValidationError`, `Forbidden`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('shown'), { entity: { id: 'studio:ann', role: 'human' } });
   * const made = await colophon.publications.create({ cid, title: 'Shown', withhold: ['names'] });
   * made.withhold; // => ['names', 'details']
   */
  create(publication: PublicationRequest, options?: CallOptions): Promise<Publication>;
  /**
   * Ends a publication. The call can be repeated safely. Throws `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * const { publications } = await colophon.publications.list({ limit: 1 });
   * typeof (await colophon.publications.revoke(publications[0].id)).revokedAt; // => 'string'
   */
  revoke(id: string, options?: CallOptions): Promise<Publication>;
  /**
   * Restores a publication that was revoked at most a minute ago. Its link stays the same. The call can be repeated
   * safely. Throws `ApiError`: `NotFound`, `Forbidden`, and `Conflict` after more than a minute.
   *
   * @example
   * const { publications } = await colophon.publications.list({ limit: 1 });
   * (await colophon.publications.restore(publications[0].id)).revokedAt; // => null
   */
  restore(id: string, options?: CallOptions): Promise<Publication>;
  /**
   * Returns one page of publications, newest first, including revoked and expired ones.
   *
   * @example
   * (await colophon.publications.list({ limit: 1 })).count; // => 1
   */
  list(query?: PublicationQuery, options?: CallOptions): Promise<PublicationPage>;
  /**
   * Yields all publications that match the query, newest first. Requests one page at a time.
   *
   * @example
   * const titles = [];
   * for await (const { title } of colophon.publications.listAll()) titles.push(title);
   * titles.includes('Shown'); // => true
   */
  listAll(query?: PublicationQuery, options?: CallOptions): AsyncGenerator<Publication, void, undefined>;
}

export function createPublications({ ask }: Transport): Publications {
  const list: Publications['list'] = (query = {}, options) =>
    ask({ method: 'GET', path: '/v1/publications', query: { ...query } }, options);
  return {
    create: (json, options) => ask({ method: 'POST', path: '/v1/publications', json }, options),
    revoke: (id, options) =>
      ask({ method: 'DELETE', path: path`/v1/publications/${id}`, repetition: 'harmless' }, options),
    restore: (id, options) =>
      ask({ method: 'POST', path: path`/v1/publications/${id}/restore`, repetition: 'harmless' }, options),
    list,
    listAll: (query = {}, options) =>
      eachOf(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ publications }) => publications,
      ),
  };
}
