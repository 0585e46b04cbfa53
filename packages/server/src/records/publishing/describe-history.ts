import {
  type Bundle,
  describeBundle,
  type PublicationSummary,
  type PublishedHistory,
  publicationPath,
} from '@colophon/model';
import { isProvable } from './is-provable.js';
import { isHidden, type PublishedTerms, toRef } from './published-terms.js';

/** How a history is shown to everybody, and what is known beside the bundle. */
export interface PublishedView {
  terms: PublishedTerms;
  /** The log that its records are in; undefined where the service cannot prove anything. */
  log: PublishedHistory['log'];
  /** Of the bytes, as hex. */
  sha256: string | undefined;
  inShort: boolean;
}

/** A history as everybody may read it. */
export function describePublished(
  bundle: Bundle,
  { inShort, ...view }: PublishedView,
): PublishedHistory | PublicationSummary {
  const history = describeHistory(bundle, view);
  return inShort ? toSummary(history) : history;
}

function describeHistory(
  bundle: Bundle,
  { terms, sha256, log: ownLog }: Omit<PublishedView, 'inShort'>,
): PublishedHistory {
  const log = isProvable(bundle, terms) ? ownLog : undefined;
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

function toSummary(history: PublishedHistory): PublicationSummary {
  const { people: _, steps: __, contents: ___, credits: ____, log: _____, ...summary } = history;
  return summary;
}
