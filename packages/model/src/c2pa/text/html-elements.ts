import { toBase64 } from '../../base64.js';
import { DATA_URI, readBase64 } from './armour.js';
import { rangeOf, type TextCarrier } from './text-carrier.js';

/** Elements whose content the parser skips: raw text, or a template. */
const RAW_TEXT = ['script', 'style', 'textarea', 'title', 'noscript', 'template', 'iframe', 'xmp'];
const MEDIA_TYPE = 'application/c2pa';
const RELATION = 'c2pa-manifest';
/** A split would create a string for each word of a long `rel`. */
const HAS_RELATION = new RegExp(`(?:^|\\s)${RELATION}(?:\\s|$)`, 'i');
const MAX_ELEMENTS = 2;
const MAX_ATTRIBUTES = 64;

/** C2PA 2.4 §A.7.1. */
export function toScript(store: Uint8Array): string {
  return `<script type="${MEDIA_TYPE}">${toBase64(store)}</script>`;
}

interface Tag {
  name: string;
  attributes: Map<string, string>;
  start: number;
  end: number;
  /** The content of an element of `RAW_TEXT`, and the end of its closing tag. */
  raw?: { text: string; end: number; isClosed: boolean };
}

/** Finds at most two elements. `text` has one character per byte. */
export function findElements(text: string): TextCarrier[] {
  const found: TextCarrier[] = [];
  for (const tag of listTags(text)) {
    const carrier = readElement(text, tag);
    if (carrier !== undefined) found.push(carrier);
    if (found.length === MAX_ELEMENTS) break;
  }
  return found;
}

/**
 * Returns the offset before `</head>` or `<body>`. If other content comes first, or both are missing, returns the
 * offset after the last `<!doctype>`, `<html>` or `<head>`, or 0.
 */
export function findHeadEnd(text: string): number {
  let at = 0;
  for (const { name, start, end } of listTags(text)) {
    if (name === '/head' || name === 'body') return start;
    if (name === '!doctype' || name === 'html' || name === 'head') at = end;
    else if (name.startsWith('/') || !['title', 'meta', 'link', 'script', 'style', 'base'].includes(name))
      return at;
  }
  return at;
}

function readElement(text: string, { name, attributes, start, end, raw }: Tag): TextCarrier | undefined {
  const isScript = name === 'script' && attributes.get('type')?.trim().toLowerCase() === MEDIA_TYPE;
  const isLink = name === 'link' && HAS_RELATION.test(attributes.get('rel') ?? '');
  if (!isScript && !isLink) return undefined;
  const inner = rangeOf(start, isScript ? (raw?.end ?? end) : end);
  const carrier = { method: 'html', inner, outer: withLineEnd(text, inner) } as const;
  if (!isScript) {
    const link = readLink(attributes.get('href')?.trim() ?? '');
    if (link.store === undefined || isPlain(attributes, 'link')) return { ...carrier, ...link };
    return { ...carrier, fault: 'general.error' };
  }
  const isReadable = raw?.isClosed === true && isPlain(attributes, 'script');
  const store = isReadable ? readBase64(raw.text) : undefined;
  return store === undefined ? { ...carrier, fault: 'general.error' } : { ...carrier, store };
}

const ALLOWED = { script: ['type', 'async', 'defer'], link: ['rel', 'href', 'type'] };

/**
 * The hard binding excludes the element. So another attribute (`onerror`, `style`) could change the page, and the
 * verification would not fail.
 */
function isPlain(attributes: ReadonlyMap<string, string>, kind: keyof typeof ALLOWED): boolean {
  const isOnlyRelation = kind === 'script' || attributes.get('rel')?.trim().toLowerCase() === RELATION;
  return isOnlyRelation && [...attributes.keys()].every((name) => ALLOWED[kind].includes(name));
}

/** A data URI can contain the store. This code does not open any other address. */
function readLink(address: string): Pick<TextCarrier, 'store' | 'url' | 'fault'> {
  if (address === '') return { fault: 'manifest.inaccessible' };
  if (!/^data:/i.test(address)) return { url: address };
  const store = address.startsWith(DATA_URI) ? readBase64(address.slice(DATA_URI.length)) : undefined;
  return store === undefined ? { fault: 'general.error' } : { store };
}

/** The hard binding may also exclude the line end after the element. */
function withLineEnd(text: string, { start, length }: TextCarrier['inner']): TextCarrier['outer'] {
  const end = start + length;
  const ends = text.startsWith('\r\n', end) ? 2 : text.startsWith('\n', end) ? 1 : 0;
  return { start, length: length + ends };
}

