import { base64pad } from 'multiformats/bases/base64';

/** Encodes bytes as base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  return base64pad.baseEncode(bytes);
}

/**
 * Decodes base64 text. Returns undefined unless `text` is exactly the output of `toBase64`, so each value has one
 * text. Another alphabet, missing padding and non-zero pad bits (RFC 4648 §3.5) are invalid.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = decode(text);
  return bytes !== undefined && toBase64(bytes) === text ? bytes : undefined;
}

function decode(text: string): Uint8Array | undefined {
  try {
    return base64pad.baseDecode(text);
  } catch {
    return undefined; // the decoder throws for one reason only: the text is not base64
  }
}
