import type { AiFinding } from './ai-detection.js';
import type { AssetCids } from './asset-cids.js';
import type { ManifestStore } from './manifest-store.js';
import type { StoredManifest } from './stored-manifest.js';

/** Data about a file from outside its manifest. */
export interface ToBundleOptions {
  fileCid: string;
  /** Media type of the file. Claims of version 2 do not state it. */
  mimeType?: string;
  /** Time of an action when neither the action nor the signature states one; default: no time. */
  now?: string;
  /** CIDs of content that is already known, by the label of its manifest. */
  knownCids?: ReadonlyMap<string, string>;
  /**
   * Whether to ignore the CIDs that the file states (`metadata.inputCid`). Set it if the result will be recorded,
   * because anybody can sign a file that names the content of somebody else.
   */
  ignoresClaimedCids?: boolean;
  /** Content id of the bytes of the active manifest; default: derived from the file's CID and the label. */
  manifestCid?: string;
  /** CIDs of stored thumbnails, by the identifier of the thumbnail in the manifest store. */
  thumbnailCids?: ReadonlyMap<string, string>;
}

export interface BundleContext {
  readonly store: ManifestStore;
  readonly assets: AssetCids;
  readonly aiOf: (manifest: StoredManifest) => AiFinding;
  readonly options: ToBundleOptions;
}
