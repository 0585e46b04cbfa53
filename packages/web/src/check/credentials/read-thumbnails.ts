import { EmbeddedFileBox, EmbeddedFileDescriptionBox, SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { IngredientAssertion, type ManifestStore } from '@trustnxt/c2pa-ts/manifest';
import { type ManifestThumbnail, type ManifestThumbnails, thumbnailKey } from './manifest-thumbnail.js';

const TYPES = ['image/jpeg', 'image/png', 'image/webp'];
const MAX_BYTES = 2 ** 20;
const MAX_TOTAL_BYTES = 2 ** 24;
/** The label of the thumbnail of a claim (C2PA 2.3 §18.5). In earlier versions, it ends with the format. */
const CLAIM_THUMBNAIL = /^c2pa\.thumbnail\.claim(\.|$)/;

/** Reads the thumbnails of a checked store: JPEG, PNG and WebP of up to 1 MiB each and 16 MiB together. */
export function readThumbnails(store: ManifestStore): ManifestThumbnails {
  const found = new Map<string, ManifestThumbnail>();
  let totalBytes = 0;
  const add = (key: string, box: unknown) => {
    const thumbnail = toThumbnail(box);
    if (thumbnail === undefined || totalBytes + thumbnail.bytes.length > MAX_TOTAL_BYTES) return;
    totalBytes += thumbnail.bytes.length;
    found.set(key, thumbnail);
  };
  for (const manifest of store.manifests) {
    const { label = '' } = manifest;
    const all = manifest.assertions?.assertions ?? [];
    add(thumbnailKey(label), all.find(({ fullLabel = '' }) => CLAIM_THUMBNAIL.test(fullLabel))?.sourceBox);
    for (const [place, one] of all.filter((each) => each instanceof IngredientAssertion).entries())
      add(thumbnailKey(label, place), manifest.getComponentByURL(one.thumbnail?.uri)?.sourceBox);
  }
  return found;
}

/** Reads an embedded file (JUMBF, ISO/IEC 19566-5 annex B.8). Undefined for any other box, type or size. */
function toThumbnail(box: unknown): ManifestThumbnail | undefined {
  const boxes = box instanceof SuperBox ? box.contentBoxes : [];
  const { mediaType: type = '' } = boxes.find((one) => one instanceof EmbeddedFileDescriptionBox) ?? {};
  const { content = new Uint8Array() } = boxes.find((one) => one instanceof EmbeddedFileBox) ?? {};
  const isUsable = TYPES.includes(type) && content.length > 0 && content.length <= MAX_BYTES;
  return isUsable ? { type, bytes: Uint8Array.from(content) } : undefined;
}
