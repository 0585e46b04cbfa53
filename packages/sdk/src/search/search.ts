import type { ContentIscc, GivenVector, IsccSearchResult, SearchResult } from '@colophon/model';
import { toReading } from '../media/media.js';
import { path } from '../transport/address.js';
import type { CallOptions, UploadOptions } from '../transport/call-options.js';
import type { Content } from '../transport/content.js';
import type { Transport } from '../transport/transport.js';

/** Limits of a search. */
export interface SearchQuery {
  /** Maximum number of matches, 1 to 50; default: 10. */
  limit?: number;
}

/** Options of a search by file. */
export interface FileSearchQuery extends SearchQuery {
  /** With `bundle`, the response also has the history of the first match. */
  include?: 'bundle';
}

/** A search by text. `minScore` is from 0 to 1; default: 0. */
export interface TextSearch extends SearchQuery {
  text: string;
  minScore?: number;
}

/** A vector that a model of the caller computed for a content. Vectors of different models cannot be compared. */
export interface ModelVector {
  model: string;
  vector: readonly number[];
}

/** A search by vector. `minScore` is from 0 to 1; default: 0. */
export interface VectorSearch extends SearchQuery, ModelVector {
  minScore?: number;
}

/** A search by ISCC: an ISCC-CODE, a Content-Code or an Instance-Code. */
export interface IsccSearch extends SearchQuery {
  code: string;
}

/** Search for recorded content that equals or resembles given content. */
export interface Search {
  /**
   * Finds recorded content with the same bytes as a file. If the file is an edited version of recorded content, also
   * finds this content. The service stores nothing. `verdict` is `exact` (the same bytes), `auto` (certainly the same
   * content), `review` (a person must check the match) or `no-match`.
   *
   * Throws `ApiError`: `PayloadTooLarge`, `Unsupported`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('to be found'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { verdict, matches } = await colophon.search.file(new TextEncoder().encode('to be found'));
   * [verdict, matches[0].cid === cid]; // => ['exact', true]
   */
  file(file: Content, query?: FileSearchQuery, options?: UploadOptions): Promise<SearchResult>;
  /**
   * Finds recorded texts with a similar meaning, if the service has an embedding provider. Without a provider, finds
   * the identical text (`verdict` is `exact`), then the texts with the most words in common.
   *
   * Throws `ApiError`: `EmbeddingFailed`, `ValidationError`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a ballad'), { entity: { id: 'studio:ann', role: 'human' } });
   * const { matches } = await colophon.search.text({ text: 'a ballad' });
   * matches[0].cid === cid; // => true
   */
  text(query: TextSearch, options?: CallOptions): Promise<SearchResult>;
  /**
   * Stores a vector that a model of the caller computed for recorded content. The vector replaces an earlier vector of
   * the same model for this content.
   *
   * Throws `ApiError`: `NotFound`, `ValidationError` (for example when other vectors of the model have another
   * length).
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('seen by a model'), { entity: { id: 'studio:ann', role: 'human' } });
   * await colophon.search.giveVector(cid, { model: 'mine', vector: [0.6, 0.8] });
   * const { matches } = await colophon.search.vector({ model: 'mine', vector: [0.6, 0.8] });
   * matches[0].cid === cid; // => true
   */
  giveVector(cid: string, given: ModelVector, options?: CallOptions): Promise<GivenVector>;
  /**
   * Finds recorded content with the nearest vectors of the same model.
   *
   * Throws `ApiError` `ValidationError`.
   *
   * @example
   * (await colophon.search.vector({ model: 'unseen', vector: [1, 0] })).verdict; // => 'no-match'
   */
  vector(query: VectorSearch, options?: CallOptions): Promise<SearchResult>;
  /**
   * Finds other recorded content: edited versions of a content, and the original of this content. Throws `ApiError`
   * `NotFound`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('like no other'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.search.similar(cid)).verdict; // => 'no-match'
   */
  similar(cid: string, query?: SearchQuery, options?: CallOptions): Promise<SearchResult>;
  /**
   * Finds recorded content with the same Instance-Code (`verdict` is `exact`), or with a Content-Code that differs in
   * at most 5/32 of its bits (`review`). ISCC is for the exchange with other systems. To decide whether two contents
   * are the same, use `file`. Throws `ApiError` `InvalidField` for text that is not an ISCC.
   *
   * @example
   * (await colophon.search.iscc({ code: 'ISCC:EIAQAAAAAAAAAAAA' })).verdict; // => 'no-match'
   */
  iscc(query: IsccSearch, options?: CallOptions): Promise<IsccSearchResult>;
  /**
   * Returns the ISCC of recorded content. The ISCC is null until the service has computed it. Throws `ApiError`
   * `NotFound`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('to be coded'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.search.isccOf(cid)).cid === cid; // => true
   */
  isccOf(cid: string, options?: CallOptions): Promise<ContentIscc>;
}

export function createSearch({ ask }: Transport): Search {
  return {
    file: (content, query, options) => {
      const [reading, given] = toReading('/v1/search/file', content, options);
      return ask({ ...reading, query: { ...query } }, given);
    },
    text: (json, options) =>
      ask({ method: 'POST', path: '/v1/search/text', json, repetition: 'harmless' }, options),
    giveVector: (cid, json, options) =>
      ask({ method: 'POST', path: path`/v1/resource/${cid}/vector`, json, repetition: 'harmless' }, options),
    vector: (json, options) =>
      ask({ method: 'POST', path: '/v1/search/vector', json, repetition: 'harmless' }, options),
    similar: (cid, query = {}, options) =>
      ask({ method: 'GET', path: path`/v1/similar/${cid}`, query: { ...query } }, options),
    iscc: (query, options) => ask({ method: 'GET', path: '/v1/search/iscc', query: { ...query } }, options),
    isccOf: (cid, options) => ask({ method: 'GET', path: path`/v1/resource/${cid}/iscc` }, options),
  };
}
