import { createHash } from 'node:crypto';
import {
  createContentHasher,
  detectAi,
  parseManifestStore,
  toBundle,
  toDisplay,
  toFileExtension,
  toManifest,
  toValidation,
} from '@colophon/model';
import type { InterpretOptions, ManifestReading, SignedSummary } from './manifest-reading.js';
import type { ManifestStore, ManifestThumbnail } from './media-engine.js';

interface Read {
  store: ManifestStore;
  thumbnails: readonly ManifestThumbnail[];
}

/** The records name each thumbnail by the CID of its bytes. The largest store takes about a second. */
export function interpretManifestStore(
  { store: json, thumbnails }: Read,
  { bundle }: InterpretOptions,
): ManifestReading {
  const store = parseManifestStore(json);
  const validation = toValidation(store);
  const { label, title, metadata, softBindings } = store.active;
  const isWanted = bundle !== undefined && validation.state !== 'invalid';
  return {
    label,
    title,
    metadata,
    softBindings,
    manifest: toManifest(store),
    validation,
    aiDetection: detectAi(store),
    display: toDisplay(store, validation),
    bundle: isWanted ? toBundle(store, { ...bundle, thumbnailCids: nameThumbnails(thumbnails) }) : null,
  };
}

/** Takes as long as `interpretManifestStore`. */
export function summariseSigned(json: ManifestStore): SignedSummary {
  const store = parseManifestStore(json);
  const validation = toValidation(store);
  return {
    manifest: toManifest(store),
    validation,
    display: toDisplay(store, validation),
    extension: toFileExtension(store),
  };
}

function nameThumbnails(thumbnails: readonly ManifestThumbnail[]): Map<string, string> {
  return new Map(
    thumbnails.map(({ identifier, bytes }) => {
      const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
      hasher.update(bytes);
      return [identifier, hasher.finish().cid];
    }),
  );
}
