import { escapeMarkup } from '@colophon/model';
import type { PublishedDocument } from '../../records/conversion/describe-history.js';

/** Address of a publication, for previews of links to it. */
export interface PublicationHead {
  /** Such as `https://provenance.example`. */
  origin: string;
  path: string;
}

const SITE = 'Colophon';
const TITLE = /<title>[^<]*<\/title>/;
const PLACE = /(<div id="page">).*?(<\/div>)/s;
/** The id of a publication gives access to it, so search engines must not list the page. */
const ROBOTS = '<meta name="robots" content="noindex">';

const ABSENT = `<main id="content"><h1>Nothing is published here</h1>
<p>The link may be mistyped, or the publication has ended. Ask the person who gave you the link.</p></main>`;

/** Adds a publication to the document of the page: Open Graph tags, the facts as HTML, and the history as JSON. */
export function fillDocument(
  document: string,
  publication: (PublishedDocument & PublicationHead) | undefined,
): string {
  if (!TITLE.test(document) || !PLACE.test(document))
    throw new Error('The document of the page has no title or no element with the id `page`.');
  if (publication === undefined)
    return fill(document, { head: (title) => `${title}${ROBOTS}`, body: ABSENT });
  const { body, json } = publication;
  const head = toHead(publication);
  return fill(document, { head: () => head, body, data: json === undefined ? '' : toDataBlock(json) });
}

function fill(
  document: string,
  { head, body, data = '' }: { head: (title: string) => string; body: string; data?: string },
): string {
  return document
    .replace(TITLE, head)
    .replace(PLACE, (_all, start: string, end: string) => `${start}${body}${end}${data}`);
}

function toHead({ title, description, picture, origin, path }: PublishedDocument & PublicationHead): string {
  const tags: [name: string, value: string][] = [
    ['og:type', 'article'],
    ['og:site_name', SITE],
    ['og:title', title],
    ['og:description', description],
    ['og:url', `${origin}${path}`],
    ...(picture === undefined ? [] : ([['og:image', `${origin}${picture}`]] as [string, string][])),
    ...(picture === undefined ? [] : ([['og:image:alt', title]] as [string, string][])),
  ];
  const head = [
    `<title>${escapeMarkup(`${title} · ${SITE}`)}</title>`,
    `<meta name="description" content="${escapeMarkup(description)}">`,
    `<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}">`,
    ROBOTS,
    ...tags.map(([property, value]) => `<meta property="${property}" content="${escapeMarkup(value)}">`),
  ];
  return head.join('\n    ');
}

/** Browsers do not run this element. The JSON contains no `<`, so it cannot end the element. */
function toDataBlock(json: string): string {
  return `<script type="application/json" id="published">${json.replaceAll('<', '\\u003c')}</script>`;
}
