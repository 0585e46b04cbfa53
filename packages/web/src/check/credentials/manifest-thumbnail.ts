/** A small picture in a manifest. */
export interface ManifestThumbnail {
  type: string;
  bytes: Uint8Array;
}

/** Thumbnails by `thumbnailKey`. */
export type ManifestThumbnails = ReadonlyMap<string, ManifestThumbnail>;

/**
 * Returns the key of a thumbnail: the label of the manifest and, for the thumbnail of an ingredient, the index of this
 * ingredient.
 */
export function thumbnailKey(label: string, ingredient?: number): string {
  return ingredient === undefined ? label : `${label} ${ingredient}`;
}
