import {
  type Bundle,
  describeBundle,
  type PublicationSummary,
  type PublishedHistory,
  publicationPath,
} from '@colophon/model';
import { isProvable } from './is-provable.js';
import { isHidden, type PublicationSettings, toRef } from './published-terms.js';

export interface PublishedView {
  options: PublicationSettings;
  /** The log that holds the records. Undefined when the service has no key to sign proofs. */
  log: PublishedHistory['log'];
  /** SHA-256 of the content, as hex. */
  sha256: string | undefined;
  /** Titles by CID. Empty unless the publication shows titles. */
  titles: Readonly<Record<string, string>>;
  inShort: boolean;
}

export function describePublished(
  bundle: Bundle,
  { inShort, ...view }: PublishedView,
): PublishedHistory | PublicationSummary {
  const history = describeHistory(bundle, view);
  return inShort ? toSummary(history) : history;
}

function describeHistory(
  bundle: Bundle,
  { options, sha256, titles, log: ownLog }: Omit<PublishedView, 'inShort'>,
): PublishedHistory {
  const log = isProvable(bundle, options) ? ownLog : undefined;
  const described = describeBundle(bundle, {
    withhold: options.withhold,
    isHidden: (entityId) => isHidden(options, entityId),
    toRef: (entityId) => toRef(options, entityId),
  });
  return {
    id: options.id,
    cid: bundle.cid,
    title: options.title,
    publishedAt: options.createdAt.toISOString(),
    expiresAt: options.expiresAt?.toISOString() ?? null,
    withheld: [...options.withhold],
    hidden: described.people.filter(({ hidden }) => hidden).length,
    provable: log !== undefined,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(log === undefined ? {} : { log }),
    path: publicationPath(options.id),
    ...described,
    contents: described.contents.map((content) => {
      const title = titles[content.cid];
      return title === undefined ? content : { ...content, title };
    }),
  };
}

function toSummary(history: PublishedHistory): PublicationSummary {
  const { people: _, steps: __, contents: ___, credits: ____, log: _____, ...summary } = history;
  return summary;
}
