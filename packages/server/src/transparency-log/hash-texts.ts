import { toBase64 } from '@colophon/model';

/**
 * Returns a function that encodes hashes as base64. The function caches the text of each hash object, because the paths
 * of one bundle share most of their hashes. The caller must not change a hash afterwards.
 */
export function createHashTexts(): (hash: Uint8Array) => string {
  const texts = new Map<Uint8Array, string>();
  return (hash) => {
    const known = texts.get(hash);
    if (known !== undefined) return known;
    const text = toBase64(hash);
    texts.set(hash, text);
    return text;
  };
}
