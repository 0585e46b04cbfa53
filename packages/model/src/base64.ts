import { base64pad } from 'multiformats/bases/base64';

/** Number of bytes that one call converts; each is an argument of the call. */
const CHUNK_BYTES = 4_096;

/**
 * Encodes bytes as base64 with padding (RFC 4648 §4). The result is one flat string. A string that is built character by
 * character would occupy about 1 KB for a hash, and a proof has tens of thousands of hashes.
 */
export function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    characters += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(characters);
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
