import { fromBrokenBase64, toBase64 } from '../../base64.js';
import { rangeOf, type TextCarrier } from './text-carrier.js';

export const DATA_URI = 'data:application/c2pa;base64,';
/** The delimiters of a manifest in structured text (C2PA 2.4 §A.9.2). */
const BEGIN = '-----BEGIN C2PA MANIFEST-----';
const END = '-----END C2PA MANIFEST-----';
const FAULT = 'manifest.structuredText';
/**
 * Text beside a block (a manifest between its delimiters): at most 24 characters of white space and ASCII punctuation.
 * Before a block, a word that begins a comment is allowed too (`WORDS`).
 */
const SIGNS = /^[\s!-/:-@[-`{-~]{0,24}$/;
const SIGNS_BYTES = 24;
const WORDS = /^\s{0,16}(?:NOTE|REM|dnl)\s{1,8}$/i;
const MAX_BLOCKS = 2;

export function toBlock(
  store: Uint8Array,
  [before, after]: readonly [before: string, after: string],
): string {
  return [before, BEGIN, DATA_URI + toBase64(store), END, after].filter((part) => part !== '').join(' ');
}

/**
 * Finds at most two blocks. `text` has one character per byte. Ignores a begin delimiter if its line begins with other
 * text. Only white space, punctuation or a comment word such as `REM` may precede it.
 */
export function findBlocks(text: string): TextCarrier[] {
  const found: TextCarrier[] = [];
  let end = text.indexOf(END);
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, at + BEGIN.length)) {
    if (found.length === MAX_BLOCKS) break;
    if (end !== -1 && end < at) end = text.indexOf(END, at);
    const block = readBlock(text, at, end);
    if (block !== undefined) found.push(block);
  }
  return found;
}

function readBlock(text: string, begin: number, end: number): TextCarrier | undefined {
  const windowStart = Math.max(0, begin - SIGNS_BYTES - 1);
  const window = text.slice(windowStart, begin);
  const lineFeed = window.lastIndexOf('\n');
  if (lineFeed === -1 && windowStart > 0) return undefined;
  const lineStart = windowStart + lineFeed + 1;
  const before = text.slice(lineStart, begin);
  if (!SIGNS.test(before) && !WORDS.test(before)) return undefined;
  const from = begin + BEGIN.length;
  if (end === -1) {
    const isCut = text
      .slice(from, from + 64)
      .trimStart()
      .startsWith(DATA_URI);
    const rest = rangeOf(begin, text.length);
    const lost = { method: 'structured', inner: rest, outer: rest } as const;
    return isCut ? { ...lost, fault: `${FAULT}.noManifest` } : undefined;
  }
  const inner = rangeOf(begin, end + END.length);
  const carrier = {
    method: 'structured',
    inner,
    outer: findOuter(text, lineStart, end + END.length),
  } as const;
  return { ...carrier, ...readReference(text.slice(from, end).trim()) };
}

/**
 * Returns the range of all lines of a block, with the last line end. If other text follows the block on its last line,
 * the range ends with the block. If the range ends at the end of the file, it also includes the line end before the
 * block (C2PA 2.4 §A.9.4).
 */
function findOuter(text: string, lineStart: number, blockEnd: number): TextCarrier['outer'] {
  const lineFeed = text.indexOf('\n', blockEnd);
  const lineEnd = lineFeed === -1 ? text.length : lineFeed + 1;
  const isSigns = lineEnd - blockEnd <= SIGNS_BYTES && SIGNS.test(text.slice(blockEnd, lineEnd));
  const end = isSigns ? lineEnd : blockEnd;
  const terminator =
    text.slice(Math.max(0, lineStart - 2), lineStart) === '\r\n' ? 2 : Math.min(1, lineStart);
  return rangeOf(end === text.length ? lineStart - terminator : lineStart, end);
}

function readReference(reference: string): Pick<TextCarrier, 'store' | 'url' | 'fault'> {
  if (reference === '') return { fault: `${FAULT}.emptyReference` };
  if (reference.startsWith('data:')) {
    const store = reference.startsWith(DATA_URI) ? readBase64(reference.slice(DATA_URI.length)) : undefined;
    return store === undefined ? { fault: `${FAULT}.malformedReference` } : { store };
  }
  if (/^https?:\/\/[^\s"<>]{1,2000}$/.test(reference)) return { url: reference };
  const isAddress = /^[a-z][a-z0-9+.-]{0,31}:[^\s]{1,2000}$/i.test(reference);
  return { fault: isAddress ? `${FAULT}.noResolutionPath` : `${FAULT}.malformedReference` };
}

/**
 * Base64 of `jumdc2pa`. The offset of these bytes in a store is a multiple of 3, so their base64 is always the same.
 */
const ENCODED_STORE = 'anVtZGMycGE';

/**
 * Whether a text without carriers contains a damaged manifest: the beginning of a store in base64, or base64 before the
 * end delimiter.
 */
export function hasRemnant(text: string): boolean {
  const store = text.indexOf(ENCODED_STORE);
  if (store > 0 && /[A-Za-z0-9+/]{16}$/.test(text.slice(Math.max(0, store - 16), store))) return true;
  const end = text.indexOf(END);
  return end > 0 && /[A-Za-z0-9+/]{32}={0,2}\s?$/.test(text.slice(Math.max(0, end - 40), end));
}

/** Accepts line breaks that an editor inserted. Undefined for empty text and for text that is not base64. */
export function readBase64(text: string): Uint8Array | undefined {
  const bytes = fromBrokenBase64(text);
  return bytes?.length === 0 ? undefined : bytes;
}
