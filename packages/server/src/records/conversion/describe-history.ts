import {
  type Bundle,
  describeBundle,
  isProvable,
  listCurrentSteps,
  type PublicationSummary,
  type PublishedHistory,
  type PublishedPage,
  publicationPath,
  renderPublishedPage,
} from '@colophon/model';
import { type Kind, kindOf } from '../../search/descriptor.js';
import { isHidden, type PublicationSettings, toRef } from './published-terms.js';

export interface PublishedView {
  options: PublicationSettings;
  /** Undefined when the service has no key to sign proofs. */
  log: PublishedHistory['log'];
  /** Hex. */
  sha256: string | undefined;
  /** Maps a CID to its title. Empty when the response shows no titles. */
  titles: Readonly<Record<string, string>>;
  /** The kinds of content from which the service can make a picture. */
  pictures: readonly Kind[];
  form: 'history' | 'summary' | 'page' | 'lineage';
}

export type PublishedLineage = PublicationSummary & { sourceCids: string[] };

/** `json`: the history, for the scripts of the page; absent when it is long. */
export type PublishedDocument = PublishedPage & Pick<PublishedHistory, 'picture'> & { json?: string };

const MAX_INLINE_LENGTH = 2 ** 17;

export function describePublished(
  bundle: Bundle,
  { form, ...view }: PublishedView,
): PublishedHistory | PublicationSummary | PublishedLineage | PublishedDocument {
  const history = describeHistory(bundle, view);
  if (form === 'page') return toDocument(history);
  if (form === 'lineage') return { ...toSummary(history), sourceCids: listSources(history) };
  return form === 'summary' ? toSummary(history) : history;
}

function toDocument(history: PublishedHistory): PublishedDocument {
  const { picture } = history;
  const json = JSON.stringify(history);
  return {
    ...renderPublishedPage(history),
    ...(picture === undefined ? {} : { picture }),
    ...(json.length > MAX_INLINE_LENGTH ? {} : { json }),
  };
}

function describeHistory(
  bundle: Bundle,
  { options, sha256, titles, pictures, log: ownLog }: Omit<PublishedView, 'form'>,
): PublishedHistory {
  const log = isProvable(bundle, options) ? ownLog : undefined;
  const described = describeBundle(bundle, {
    withhold: options.withhold,
    license: options.license,
    isHidden: (entityId) => isHidden(options, entityId),
    toRef: (entityId) => toRef(options, entityId),
  });
  const kind = kindOf(described.facts.mimeType ?? '');
  const isPicture = kind !== undefined && pictures.includes(kind) && sha256 !== undefined;
  const shows = options.picture && isPicture;
  return {
    id: options.id,
    cid: bundle.cid,
    title: options.title,
    publishedAt: options.createdAt.toISOString(),
    expiresAt: options.expiresAt?.toISOString() ?? null,
    withheld: [...options.withhold],
    ...(options.license ? { license: true } : {}),
    hidden: described.people.filter(({ hidden }) => hidden).length,
    provable: log !== undefined,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(log === undefined ? {} : { log }),
    path: publicationPath(options.id),
    ...(shows ? { picture: `/app/api/public/${options.id}/picture` } : {}),
    ...described,
    contents: described.contents.map((content) => {
      const title = titles[content.cid];
      return title === undefined ? content : { ...content, title };
    }),
  };
}

function listSources(history: PublishedHistory): string[] {
  return [...new Set(listCurrentSteps(history).flatMap(({ inputs }) => inputs))];
}

function toSummary(history: PublishedHistory): PublicationSummary {
  const { people: _, steps: __, contents: ___, credits: ____, log: _____, ...summary } = history;
  return summary;
}
