import { toBase64 } from '@colophon/model';

/** Returns a function that encodes hashes as base64 and caches the texts. Do not change a hash afterwards. */
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
