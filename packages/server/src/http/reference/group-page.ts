import { type Markup, markup } from '@colophon/model';
import { createExample } from './create-example.js';
import {
  describeBounds,
  describeMembers,
  describeType,
  listBounds,
  outermost,
  toProse,
} from './describe-schema.js';
import {
  framePage,
  LANGUAGES,
  listOperations,
  type ReferenceIndex,
  toGroupTitle,
  toMethod,
} from './frame.js';
import type {
  ApiReference,
  ReferenceAnswer,
  ReferenceGroup,
  ReferenceOperation,
  ReferenceParameter,
} from './read-document.js';
import { writeCurl } from './write-curl.js';
import { writePython } from './write-python.js';
import { writeTypescript } from './write-typescript.js';

const WRITERS = { curl: writeCurl, typescript: writeTypescript, python: writePython };
const PLACES = ['path', 'query', 'header', 'cookie'] as const;

export function renderGroup(index: ReferenceIndex, group: ReferenceGroup): string {
  const { name, description, operations } = group;
  const sections = operations.map((operation) => describeOperation(index.api, operation));
  const title = toGroupTitle(name);
  const content = markup`<h1>${title}</h1>
<p class="lead">${toProse(description)}. All examples use <a href="/docs#examples">the same values</a>.</p>
<details class="jump"><summary>Operations on this page</summary>${listOperations(operations)}</details>
${sections}`;
  return framePage(index, { title, path: name, content, hasExamples: true });
}

function describeOperation(api: ApiReference, operation: ReferenceOperation): Markup {
  const { id, method, path, summary, description } = operation;
  return markup`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
<p class="route">${toMethod(method)} <code>${path}</code></p>
<div class="columns">
<div class="facts">
${description === undefined ? '' : markup`<p>${toProse(description)}</p>`}
<p class="needs">${describeCredentials(operation)}</p>
${describeParameters(api, operation)}${describeBody(api, operation)}${describeAnswers(api, operation)}
</div>
<div class="samples">${writeExamples(operation)}</div>
</div>
</section>
`;
}

const SIGNED_IN = markup`Needs a signed-in user: the session cookie and, for changes, <code>X-CSRF-Token</code>.`;

function describeCredentials({ security, permission, isForProject }: ReferenceOperation): Markup {
  if (security === 'managementKey') return markup`Needs the management secret.`;
  if (security === 'session') return SIGNED_IN;
  if (security === undefined) return markup`Needs no key.`;
  const bound = isForProject ? ' A key that is bound to one entity cannot call this operation.' : '';
  return markup`Needs an API key with the permission <code>${permission ?? 'read'}</code>.${bound}`;
}

function describeParameters(api: ApiReference, { parameters }: ReferenceOperation): Markup {
  if (parameters.length === 0) return markup``;
  const ordered = PLACES.flatMap((place) => parameters.filter((one) => one.in === place));
  const items = ordered.map((parameter) => describeParameter(api, parameter));
  return markup`<h3>Parameters</h3>\n<ul class="members">\n${items}</ul>\n`;
}

function describeParameter(api: ApiReference, parameter: ReferenceParameter): Markup {
  const { name, in: place, required, description, schema = {} } = parameter;
  const facts = [
    ...listBounds(schema),
    ...(schema.default === undefined ? [] : [`default: ${JSON.stringify(schema.default)}`]),
  ];
  const shown = place === 'header' ? toHeaderName(name) : name;
  return markup`<li><div class="member"><code>${shown}</code> <span class="place">${place}</span> ${describeType(schema, api)}${
    required ? markup` <span class="required">required</span>` : ''
  }</div>${describeBounds(description, facts)}</li>\n`;
}

/** Returns the usual spelling of a header, such as `Content-Type`. */
function toHeaderName(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function describeBody(api: ApiReference, { body }: ReferenceOperation): Markup {
  if (body === undefined) return markup``;
  const types = body.mediaTypes.map((type, at) => markup`${at === 0 ? '' : ', '}<code>${type}</code>`);
  return markup`<h3>Body</h3>\n<p>${types}: ${describeType(body.schema, api)}</p>\n${describeMembers(body.schema, outermost(api.schemas))}`;
}

function describeAnswers(api: ApiReference, { answers }: ReferenceOperation): Markup {
  const good = answers.filter(({ status }) => Number(status) < 300);
  const others = answers.filter((answer) => !good.includes(answer));
  const rows = others.map(
    ({ status, description }) => markup`<li><strong>${status}</strong> ${toProse(description)}</li>\n`,
  );
  const statuses = others.map(({ status }) => status).join(', ');
  return markup`<h3>Responses</h3>
${good.map((answer) => describeAnswer(api, answer))}${describeAnswerMembers(api, good)}${
  rows.length === 0
    ? ''
    : markup`<details><summary>Other statuses: ${statuses}</summary>
<ul class="statuses">\n${rows}</ul><p>All errors have <a href="/docs#errors">the same form</a>.</p></details>\n`
}`;
}

function describeAnswer(api: ApiReference, { status, description, bodies }: ReferenceAnswer): Markup {
  const [first] = bodies;
  // The document generator adds this text to responses without a description.
  const text = description === 'Default Response' ? '' : markup` ${toProse(description)}:`;
  if (first === undefined) return markup`<p><strong>${status}</strong>${text}</p>\n`;
  const types = bodies.map(({ mediaType }, at) => markup`${at === 0 ? '' : ', '}<code>${mediaType}</code>`);
  return markup`<p><strong>${status}</strong>${text} ${describeType(first.schema, api)} as ${types}</p>\n`;
}

/** The other successful responses have the same members. */
function describeAnswerMembers(api: ApiReference, [first]: ReferenceAnswer[]): Markup {
  const schema = first?.bodies[0]?.schema;
  const members = schema === undefined ? undefined : describeMembers(schema, outermost(api.schemas, true));
  if (members === undefined || members.html === '') return markup``;
  return markup`<details><summary>Members of the response</summary>${members}</details>\n`;
}

function writeExamples(operation: ReferenceOperation): Markup {
  const example = createExample(operation);
  return markup`${LANGUAGES.map(
    ({
      id,
      name,
    }) => markup`<figure class="sample ${id}"><figcaption>${name}<button type="button" class="copy" aria-label="Copy the ${name} example: ${operation.summary}" data-name="Copy" data-done="Copied" data-failed="Cannot copy: select the text">Copy</button></figcaption>
<pre><code>${WRITERS[id](example)}</code></pre></figure>`,
  )}`;
}
