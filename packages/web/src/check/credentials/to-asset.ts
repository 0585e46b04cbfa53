import type { Asset } from '@trustnxt/c2pa-ts/asset';
import type { ByteRange } from './containers/container.js';

/** The validator has no class for this format. */
export function toAsset(bytes: Uint8Array, { store, range }: { store: Uint8Array; range: ByteRange }): Asset {
  const refuse = () => Promise.reject(new Error('The page writes no manifests'));
  return {
    mimeType: 'application/octet-stream',
    getDataLength: () => bytes.length,
    getDataRange: async (start = 0, length = bytes.length - start) => bytes.slice(start, start + length),
    getManifestJUMBF: () => store,
    getHashExclusionRange: () => range,
    dumpInfo: () => 'file',
    ensureManifestSpace: refuse,
    writeManifestJUMBF: refuse,
  };
}
