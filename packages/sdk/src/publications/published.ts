import type { DetectorState, PublicationSummary, PublicCheck, PublishedHistory } from '@colophon/model';
import type { BundleAnswer, BundleQuery } from '../records/histories.js';
import { path, type Query } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Options of a published proof. `proofVersion`: as for a bundle. */
export type PublishedProofOptions = CallOptions & Pick<BundleQuery, 'proofVersion'>;

/** Public data. The calls need no key. */
export interface Published {
  /**
   * Returns a published history. Throws `ApiError` `NotFound` for a publication that does not exist, is expired or is
   * revoked.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('seen'), { entity: { role: 'human', name: 'Cy' } });
   * const { id } = await colophon.publications.create({ cid });
   * (await colophon.published.history(id)).facts.makers; // => [{ role: 'human', name: 'Cy' }]
   */
  history(id: string, options?: CallOptions): Promise<PublishedHistory>;
  /**
   * Returns the summary of a published history. Throws `ApiError` `NotFound`.
   *
   * @example
   * const { publications } = await colophon.publications.list({ limit: 1 });
   * (await colophon.published.summary(publications[0].id)).facts.steps; // => 1
   */
  summary(id: string, options?: CallOptions): Promise<PublicationSummary>;
  /**
   * Returns the proof of a published history, for `verifyBundle`. The proof contains commitments instead of withheld
   * data. Throws `ApiError` `NotFound`, also when the history is not `provable`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('proven in public'), { entity: { role: 'human', name: 'Bo' } });
   * const { id } = await colophon.publications.create({ cid, withhold: ['names'] });
   * (await colophon.published.proof(id)).entities[0].name; // => undefined
   */
  proof(id: string, options?: PublishedProofOptions): Promise<BundleAnswer>;
  /**
   * Searches the projects that allow public checks for a content, and returns the public data of the content. A call
   * searches at most 1,000 projects. The response contains no names of entities. Its only texts from users are the
   * names of AI tools, the types of the content, and the titles of publications.
   *
   * @example
   * (await colophon.published.check(`sha256:${'00'.repeat(32)}`)).known; // => false
   */
  check(cid: string, options?: CallOptions): Promise<PublicCheck>;
  /**
   * Returns whether the service has a public detector (`client.detect`), and its limits.
   *
   * @example
   * (await colophon.published.detector()).isAvailable; // => true
   */
  detector(options?: CallOptions): Promise<DetectorState>;
}

export function createPublished({ ask }: Transport): Published {
  const read = <Answer>(place: string, options?: CallOptions, query: Query = {}) =>
    ask<Answer>({ method: 'GET', path: `/app/api/public/${place}`, query }, options);
  return {
    history: (id, options) => read(path`${id}`, options),
    summary: (id, options) => read(path`${id}/summary`, options),
    proof: (id, { proofVersion, ...options } = {}) => read(path`${id}/proof`, options, { proofVersion }),
    check: (cid, options) => read('check', options, { cid }),
    detector: (options) => read('detector', options),
  };
}
