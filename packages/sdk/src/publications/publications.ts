import type { Publication, PublicationRequest } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Which publications a list has. */
export interface PublicationQuery extends PageQuery {
  /** Those of this content alone, under its canonical CID. */
  cid?: string;
}

/** A page of publications, newest first. `count`: on this page. */
export interface PublicationPage {
  publications: Publication[];
  count: number;
  nextCursor: string | null;
}

/** What the project lets everybody read; needs a key with the permission `write`. */
export interface Publications {
  /**
   * Lets everybody who knows the new id read the history of a content. Unless `withhold` says otherwise, wallets, metadata,
   * notes, prompts and details are left out; entities of `hiddenEntities` are shown under a pseudonym alone.
   *
   * Throws `ApiError`: `NotFound` for a content or hidden entity that is not there, `ValidationError`, `Forbidden`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('shown'), { entity: { id: 'studio:ann', role: 'human' } });
   * const made = await colophon.publications.create({ cid, title: 'Shown', withhold: ['names'] });
   * made.withhold; // => ['names', 'details']
   */
  create(publication: PublicationRequest, options?: CallOptions): Promise<Publication>;
  /**
   * Ends a publication, as often as it is asked for. Throws `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * const { publications } = await colophon.publications.list({ limit: 1 });
   * typeof (await colophon.publications.revoke(publications[0].id)).revokedAt; // => 'string'
   */
  revoke(id: string, options?: CallOptions): Promise<Publication>;
  /**
   * One page of publications, newest first, revoked and expired ones too.
   *
   * @example
   * (await colophon.publications.list({ limit: 1 })).count; // => 1
   */
  list(query?: PublicationQuery, options?: CallOptions): Promise<PublicationPage>;
  /**
   * All publications, newest first, page after page.
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
    list,
    listAll: (query = {}, options) =>
      eachOf(
        query,
        (page) => list({ ...query, ...page }, options),
        ({ publications }) => publications,
      ),
  };
}
