import type { Page } from 'playwright-core';

/** The module exports the texts of another module in brackets (⟦⟧). */
const markingModule = (address: string) => `
import { texts as plain } from '${address}';
const open = '⟦', close = '⟧';
const outside = (value) => (typeof value === 'string' ? close + value + open : value);
const mark = (text, name) => {
  if (typeof text === 'string') return text === '' || text.startsWith('sample-') ? text : open + text + close;
  if (typeof text === 'function')
    return (...values) => {
      // \`history.file\` gets the end of an id. Outside of the brackets, it would count as an untranslated word.
      const said = text(...(name === 'file' ? values : values.map(outside)));
      return said === '' ? said : open + said + close;
    };
  if (typeof text !== 'object') return text;
  const marked = Object.entries(text).map(([name, one]) => [name, mark(one, name)]);
  return Array.isArray(text) ? marked.map(([, one]) => one) : Object.fromEntries(marked);
};
export const texts = mark(plain);
`;

/** Applies to all texts that the page loads from now on. */
export async function markTexts(page: Page): Promise<void> {
  await page.route(/\/assets\/texts-[^/]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: markingModule(`${route.request().url()}?plain`) }),
  );
}

export function splitMarked(text: string): { inside: string; outside: string } {
  let [inside, outside, depth] = ['', '', 0];
  for (const letter of text) {
    if (letter === '⟦') depth += 1;
    else if (letter === '⟧') depth -= 1;
    else if (depth > 0) inside += letter;
    else outside += letter;
  }
  return { inside, outside };
}
