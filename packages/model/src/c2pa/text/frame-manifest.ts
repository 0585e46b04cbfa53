import { toBlock } from './armour.js';
import { normalize, without } from './check-binding.js';
import { findHeadEnd, toScript } from './html-elements.js';
import { listCarriers } from './locate-manifest.js';
import { type ByteRange, type TextMethod, toBytewise } from './text-carrier.js';
import { toWrapper, wrapperBytesOf } from './variation-selectors.js';

/** The text before and after the manifest. */
const COMMENTS = {
  '#': ['#', ''],
  '//': ['//', ''],
  '--': ['--', ''],
  ';': [';', ''],
  '%': ['%', ''],
  '/*': ['/*', '*/'],
  '<!--': ['<!--', '-->'],
} as const;

/** The comment syntaxes of structured text. */
export const COMMENT_SYNTAXES = ['#', '//', '--', ';', '%', '/*', '<!--'] as const;

export type CommentSyntax = (typeof COMMENT_SYNTAXES)[number];

/** `unstructured`: invisible characters at the end of the text. */
export const TEXT_FORMS = ['unstructured'] as const;

export type TextForm = (typeof TEXT_FORMS)[number];

/** The caller sets at most one of `form` and `comment`, and never sets `comment` for HTML. */
interface FrameOptions {
  isHtml: boolean;
  comment?: CommentSyntax | undefined;
  form?: TextForm | undefined;
}

/** A text without a manifest, and the place of the new manifest. */
export interface TextFrame {
  method: TextMethod;
  /** The text that is signed, without the manifest. */
  content: Uint8Array;
  /** The offset of the carrier in the signed text. */
  at: number;
  /** Returns the size of the carrier. It depends only on the size of the store. */
  carrierBytesOf(storeBytes: number): number;
  toCarrier(store: Uint8Array): Uint8Array;
}

/** Reason why a text cannot carry a manifest. */
export type FrameFault = 'notUtf8' | 'bareCarriageReturn' | 'json';

/**
 * Prepares a text for a new manifest, and removes an old one (C2PA 2.4 §A.7 to §A.9). HTML gets an element at the end
 * of its head. With `comment`, the manifest becomes a comment in the first line. If the first line is reserved (`#!`),
 * this comment becomes the last line. Without `comment`, a text with front matter gets a comment in the front matter.
 * Any other text is normalized to form C and gets invisible characters at its end. With the form `unstructured`, every
 * text is normalized and gets these characters, also HTML and a text with front matter. Returns the reason when the
 * text cannot carry a manifest.
 */
export function frameTextManifest(
  text: Uint8Array,
  { isHtml, comment, form }: FrameOptions,
): TextFrame | FrameFault {
  const bare = removeCarriers(text, isHtml);
  const normalized = normalize(bare);
  if (normalized === undefined) return 'notUtf8';
  if (form === 'unstructured') return isJson(bare) ? 'json' : frameUnstructured(normalized);
  const bytewise = toBytewise(bare);
  if (isHtml) return frame('html', bare, { at: findHeadEnd(bytewise), write: toScript });
  const fence = /^---\r?\n/.exec(bytewise.slice(0, 5))?.[0];
  const hasFrontMatter = fence !== undefined && /\n(?:---|\.\.\.)\r?(?:\n|$)/.test(bytewise.slice(3));
  if (comment === undefined && !hasFrontMatter) return isJson(bare) ? 'json' : frameUnstructured(normalized);
  if (/\r(?!\n)/.test(bytewise)) return 'bareCarriageReturn';
  const lineEnd = bytewise.includes('\r\n') ? '\r\n' : '\n';
  const write = (store: Uint8Array) => toBlock(store, COMMENTS[comment ?? '#']);
  if (comment === undefined)
    return frame('structured', bare, { at: fence?.length ?? 0, write: (store) => write(store) + lineEnd });
  return bytewise.startsWith('#!')
    ? frame('structured', bare, { at: bare.length, write: (store) => lineEnd + write(store) })
    : frame('structured', bare, { at: 0, write: (store) => write(store) + lineEnd });
}

/** JSON (RFC 8259 §2) allows only white space after its value, so invisible characters would make it invalid. */
function isJson(text: Uint8Array): boolean {
  const decoded = new TextDecoder().decode(text);
  if (!/^\s*[[{]/.test(decoded)) return false;
  try {
    JSON.parse(decoded);
    return true;
  } catch {
    return false;
  }
}

/** Returns the range that the hard binding excludes. */
export function exclusionOf({ at, carrierBytesOf }: TextFrame, storeBytes: number): ByteRange {
  return { start: at, length: carrierBytesOf(storeBytes) };
}

function frameUnstructured(content: Uint8Array): TextFrame {
  return {
    method: 'unstructured',
    content,
    at: content.length,
    carrierBytesOf: wrapperBytesOf,
    toCarrier: toWrapper,
  };
}

function frame(
  method: TextMethod,
  content: Uint8Array,
  { at, write }: { at: number; write: (store: Uint8Array) => string },
): TextFrame {
  const emptyBytes = write(new Uint8Array()).length;
  return {
    method,
    content,
    at,
    carrierBytesOf: (storeBytes) => emptyBytes + 4 * Math.ceil(storeBytes / 3),
    toCarrier: (store) => new TextEncoder().encode(write(store)),
  };
}

/** Removes the carriers from the last to the first, so that earlier offsets stay valid. */
function removeCarriers(text: Uint8Array, isHtml: boolean): Uint8Array {
  const ranges = listCarriers(text, { isHtml }).map(({ method, inner, outer }) =>
    method === 'html' ? inner : outer,
  );
  ranges.sort((a, b) => b.start - a.start);
  let [rest, keptFrom] = [text, text.length];
  for (const range of ranges) {
    if (range.start + range.length > keptFrom) continue; // overlaps the range that was removed last
    rest = without(rest, range);
    keptFrom = range.start;
  }
  return rest;
}
