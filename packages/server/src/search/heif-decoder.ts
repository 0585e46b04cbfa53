import { createRequire } from 'node:module';

/** The optional package that decodes HEIC. Its licence requires a separate, replaceable package. */
export const HEIF_DECODER = 'libheif-js/libheif-wasm/libheif-bundle.js';

export function hasHeifDecoder(): boolean {
  try {
    createRequire(import.meta.url).resolve(HEIF_DECODER);
    return true;
  } catch {
    return false; // an optional package
  }
}