/** Skips comments and the content of `RAW_TEXT` elements. */
function* listTags(text: string): Generator<Tag> {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      if (end === -1) return;
      at = end + 3;
      continue;
    }
    const tag = readTag(text, at);
    if (tag === undefined) {
      at += 1;
      continue;
    }
    if (RAW_TEXT.includes(tag.name)) {
      const close = findClosingTag(text, tag);
      const stop = close === -1 ? -1 : text.indexOf('>', close);
      const end = stop === -1 ? text.length : stop + 1;
      const content = text.slice(tag.end, close === -1 ? text.length : close);
      yield { ...tag, raw: { text: content, end, isClosed: stop !== -1 } };
      at = end;
    } else {
      yield tag;
      at = tag.end;
    }
  }
}

/** HTML, "script data end tag name state". */
const AFTER_NAME = ['\t', '\n', '\f', '\r', ' ', '/', '>'];

function findClosingTag(text: string, { name, end }: Tag): number {
  const isOfName = (at: number) =>
    text.slice(at + 2, at + 2 + name.length).toLowerCase() === name &&
    AFTER_NAME.includes(text[at + 2 + name.length] ?? '');
  let at = text.indexOf('</', end);
  while (at !== -1 && !isOfName(at)) at = text.indexOf('</', at + 2);
  return at;
}

function readTag(text: string, start: number): Tag | undefined {
  const [name] = /^[a-z/!][a-z0-9]{0,31}/i.exec(text.slice(start + 1, start + 34)) ?? [];
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  let at = start + 1 + name.length;
  for (let count = 0; at < text.length && text.charCodeAt(at) !== GREATER; ) {
    const found = findAttribute(text, at);
    at = found.end;
    if (found.name.length === 0) continue;
    count += 1;
    // `ALLOWED` does not contain the empty name, so an element with too many attributes is not plain.
    if (count > MAX_ATTRIBUTES) attributes.set('', '');
    else addAttribute(attributes, text, found);
  }
  return { name: name.toLowerCase(), attributes, start, end: Math.min(text.length, at + 1) };
}

interface FoundAttribute {
  name: Span;
  value: Span;
  end: number;
}

interface Span {
  start: number;
  length: number;
}

/** Of attributes with the same name, the first one counts. */
function addAttribute(attributes: Map<string, string>, text: string, { name, value }: FoundAttribute): void {
  const read = ({ start, length }: Span) => text.slice(start, start + length);
  const key = read(name).toLowerCase();
  if (!attributes.has(key)) attributes.set(key, read(value));
}

/** Skips a character that cannot begin an attribute, and returns an empty name. */
function findAttribute(text: string, start: number): FoundAttribute {
  let at = start;
  while (at < text.length && !endsName(text.charCodeAt(at))) at += 1;
  const name = { start, length: at - start };
  if (at === start) return { name, value: name, end: at + 1 };
  let next = skipSpace(text, at);
  if (text.charCodeAt(next) !== EQUALS) return { name, value: { start: at, length: 0 }, end: at };
  next = skipSpace(text, next + 1);
  const quote = text.charCodeAt(next);
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    const close = text.indexOf(String.fromCharCode(quote), next + 1);
    const end = close === -1 ? text.length : close;
    return { name, value: { start: next + 1, length: Math.max(0, end - next - 1) }, end: end + 1 };
  }
  let end = next;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && text.charCodeAt(end) !== GREATER) end += 1;
  return { name, value: { start: next, length: end - next }, end: Math.max(end, at + 1) };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

const [DOUBLE_QUOTE, SINGLE_QUOTE, SLASH, EQUALS, GREATER] = [0x22, 0x27, 0x2f, 0x3d, 0x3e];
const [TAB, CARRIAGE_RETURN, SPACE, NO_BREAK_SPACE] = [0x09, 0x0d, 0x20, 0xa0];

/** Equals `\s` for one byte, but is much faster than a regular expression. */
function isSpace(code: number): boolean {
  return (code >= TAB && code <= CARRIAGE_RETURN) || code === SPACE || code === NO_BREAK_SPACE;
}

function endsName(code: number): boolean {
  if (code === EQUALS || code === GREATER || code === SLASH || code === DOUBLE_QUOTE || code === SINGLE_QUOTE)
    return true;
  return isSpace(code);
}
