import { memoryToDecode, toShape } from '../../platform/work/picture-memory.js';

const EDGE_PIXELS = 512;
const QUALITY = 75;
const MAX_PIXELS = 100_000_000;
const LIMIT_SECONDS = 5;

/**
 * Returns undefined for formats that `sharp` cannot decode, and for a picture that needs more than `maxBytes` of
 * memory.
 */
export async function makeThumbnail(
  bytes: Uint8Array,
  maxBytes: number,
): Promise<{ mediaType: string; bytes: Uint8Array } | undefined> {
  try {
    const { default: sharp } = await import('sharp');
    const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
    if (memoryToDecode(toShape(await sharp(bytes, limits).metadata())) > maxBytes) return undefined;
    const picture = await sharp(bytes, limits)
      .rotate()
      .resize({ width: EDGE_PIXELS, height: EDGE_PIXELS, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .jpeg({ quality: QUALITY })
      .timeout({ seconds: LIMIT_SECONDS })
      .toBuffer();
    return { mediaType: 'image/jpeg', bytes: picture };
  } catch {
    return undefined; // after any error of the decoder, the file is signed without a thumbnail
  }
}
