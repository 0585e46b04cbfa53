import { type Markup, markup } from '@colophon/model';
import type { ApiReference, ReferenceOperation } from './read-document.js';

/** A page of prose, such as a guide. */
export interface ReferenceText {
  /** Below `/docs/`, such as `guides/teams`. */
  path: string;
  title: string;
}

export interface ReferenceIndex {
  api: ApiReference;
  texts: readonly ReferenceText[];
  /** Address of the web page; undefined on ADMIN_PORT. */
  home: string | undefined;
}

interface FramedPage {
  title: string;
  /** Path below `/docs/`; empty for the overview. */
  path: string;
  content: Markup;
  /** Whether the reader can choose the language of examples. */
  hasExamples?: boolean;
}

export const LANGUAGES = [
  { id: 'curl', name: 'curl' },
  { id: 'typescript', name: 'TypeScript' },
  { id: 'python', name: 'Python' },
] as const;

export const DOCUMENTATION = 'Colophon documentation';

/**
 * This is a plain string. The transpiler of `npm start` compiles a tagged template with `</script>` to an import of a
 * helper package, which is not installed.
 */
const SCRIPT: Markup = { html: '<script src="/docs/reference.js"></script>' };

export function framePage(index: ReferenceIndex, page: FramedPage): string {
  const { title, path, content, hasExamples = false } = page;
  const { html } = markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${path === '' ? title : `${title} · ${DOCUMENTATION}`}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference.css">
${SCRIPT}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs"><span class="brand-mark" aria-hidden="true"></span>${DOCUMENTATION}</a>
${topLinks(index)}
${hasExamples ? LANGUAGE_CHOICE : ''}
</header>
<div class="layout">
${sideLinks(index, path)}
<main id="content" tabindex="-1">
${content}
${hasExamples ? COPY_STATUS : ''}
</main>
</div>
</body>
</html>
`;
  return `<!doctype html>\n${html}`;
}

function topLinks({ texts, home }: ReferenceIndex): Markup {
  const tutorial = texts.some(({ path }) => path === 'tutorial');
  const links: [address: string, name: string][] = [
    ...(tutorial ? ([['/docs/tutorial', 'Tutorial']] as [string, string][]) : []),
    ['/docs#guides', 'Guides'],
    ['/docs#api', 'API'],
    ['/docs/schemas', 'Schemas'],
    ['/openapi.json', 'OpenAPI'],
    ...(home === undefined ? [] : ([[home, 'Web page']] as [string, string][])),
  ];
  const items = links.map(([address, name]) => markup`<li><a href="${address}">${name}</a></li>`);
  return markup`<nav aria-label="Documents"><ul>${items}</ul></nav>`;
}

/** Screen readers announce the result of a copy button. */
const COPY_STATUS = markup`<p class="unseen" role="status" id="copied"></p>`;

/** The style sheet shows the chosen language, so the choice works without scripts. */
const LANGUAGE_CHOICE = markup`<fieldset class="languages"><legend class="unseen">Language of the examples</legend>${LANGUAGES.map(
  ({ id, name }) =>
    markup`<input type="radio" name="language" id="language-${id}" value="${id}"${
      id === 'curl' ? markup` checked` : ''
    }><label for="language-${id}">${name}</label>`,
)}</fieldset>`;

/** Narrow screens show only the groups here. */
function sideLinks({ api }: ReferenceIndex, current: string): Markup {
  const groups = api.groups.map(({ name, operations }) => {
    const title = toGroupTitle(name);
    if (name !== current) return markup`<li><a href="/docs/${name}">${title}</a></li>\n`;
    return markup`<li><a href="/docs/${name}" aria-current="page">${title}</a>${listOperations(operations)}</li>\n`;
  });
  return markup`<nav class="side" aria-label="Groups"><ul>\n${groups}</ul></nav>`;
}

/** Lists operations with links within the page that contains them. */
export function listOperations(operations: readonly ReferenceOperation[]): Markup {
  const items = operations.map(
    ({ id, method, summary }) =>
      markup`<li><a href="#${id}">${toMethod(method)} <span>${summary}</span></a></li>\n`,
  );
  return markup`<ul class="operations">\n${items}</ul>`;
}

/** Titles of the groups whose name alone is not clear. */
const TITLES: Readonly<Record<string, string>> = {
  c2pa: 'C2PA soft bindings',
  compat: 'ProvenanceKit SDK',
  log: 'Transparency log',
  media: 'Content Credentials',
  page: 'Sign-in',
  public: 'Public routes',
};

export function toGroupTitle(name: string): string {
  return TITLES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

export function toMethod(method: string): Markup {
  return markup`<span class="method ${method.toLowerCase()}">${method}</span>`;
}
