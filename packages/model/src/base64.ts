/** Encodes bytes as base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let filled = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    codes[filled++] = CODES[bits >> 18] ?? 0;
    codes[filled++] = CODES[(bits >> 12) & 63] ?? 0;
    codes[filled++] = CODES[(bits >> 6) & 63] ?? 0;
    codes[filled++] = CODES[bits & 63] ?? 0;
  }
  const padding = (3 - (bytes.length % 3)) % 3;
  codes.fill(PADDING_CODE, codes.length - padding);
  return ASCII.decode(codes);
}

/**
 * Decodes base64 text. Accepts only text that `toBase64` can return. Returns undefined for any other text, such as text
 * with another alphabet, missing padding or non-zero pad bits (RFC 4648 §3.5).
 */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  return decode(text, text.length);
}

/** Ignores ASCII white space anywhere in the text. */
export function fromBrokenBase64(text: string): Uint8Array | undefined {
  let characters = 0;
  for (let at = 0; at < text.length; at++) if (valueAt(text, at) !== SPACE) characters += 1;
  return characters % 4 === 0 ? decode(text, characters) : undefined;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const [PADDING, SPACE, INVALID] = [64, 65, 66];
const VALUES = new Uint8Array(128).fill(INVALID);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;
for (const character of '\t\n\f\r ') VALUES[character.charCodeAt(0)] = SPACE;
VALUES['='.charCodeAt(0)] = PADDING;

const PADDING_CODE = '='.charCodeAt(0);
const CODES = new TextEncoder().encode(ALPHABET);
const ASCII = new TextDecoder();

const valueAt = (text: string, at: number) => VALUES[text.charCodeAt(at)] ?? INVALID;

/**
 * Uses no intermediate strings, because the text can be 100 MB long. `characters`: base64 characters including padding.
 * If this is less than the length of the text, ignores white space; otherwise white space is invalid.
 */
function decode(text: string, characters: number): Uint8Array | undefined {
  const mayBreak = characters < text.length;
  const bytes = new Uint8Array((characters / 4) * 3 - countPadding(text));
  let [bits, held, filled, padding] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const value = valueAt(text, at);
    if (value === SPACE && mayBreak) continue;
    if (value === PADDING) padding += 1;
    else if (value > PADDING || padding > 0) return undefined;
    else {
      bits = ((bits << 6) | value) & 0xffff;
      held += 6;
      if (held < 8) continue;
      held -= 8;
      bytes[filled++] = bits >> held;
    }
  }
  return filled === bytes.length && (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}

/** Counts the `=` at the end, at most 2. */
function countPadding(text: string): number {
  let padding = 0;
  for (let at = text.length - 1; at >= 0 && padding < 2; at--) {
    const value = valueAt(text, at);
    if (value === PADDING) padding += 1;
    else if (value !== SPACE) break;
  }
  return padding;
}
