import { escapeMarkup } from '../labels/escape-markup.js';

/** HTML that is not escaped again: a result of the functions below, or a constant. */
export interface Markup {
  readonly html: string;
}

/** Text or markup. Text is escaped. */
export type Piece = string | number | Markup;

/** Joins HTML with pieces. Texts and numbers are escaped, so a value can never add an element. */
export function markup(parts: TemplateStringsArray, ...pieces: (Piece | readonly Piece[])[]): Markup {
  const html = pieces.map((piece) => [piece].flat().map(toHtml).join(''));
  return { html: parts.map((part, at) => part + (html[at] ?? '')).join('') };
}

function toHtml(piece: Piece | readonly Piece[]): string {
  if (typeof piece === 'object' && 'html' in piece) return piece.html;
  return escapeMarkup(String(piece));
}

/** Returns a paragraph when there are no rows. The first cell of each row is its header. */
export function tableOf(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Piece[])[],
): Markup {
  if (rows.length === 0) return markup`<p><strong>${caption}:</strong> none.</p>`;
  const head = heads.map((one) => markup`<th scope="col">${one}</th>`);
  const body = rows.map(([first = '', ...others]) => {
    const cells = others.map((cell) => markup`<td>${cell}</td>`);
    return markup`<tr><th scope="row">${first}</th>${cells}</tr>\n`;
  });
  return markup`<table><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table>`;
}

export function factsOf(facts: readonly (readonly [name: string, value: Piece])[]): Markup {
  const rows = facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`);
  return markup`<dl>\n${rows}</dl>`;
}
