import { decodeText, readWords, type Words } from './words.js';

/** Maximum number of bytes of a drawing that are read, and maximum number of characters of its words. */
export const MAX_DRAWING_BYTES = 2 ** 20;
const UNDRAWN = new Set(['metadata', 'script', 'style', 'title', 'desc']);
/** An incomplete tag ends before the next `<`, and an incomplete comment at the end of the text. */
const MARKUP = /<!--.*?(?:-->|$)|<!\[CDATA\[|<[^<>]*>?/gs;
const MAX_NAME = 32;
const NUMBERS_PER_WORD = 2;
/** Significant digits of a number, so that rounding by another program seldom changes a word. */
const DIGITS = 3;

/**
 * Reads an SVG file as words: elements, attributes with up to two numbers in each word, and text. Ignores metadata,
 * comments, styles, ids, prefixed names, white space and the order of attributes. Expands no entities.
 */
export function readDrawing(bytes: Uint8Array): Words {
  const text = decodeText(bytes.subarray(0, MAX_DRAWING_BYTES));
  const words: string[] = [];
  let hidden: string | undefined;
  let end = 0;
  for (const { 0: markup, index } of text.matchAll(MARKUP)) {
    if (hidden === undefined) words.push(text.slice(end, index).trim());
    end = index + markup.length;
    const [, close, name = ''] = /^<(\/?)(?:svg:)?([a-z][\w:.-]*)/i.exec(markup.slice(0, 99)) ?? [];
    if (hidden !== undefined) {
      if (close === '/' && name === hidden) hidden = undefined;
    } else if (close === '' && UNDRAWN.has(name)) hidden = markup.endsWith('/>') ? undefined : name;
    else if (close === '' && !name.includes(':')) {
      words.push(name);
      // A call with very many arguments overflows the stack.
      for (const word of readAttributes(markup)) words.push(word);
    }
  }
  return readWords(Buffer.from(words.join(' ').slice(0, MAX_DRAWING_BYTES)));
}

/** Returns the words of the attributes, sorted by name. */
function readAttributes(tag: string): string[] {
  const found: [name: string, value: string][] = [];
  let from = 0;
  for (let at = tag.indexOf('='); at !== -1; at = tag.indexOf('=', from)) {
    const name = tag.slice(from, at).trim().split(/\s/).at(-1) ?? '';
    const start = at + 1 + tag.slice(at + 1).search(/\S|$/);
    const quote = tag[start] ?? '';
    const end = quote === '"' || quote === "'" ? tag.indexOf(quote, start + 1) : start;
    if (end === -1) break;
    from = end + 1;
    if (/^[a-z][\w.-]*$/i.test(name) && !['id', 'class', 'xmlns', 'style'].includes(name))
      found.push([name.slice(0, MAX_NAME), tag.slice(start + 1, end)]);
  }
  found.sort(([a], [b]) => (a < b ? -1 : 1));
  return found.flatMap(([name, value]) => toWords(name, value));
}

function toWords(name: string, value: string): string[] {
  const words: string[] = [];
  let [word, numbers] = [name, 0];
  for (const part of value.match(/[a-z]+|[-+]?(?:\d+\.?\d*|\.\d+)/gi) ?? []) {
    const isNumber = /\d/.test(part);
    if (!isNumber || numbers === NUMBERS_PER_WORD) {
      if (word !== name) words.push(word);
      [word, numbers] = [name, 0];
    }
    word += isNumber ? `x${toName(Number(part))}` : part;
    numbers += isNumber ? 1 : 0;
  }
  return word === name ? words : [...words, word];
}

/** Writes a number as one word: `m` is a minus sign, and `p` a decimal point. */
function toName(value: number): string {
  return String(Number(value.toPrecision(DIGITS)))
    .replace('-', 'm')
    .replace('.', 'p');
}
