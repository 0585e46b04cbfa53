/** A small picture in a manifest. */
export interface ManifestThumbnail {
  type: string;
  bytes: Uint8Array;
}

/** Thumbnails by `thumbnailKey`. */
export type ManifestThumbnails = ReadonlyMap<string, ManifestThumbnail>;

/**
 * Returns the key of the thumbnail of a manifest, or of one of its ingredients: the label, and the place of the
 * ingredient.
 */
export function thumbnailKey(label: string, ingredient?: number): string {
  return ingredient === undefined ? label : `${label} ${ingredient}`;
}
