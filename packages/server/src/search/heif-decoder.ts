import { createRequire } from 'node:module';

/** The optional package that decodes HEIC; its license asks that it stays apart and can be replaced. */
export const HEIF_DECODER = 'libheif-js/libheif-wasm/libheif-bundle.js';

/** Whether it is installed. */
export function hasHeifDecoder(): boolean {
  try {
    createRequire(import.meta.url).resolve(HEIF_DECODER);
    return true;
  } catch {
    return false; // an optional package
  }
}
