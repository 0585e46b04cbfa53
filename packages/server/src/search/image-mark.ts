/** The method of the watermark of pictures. A change of its format needs a new name. */
export const IMAGE_MARK_METHOD = 'image-mark/1';

/** Pictures that the service encodes again with a watermark. */
export const MARKABLE = /^image\/(jpeg|png|webp)$/;

/** Shortest side of a picture with a watermark, in pixels. */
export const SMALLEST_MARKED_SIDE = 128;

/** Copies of the pixels that exist at the same time while a picture is marked. The codec of WebP keeps more of them. */
export const MARKED_COPIES = 5;
export const MARKED_WEBP_COPIES = 7;
