import {
  type Bundle,
  describeBundle,
  type PublicationSummary,
  type PublishedHistory,
  publicationPath,
} from '@colophon/model';
import { isHidden, type PublishedTerms, toRef } from './published-terms.js';

/** What is known beside the bundle. */
export interface Beside {
  /** The log that proves it; undefined where it cannot be proven. */
  log: PublishedHistory['log'];
  /** Of the bytes, as hex. */
  sha256: string | undefined;
}

/** A history as everybody may read it under these terms. */
export function describeHistory(
  bundle: Bundle,
  terms: PublishedTerms,
  { log, sha256 }: Beside,
): PublishedHistory {
  const described = describeBundle(bundle, {
    withhold: terms.withhold,
    isHidden: (entityId) => isHidden(terms, entityId),
    toRef: (entityId) => toRef(terms, entityId),
  });
  return {
    id: terms.id,
    cid: bundle.cid,
    title: terms.title,
    publishedAt: terms.createdAt.toISOString(),
    expiresAt: terms.expiresAt?.toISOString() ?? null,
    withheld: [...terms.withhold],
    hidden: described.people.filter(({ hidden }) => hidden).length,
    provable: log !== undefined,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(log === undefined ? {} : { log }),
    path: publicationPath(terms.id),
    ...described,
  };
}

/** The same in short. */
export function toSummary(history: PublishedHistory): PublicationSummary {
  const { people: _, steps: __, contents: ___, credits: ____, log: _____, ...summary } = history;
  return summary;
}
