import { markup } from '@colophon/model';
import { describeMembers, describeType, listBounds, outermost, toProse } from './describe-schema.js';
import { framePage, type ReferenceIndex } from './frame.js';

/** An inner named schema appears only as a link. */
export function renderSchemas(index: ReferenceIndex): string {
  const { schemas } = index.api;
  const sections = Object.entries(schemas).map(([name, schema]) => {
    const members = describeMembers(schema, outermost(schemas, true));
    const bounds = listBounds(schema);
    const text = schema.description === undefined ? '' : markup`<p>${toProse(schema.description)}</p>\n`;
    const type = markup`<p>${describeType(schema, index.api)}${bounds.length === 0 ? '' : `, ${bounds.join('; ')}`}</p>\n`;
    return markup`<section id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title"><a href="#${name}">${name}</a></h2>
${text}${members.html === '' ? type : members}</section>\n`;
  });
  const content = markup`<h1>Schemas</h1>
<p class="lead">The named objects of requests and responses.</p>
${sections}`;
  return framePage(index, { title: 'Schemas', path: 'schemas', content });
}
