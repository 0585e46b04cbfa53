import { toBase64 } from '@colophon/model';

/**
 * Returns a function that encodes hashes as base64, each object once: the paths of one bundle share most of their hashes.
 * The caller must not change a hash afterwards.
 */
export function createHashTexts(): (hash: Uint8Array) => string {
  const texts = new Map<Uint8Array, string>();
  return (hash) => {
    const text = texts.get(hash) ?? toBase64(hash);
    texts.set(hash, text);
    return text;
  };
}
