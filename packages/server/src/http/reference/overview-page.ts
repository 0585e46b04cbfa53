import { ERROR_CODES, type ErrorCodeEntry, type Markup, markup } from '@colophon/model';
import { describeMembers, outermost, toProse } from './describe-schema.js';
import { EXAMPLE_CID, EXAMPLE_IDS, PHOTO_FILE, SIGNED_FILE, TEXT_FILE } from './example-values.js';
import {
  DOCUMENTATION,
  framePage,
  type ReferenceIndex,
  type ReferenceText,
  toGroupTitle,
  toMethod,
} from './frame.js';
import type { ApiReference, ReferenceGroup } from './read-document.js';

/** Renders `/docs` without the address of the service. `withAddress` adds it. */
export function renderOverview(index: ReferenceIndex): string {
  const { api } = index;
  const content = markup`<h1>${DOCUMENTATION}</h1>
<p class="lead">${toProse(api.summary)} Version ${api.version}.</p>
${listTexts(index)}
<h2 id="api">API</h2>
<p>Content is identified by its CID, and each record has a proof that anybody can check. The
<a href="/docs/tutorial">tutorial</a> takes five minutes. Programs read the same reference as
<a href="/openapi.json">OpenAPI 3.1</a> or, for language models, as <a href="/llms.txt">text</a>.</p>
${describeAddress(undefined)}
${describeAuthentication(api)}
${describeErrors(index)}
${RATE_LIMITS}
${EXAMPLES}
<h2 id="operations">Operations</h2>
<p class="filter"><label for="filter">Filter</label> <input id="filter" type="search" autocomplete="off"></p>
<p class="quiet" role="status" id="filtered" data-one="operation" data-unit="operations"></p>
${api.groups.map(describeGroup)}`;
  return framePage(index, { title: DOCUMENTATION, path: '', content });
}

/** Sets the base URL of the paths in a rendered overview. */
export function withAddress(overview: string, address: string | undefined): string {
  return overview.replace(describeAddress(undefined).html, () => describeAddress(address).html);
}

function describeAddress(address: string | undefined): Markup {
  const shown =
    address === undefined
      ? markup`the address of this page without <code>/docs</code>, such as <code>http://localhost:3001</code>`
      : markup`<code>${address}</code>`;
  return markup`<h2 id="address">Address</h2>
<p>All paths begin at ${shown}. The examples read it from the variable <code>COLOPHON_URL</code>. Bodies and
responses are JSON in UTF-8. Files are sent as <code>multipart/form-data</code>.</p>`;
}

