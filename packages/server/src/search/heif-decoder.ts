import { isInstalled } from './is-installed.js';

/** The optional package that decodes HEIC. Its licence requires a separate, replaceable package. */
export const HEIF_DECODER = 'libheif-js/libheif-wasm/libheif-bundle.js';

export function hasHeifDecoder(): boolean {
  return isInstalled(HEIF_DECODER);
}
