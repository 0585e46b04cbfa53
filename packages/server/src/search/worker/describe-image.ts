import { IMAGE_METHOD } from '../descriptor.js';
import { describeRaster } from '../image/describe-raster.js';
import { toLumaBytes, toRaster, turnRaster } from '../image/raster.js';
import { decodeHeif, type RawPicture } from './decode-heif.js';
import { isForMemory, LIMIT_SECONDS, openPicture, toReason, USUAL_BYTES } from './open-picture.js';
import type { Description } from './protocol.js';
import { toDescription } from './to-description.js';

/** The side of the square to which pictures are decoded, in pixels. */
const DECODED_EDGE = 256;

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
  return { kind: 'nothing', reason, ...(isForMemory(reason) ? { isPassing: true } : {}) };
}

/** Returns the pixels, or a sentence with the reason why there are none. */
async function decode(picture: Uint8Array | RawPicture, maxBytes: number): Promise<Uint8Array | string> {
  try {
    const decoder = await openPicture(picture, maxBytes);
    if (typeof decoder === 'string') return decoder;
    return await decoder
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha()
      .resize(DECODED_EDGE, DECODED_EDGE, { fit: 'fill', kernel: 'lanczos3' })
      .timeout({ seconds: LIMIT_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer();
  } catch (error) {
    return toReason(error);
  }
}
