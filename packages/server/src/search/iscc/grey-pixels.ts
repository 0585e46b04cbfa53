import { ISCC_IMAGE_SIDE } from '@colophon/model';

/** Maximum number of pixels of a picture: 100 million. */
const MAX_PIXELS = 100_000_000;
const LIMIT_SECONDS = 30;
/** Largest difference (of 255) between the colours of a plain border. */
const BORDER_TOLERANCE = 1;
/** The side of the square to which a picture is decoded, in pixels. Descriptors use the same pixels. */
export const DECODED_SIDE = 256;

/**
 * Returns the 32 x 32 grey values for the Image-Code of a picture. Turns the picture upright by its EXIF data, puts it
 * on white, and removes a plain border. Reads only the first frame of an animation. Undefined when the picture cannot
 * be decoded.
 */
export async function readGreyPixels(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const { default: sharp } = await import('sharp');
  try {
    const rgb = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha()
      .resize(DECODED_SIDE, DECODED_SIDE, { fit: 'fill', kernel: 'lanczos3' })
      .timeout({ seconds: LIMIT_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return toGreyPixels(rgb);
  } catch {
    return undefined; // damaged, too large, or of a kind that sharp does not read
  }
}

/**
 * Returns the grey values for an Image-Code from the pixels of a decoded square of `DECODED_SIDE`. Undefined when the
 * picture shows only a plain border.
 */
export async function toGreyPixels(rgb: Uint8Array): Promise<Uint8Array | undefined> {
  const { default: sharp } = await import('sharp');
  const square = { width: DECODED_SIDE, height: DECODED_SIDE, channels: 3 } as const;
  try {
    const pixels = await sharp(rgb, { raw: square })
      .trim({ threshold: BORDER_TOLERANCE })
      .resize(ISCC_IMAGE_SIDE, ISCC_IMAGE_SIDE, { fit: 'fill', kernel: 'cubic' })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return toGrey(pixels);
  } catch {
    return undefined; // the picture shows nothing but its border
  }
}

/** Returns the brightness of pixels by ITU-R BT.601. */
function toGrey(rgb: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: rgb.length / 3 }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(pixel * 3, pixel * 3 + 3);
    return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  });
}
