import { codePointWindows } from './code-points.js';
import type { IsccUnit } from './header.js';
import { createMinhash } from './minhash.js';
import { xxh32 } from './xxh32.js';

const WINDOW = 13;

/** White space, and the Unicode categories C (Other), M (Mark) and P (Punctuation). */
const DROPPED = /[\s\p{C}\p{M}\p{P}]/gu;

/** Returns the Text-Code of plain text without markup. */
export function textUnit(text: string): IsccUnit {
  const minhash = createMinhash();
  for (const part of codePointWindows(collapseText(text), WINDOW)) minhash.add(xxh32(part));
  return { mainType: 'content', medium: 'text', digest: minhash.digest() };
}

/** No language needs more than 30 combining marks in a row (Unicode Standard Annex #15, Stream-Safe Text Format). */
const LONG_MARK_RUN = /(\p{M}{30})\p{M}+/gu;

/**
 * Cuts each run of more than 30 combining marks to 30. Unicode normalisation sorts the marks of a run, and the time for
 * the sort grows with the square of their number. The Text-Code stays the same, because it ignores combining marks.
 */
export function shortenMarkRuns(text: string): string {
  return text.replace(LONG_MARK_RUN, '$1');
}

/** Lower case, form NFKC, without white space, combining marks, punctuation and category C. */
export function collapseText(text: string): string {
  return shortenMarkRuns(text).normalize('NFD').toLowerCase().replace(DROPPED, '').normalize('NFKC');
}
