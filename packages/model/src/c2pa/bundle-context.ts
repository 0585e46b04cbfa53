import type { AiFinding } from './ai-detection.js';
import type { AssetCids } from './asset-cids.js';
import type { ManifestStore } from './manifest-store.js';
import type { StoredManifest } from './stored-manifest.js';

/** What is known of a file outside of its manifest. */
export interface ToBundleOptions {
  /** Content id of the file. */
  fileCid: string;
  /** Media type of the file, which claims of version 2 do not say. */
  mimeType?: string;
  /** Time of an action for which neither action nor signature has one; without it such an action has none. */
  now?: string;
  /** CIDs of content that is known already, by the label of its manifest. */
  knownCids?: ReadonlyMap<string, string>;
  /**
   * The file's own word on CIDs (`metadata.inputCid`) is not taken, as where what it says is recorded: anybody can sign
   * a file that names the content of somebody else.
   */
  ignoresClaimedCids?: boolean;
  /** Content id of the bytes of the active manifest; else one is derived from the file's CID and its label. */
  manifestCid?: string;
  /** CIDs of thumbnails whose bytes were stored, by their identifier in the store. */
  thumbnailCids?: ReadonlyMap<string, string>;
}

/** What every record of a bundle is made with. */
export interface BundleContext {
  readonly store: ManifestStore;
  readonly assets: AssetCids;
  readonly aiOf: (manifest: StoredManifest) => AiFinding;
  readonly options: ToBundleOptions;
}
