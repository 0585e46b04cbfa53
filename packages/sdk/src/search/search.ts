import type { GivenVector, SearchResult } from '@colophon/model';
import { nameOf } from '../file-name.js';
import { path } from '../transport/address.js';
import type { CallOptions, UploadOptions } from '../transport/call-options.js';
import type { Content } from '../transport/content.js';
import type { Transport } from '../transport/transport.js';

/** How much of what is found is answered. */
export interface SearchQuery {
  /** Most matches, 1 to 50; 10 unless given. */
  limit?: number;
}

/** The same, of a file. */
export interface FileSearchQuery extends SearchQuery {
  /** `bundle`: the history of the first match too. */
  include?: 'bundle';
}

/** What a text is looked for with. `minScore`: 0 to 1; 0 unless given. */
export interface TextSearch extends SearchQuery {
  text: string;
  minScore?: number;
}

/** Numbers that a model of the caller made of a content; vectors of two models do not compare. */
export interface ModelVector {
  model: string;
  vector: readonly number[];
}

/** What a vector is looked for with. `minScore`: 0 to 1; 0 unless given. */
export interface VectorSearch extends SearchQuery, ModelVector {
  minScore?: number;
}

/** Content that comes back, the same or altered. */
export interface Search {
  /**
   * Which recorded content a file is, or was made from by an edit; nothing is stored. `verdict`: `exact` (the same
   * bytes), `auto` (the same content beyond reasonable doubt), `review` (for a person to look at) or `no-match`.
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
   * Recorded texts that mean what this one says, where the service has an embedding provider. Without one: the text of
   * these very words (`verdict` is `exact`), then texts with the most words in common.
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
   * Keeps a vector of recorded content, made by a model of the caller; it replaces the same model's earlier one.
   *
   * Throws `ApiError`: `NotFound`, `ValidationError` (among others when the model's vectors have another length).
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('seen by a model'), { entity: { id: 'studio:ann', role: 'human' } });
   * await colophon.search.giveVector(cid, { model: 'mine', vector: [0.6, 0.8] });
   * const { matches } = await colophon.search.vector({ model: 'mine', vector: [0.6, 0.8] });
   * matches[0].cid === cid; // => true
   */
  giveVector(cid: string, given: ModelVector, options?: CallOptions): Promise<GivenVector>;
  /**
   * Recorded content whose vectors by the same model are nearest to this one.
   *
   * Throws `ApiError` `ValidationError`.
   *
   * @example
   * (await colophon.search.vector({ model: 'unseen', vector: [1, 0] })).verdict; // => 'no-match'
   */
  vector(query: VectorSearch, options?: CallOptions): Promise<SearchResult>;
  /**
   * Other recorded content that a content was made from, or that was made from it, by an edit. Throws `ApiError`
   * `NotFound`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('like no other'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.search.similar(cid)).verdict; // => 'no-match'
   */
  similar(cid: string, query?: SearchQuery, options?: CallOptions): Promise<SearchResult>;
}

export function createSearch({ ask }: Transport): Search {
  return {
    file: (content, query = {}, options = {}) => {
      const form = { files: [{ name: 'file', fileName: nameOf(content, options), content }] };
      return ask(
        { method: 'POST', path: '/v1/search/file', query: { ...query }, form, repetition: 'harmless' },
        options,
      );
    },
    text: (json, options) =>
      ask({ method: 'POST', path: '/v1/search/text', json, repetition: 'harmless' }, options),
    giveVector: (cid, json, options) =>
      ask({ method: 'POST', path: path`/v1/resource/${cid}/vector`, json, repetition: 'harmless' }, options),
    vector: (json, options) =>
      ask({ method: 'POST', path: '/v1/search/vector', json, repetition: 'harmless' }, options),
    similar: (cid, query = {}, options) =>
      ask({ method: 'GET', path: path`/v1/similar/${cid}`, query: { ...query } }, options),
  };
}
