import type { Sharp } from 'sharp';
import { memoryToDecode, toShape } from '../../platform/work/picture-memory.js';
import { IMAGE_METHOD } from '../descriptor.js';
import { describeRaster } from '../image/describe-raster.js';
import { toLumaBytes, toRaster, turnRaster } from '../image/raster.js';
import { decodeHeif, type RawPicture } from './decode-heif.js';
import type { Description } from './protocol.js';
import { toDescription } from './to-description.js';

/** The side of the square to which pictures are decoded, in pixels. */
const DECODED_EDGE = 256;
/** Maximum number of pixels of a picture: 100 million. */
const MAX_PIXELS = 100_000_000;
const LIMIT_SECONDS = 5;
/** Default memory limit of decoding. */
const USUAL_BYTES = 256 * 2 ** 20;

/** Describes a HEIC or HEIF picture, decoded by libheif. */
export async function describeHeif(bytes: Uint8Array, maxBytes = USUAL_BYTES): Promise<Description> {
  const decoded = await decodeHeif(bytes, maxBytes);
  return typeof decoded === 'string' ? toNothing(decoded) : describeImage(decoded, maxBytes);
}

/** Describes a picture, upright by its EXIF data, on white, in sRGB; of an animation the first frame. */
export async function describeImage(
  picture: Uint8Array | RawPicture,
  maxBytes = USUAL_BYTES,
): Promise<Description> {
  const rgb = await decode(picture, maxBytes);
  if (typeof rgb === 'string') return toNothing(rgb);
  const raster = toRaster({ edge: DECODED_EDGE, rgb });
  if (raster === undefined) return { kind: 'nothing', reason: 'It shows too little for a comparison.' };
  const turned = turnRaster(raster).map(describeRaster);
  const vector = turned[0] ?? new Float32Array();
  return toDescription({ method: IMAGE_METHOD, vector, evidence: toLumaBytes(raster), turned });
}

/** Returns an empty description. With a higher limit the result may differ. */
function toNothing(reason: string): Description {
  return { kind: 'nothing', reason, ...(reason.includes(BOUND) ? { isPassing: true } : {}) };
}

/** Returns the pixels, or a sentence with the reason why there are none. */
async function decode(picture: Uint8Array | RawPicture, maxBytes: number): Promise<Uint8Array | string> {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    sharp.concurrency(1);
    const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
    const heavy = 'rgba' in picture ? undefined : await findTooHeavy(sharp(picture, limits), maxBytes);
    if (heavy !== undefined) return heavy;
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

/** The variable that limits the memory of a picture. */
const BOUND = 'MAX_PICTURE_BYTES';

/** Returns the reason when decoding takes too much memory, by the header of the picture. */
async function findTooHeavy(picture: Sharp, maxBytes: number): Promise<string | undefined> {
  const shape = toShape(await picture.metadata());
  const bytes = memoryToDecode(shape);
  return shape.width * shape.height > MAX_PIXELS || bytes <= maxBytes
    ? undefined
    : toHeavyReason(bytes, maxBytes);
}

function toHeavyReason(bytes: number, maxBytes: number): string {
  return `Decoding it takes ${bytes} bytes of memory; ${BOUND} allows ${maxBytes}.`;
}

function toReason(message: string): string {
  if (message.includes('pixel limit')) return 'It declares more than 100 million pixels.';
  if (message.includes('timeout')) return `It was not decoded within ${LIMIT_SECONDS} s.`;
  return 'It cannot be decoded: it is damaged, cut short or of a kind that is not read here.';
}
