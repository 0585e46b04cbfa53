import { createHash } from 'node:crypto';
import {
  type CommentSyntax,
  checkTextBinding,
  exclusionOf,
  frameTextManifest,
  locateTextManifest,
  type TextFrame,
} from '../../../src/index.js';

export const utf8 = (text: string) => new TextEncoder().encode(text);
const digest = (alg: string, bytes: Uint8Array) =>
  alg === 'sha256' ? createHash(alg).update(bytes).digest() : undefined;
export const locate = (text: string | Uint8Array, isHtml = false) =>
  locateTextManifest(typeof text === 'string' ? utf8(text) : text, { isHtml });

export const BEGIN = '-----BEGIN C2PA MANIFEST-----';
export const END = '-----END C2PA MANIFEST-----';

export interface Options {
  isHtml?: boolean;
  comment?: CommentSyntax;
}

export function frameOf(text: string | Uint8Array, { isHtml = false, comment }: Options = {}): TextFrame {
  const frame = frameTextManifest(typeof text === 'string' ? utf8(text) : text, { isHtml, comment });
  if (typeof frame === 'string') throw new Error(frame);
  return frame;
}

/** Embeds the store in the text. Also returns the data hash that a signer of this text puts into the store. */
export function embed(text: string | Uint8Array, store: Uint8Array, options?: Options) {
  const frame = frameOf(text, options);
  const { content, at } = frame;
  const signed = Buffer.concat([content.subarray(0, at), frame.toCarrier(store), content.subarray(at)]);
  const hash = digest('sha256', content) ?? new Uint8Array();
  const binding = { alg: 'sha256', hash, exclusions: [exclusionOf(frame, store.length)] };
  return { signed: new Uint8Array(signed), binding, frame };
}

type Binding = ReturnType<typeof embed>['binding'];

export function check(text: Uint8Array, binding: Binding, isHtml = false): string {
  const located = locate(text, isHtml);
  if (located.kind !== 'store') return located.kind === 'damaged' ? located.code : located.kind;
  return checkTextBinding({ text, carrier: located.carrier, binding }, digest);
}
