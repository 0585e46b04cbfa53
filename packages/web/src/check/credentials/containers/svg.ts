import { fromBase64 } from '@colophon/model';
import type { Container } from './container.js';

const SAMPLE_BYTES = 4096;
const PROLOG = /^(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^[>]|\[[^\]]*\])*>)+/is;
const ROOT = /^<(?:svg:)?svg[\s>/]/;
const ELEMENT = /<c2pa:manifest(?:\s[^<>]*)?>([^<]*)<\/c2pa:manifest\s*>/g;
const HIDDEN = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;

/** The store is the content of the element `c2pa:manifest` in base64 (C2PA 2.2 §A.3.3). */
export const SVG: Container = {
  canRead(bytes) {
    const sample = new TextDecoder().decode(bytes.subarray(0, SAMPLE_BYTES));
    return ROOT.test(sample.replace(PROLOG, ''));
  },

  listStores(bytes) {
    // One character for each byte, so that places in the text are places in the file.
    const text = new TextDecoder('latin1').decode(bytes);
    const found = [];
    // More stores are not needed, and each one costs a search of the whole text.
    for (const match of text.matchAll(ELEMENT)) if (found.push(match) === 2) break;
    return found.map(({ 1: content = '', index }) => {
      if (HIDDEN.some(([open, close]) => text.lastIndexOf(open, index) > text.lastIndexOf(close, index)))
        throw new Error('The element can be a part of a comment');
      const start = text.indexOf('>', index) + 1;
      return { store: readBase64(content), carrier: [{ start, length: content.length }] };
    });
  },
};

function readBase64(content: string): Uint8Array {
  const store = fromBase64(content.trim());
  if (store === undefined) throw new Error('The store is not in base64');
  return store;
}
