/** The method of the watermark of pictures. A change of its format needs a new name. */
export const IMAGE_MARK_METHOD = 'image-mark/1';

/** Media types of pictures that the service encodes again with a watermark. */
export const MARKABLE = /^image\/(jpeg|png|webp)$/;

/** Shortest side of a picture with a watermark, in pixels. */
export const SMALLEST_MARKED_SIDE = 128;

/** Returns the number of copies of the pixels in memory while a picture is marked. The WebP codec makes more copies. */
export function copiesToMark(mediaType: string): number {
  return mediaType === 'image/webp' ? 7 : 5;
}