function describeAuthentication({ groups }: ApiReference): Markup {
  const operations = groups.flatMap((group) => group.operations);
  const has = (scheme: string) => operations.some(({ security }) => security === scheme);
  const isOpen = operations.some(({ path }) => /^\/(public|log)\//.test(path));
  return markup`<h2 id="authentication">Authentication</h2>
<ul>
${has('apiKey') ? WITH_KEY : ''}${has('managementKey') ? WITH_SECRET : ''}${has('session') ? WITH_SESSION : ''}${isOpen ? WITHOUT_KEY : ''}</ul>`;
}

const WITH_KEY = markup`<li>Routes of a project (<code>/v1</code>) need <code>Authorization: Bearer &lt;API key&gt;</code>. A key belongs to one
project and has one permission: <code>read</code>, <code>write</code> or <code>admin</code>. Each permission includes
those before it. The examples read the key from <code>COLOPHON_API_KEY</code>.</li>
`;

const WITH_SECRET = markup`<li><code>/management</code> needs <code>Authorization: Bearer &lt;management secret&gt;</code>, and the acting user in
<code>X-User-Id</code>. The examples read the secret from <code>MANAGEMENT_API_KEY</code>.</li>
`;

const WITH_SESSION = markup`<li><code>/app/api</code> is for the page of the service. Sign-in sets the cookie of the session. The examples in curl and
Python keep it in the file <code>cookies.txt</code>. Requests that change something need <code>Origin</code>. After
sign-in, they also need <code>X-CSRF-Token</code>: the <code>csrfToken</code> of <code>GET /app/api/session</code>. The
examples read this token from <code>COLOPHON_CSRF_TOKEN</code>. The examples in TypeScript run in a browser, on the page
of the service.</li>
`;

const WITHOUT_KEY = markup`<li><code>/public</code> and <code>/log</code> need no key.</li>
`;

function describeErrors({ api }: ReferenceIndex): Markup {
  const rows = Object.entries<ErrorCodeEntry>(ERROR_CODES).map(
    ([code, { statuses, meaning, remedy }]) =>
      markup`<tr><th scope="row"><code>${code}</code></th><td>${statuses.join(', ')}</td><td>${toProse(meaning)} ${toProse(remedy)}</td></tr>\n`,
  );
  const error = api.schemas.Error ?? {};
  return markup`<h2 id="errors">Errors</h2>
<p>An error has a status of 400 or more and this body. <code>recovery</code> states what to do next.</p>
${describeMembers(error, outermost(api.schemas))}
<details><summary>All error codes</summary>
<div class="table" tabindex="0" role="region" aria-label="All error codes"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning and remedy</th></tr></thead>
<tbody>
${rows}</tbody></table></div></details>`;
}

const RATE_LIMITS = markup`<h2 id="limits">Rate limits</h2>
<p>The service counts the requests of each API key, of each project and, without a key, of each address, in any
60 seconds. <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code>
show the state of your limit, as does <code>RateLimit</code>. A response with status 429 has <code>Retry-After</code> in
seconds. A POST with an <code>Idempotency-Key</code> can be repeated for 24 hours: the repetition gets the first
response.</p>`;

const EXAMPLES = markup`<h2 id="examples">Values of the examples</h2>
<ul>
<li><code>${TEXT_FILE.name}</code> is a file with the ${TEXT_FILE.content.length} bytes <code>${TEXT_FILE.content}</code>. Its CID is
<code>${EXAMPLE_CID}</code>. This command writes the file: <code>printf '${TEXT_FILE.content}' &gt; ${TEXT_FILE.name}</code></li>
<li><code>${PHOTO_FILE.name}</code> is any picture. <code>${SIGNED_FILE.name}</code> is a picture with Content Credentials.</li>
<li><code>studio:ann</code> is the id of an entity, and <code>planet</code> is the slug of an organisation.</li>
<li>The service chooses the ids of actions, projects and publications, such as <code>${EXAMPLE_IDS.action}</code> and
<code>${EXAMPLE_IDS.publication}</code>. Replace them with ids of your own records.</li>
</ul>`;

function describeGroup({ name, description, operations }: ReferenceGroup): Markup {
  const rows = operations.map(
    ({ id, method, path, summary }) =>
      markup`<li><a href="/docs/${name}#${id}">${toMethod(method)} <code>${path}</code></a> <span>${summary}</span></li>\n`,
  );
  return markup`<section class="group" aria-labelledby="group-${name}"><h3 id="group-${name}"><a href="/docs/${name}">${toGroupTitle(name)}</a></h3>
<p>${toProse(description)}</p>
<ul class="listed">\n${rows}</ul></section>
`;
}

/** Guides for users of the web page, in this order. */
const PAGE_GUIDES = ['using-the-page', 'exploring', 'page'].map((name) => `guides/${name}`);

/** Headings by the folder of a text. */
const SECTIONS: [folder: string, heading: string][] = [
  ['', 'Start'],
  ['guides', 'For developers and compliance'],
  ['operate', 'Operation of a service'],
  ['spec', 'Specifications'],
];

function listTexts({ texts }: ReferenceIndex): Markup {
  const forPage = PAGE_GUIDES.flatMap((guide) => texts.filter(({ path }) => path === guide));
  const others = texts.filter((text) => !forPage.includes(text));
  const lists = SECTIONS.map(([folder, heading]) =>
    listSection(
      heading,
      others.filter(({ path }) => (path.includes('/') ? path.split('/')[0] : '') === folder),
    ),
  );
  return markup`<h2 id="guides">Guides</h2>\n${[listSection('For users of the web page', forPage), ...lists]}`;
}

function listSection(heading: string, texts: readonly ReferenceText[]): Markup {
  if (texts.length === 0) return markup``;
  const items = texts.map(({ path, title }) => markup`<li><a href="/docs/${path}">${title}</a></li>\n`);
  return markup`<h3>${heading}</h3>\n<ul>\n${items}</ul>\n`;
}
