import { IMAGE_METHOD } from '../descriptor.js';
import { describeRaster } from '../image/describe-raster.js';
import { toLumaBytes, toRaster, turnRaster } from '../image/raster.js';
import { decodeHeif, type RawPicture } from './decode-heif.js';
import type { Description } from './protocol.js';
import { toDescription } from './to-description.js';

/** The side of the square to which pictures are decoded, in pixels. */
const DECODED_EDGE = 256;
/** Most pixels that a picture may declare: 100 million. */
const MAX_PIXELS = 100_000_000;
const LIMIT_SECONDS = 5;

/** The description of a HEIC or HEIF picture, decoded by libheif. */
export async function describeHeif(bytes: Uint8Array): Promise<Description> {
  const decoded = await decodeHeif(bytes);
  return typeof decoded === 'string' ? { kind: 'nothing', reason: decoded } : describeImage(decoded);
}

/** The description of a picture, upright as its EXIF says, on white, in sRGB; of a moving one the first frame. */
export async function describeImage(picture: Uint8Array | RawPicture): Promise<Description> {
  const rgb = await decode(picture);
  if (typeof rgb === 'string') return { kind: 'nothing', reason: rgb };
  const raster = toRaster({ edge: DECODED_EDGE, rgb });
  if (raster === undefined) return { kind: 'nothing', reason: 'It shows nothing to tell it by.' };
  const turned = turnRaster(raster).map(describeRaster);
  const vector = turned[0] ?? new Float32Array();
  return toDescription({ method: IMAGE_METHOD, vector, evidence: toLumaBytes(raster), turned });
}

/** The pixels; why there are none, as a sentence. */
async function decode(picture: Uint8Array | RawPicture): Promise<Uint8Array | string> {
  try {
    const { default: sharp } = await import('sharp');
    const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
    const decoder =
      'rgba' in picture
        ? sharp(picture.rgba, { ...limits, raw: { ...picture.size, channels: 4 } })
        : sharp(picture, { ...limits, pages: 1 }).autoOrient();
    return await decoder
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha()
      .resize(DECODED_EDGE, DECODED_EDGE, { fit: 'fill', kernel: 'lanczos3' })
      .timeout({ seconds: LIMIT_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer();
  } catch (error) {
    return toReason(error instanceof Error ? error.message : '');
  }
}

function toReason(message: string): string {
  if (message.includes('pixel limit')) return 'It declares more than 100 million pixels.';
  if (message.includes('timeout')) return `It was not decoded within ${LIMIT_SECONDS} s.`;
  return 'It cannot be decoded: it is damaged, cut short or of a kind that is not read here.';
}
