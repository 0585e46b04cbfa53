export interface ManifestThumbnail {
  type: string;
  bytes: Uint8Array;
}

/** Thumbnails by `thumbnailKey`. */
export type ManifestThumbnails = ReadonlyMap<string, ManifestThumbnail>;

/** Without `ingredient`, returns the key of the thumbnail of the claim. */
export function thumbnailKey(label: string, ingredient?: number): string {
  return ingredient === undefined ? label : `${label} ${ingredient}`;
}
