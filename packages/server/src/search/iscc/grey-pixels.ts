import { ISCC_IMAGE_SIDE } from '@colophon/model';

const MAX_PIXELS = 100_000_000;
const LIMIT_SECONDS = 30;
/** Largest difference (of 255) between the colours of a plain border. */
const BORDER_TOLERANCE = 1;
/** Side of the decoded square, in pixels. Descriptors use the same pixels. */
export const DECODED_SIDE = 256;

/**
 * Returns the 32 x 32 grey values of a picture: upright by its EXIF data, on white, without a plain border. Reads the
 * first frame of an animation. Undefined when the picture cannot be decoded.
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

/** Returns the grey values of a decoded square of `DECODED_SIDE`. Undefined when it shows only a plain border. */
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

/** Brightness by ITU-R BT.601. */
function toGrey(rgb: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: rgb.length / 3 }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(pixel * 3, pixel * 3 + 3);
    return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  });
}
