import { imageUnit } from '@colophon/model';
import { IMAGE_METHOD } from '../descriptor.js';
import { describeRaster } from '../image/describe-raster.js';
import { toLumaBytes, toRaster, turnRaster } from '../image/raster.js';
import { DECODED_SIDE, toGreyPixels } from '../iscc/grey-pixels.js';
import { decodeHeif, type RawPicture } from './decode-heif.js';
import { isForMemory, LIMIT_SECONDS, openPicture, toReason, USUAL_BYTES } from './open-picture.js';
import type { OpenedContent } from './opened-content.js';
import type { Description } from './protocol.js';
import { toDescription } from './to-description.js';

export async function openHeif(bytes: Uint8Array, maxBytes: number): Promise<OpenedContent> {
  const decoded = await decodeHeif(bytes, maxBytes);
  return typeof decoded === 'string' ? toUnread(decoded) : openImage(decoded, maxBytes);
}

/** Opens a picture, or the first frame of an animation: upright by its EXIF data, on white, in sRGB. */
export async function openImage(picture: Uint8Array | RawPicture, maxBytes: number): Promise<OpenedContent> {
  const rgb = await decode(picture, maxBytes);
  if (typeof rgb === 'string') return toUnread(rgb);
  return {
    describe: () => describeSquare(rgb),
    async readUnit() {
      const pixels = await toGreyPixels(rgb);
      return pixels && imageUnit(pixels);
    },
  };
}

export async function describeHeif(bytes: Uint8Array, maxBytes = USUAL_BYTES): Promise<Description> {
  return (await openHeif(bytes, maxBytes)).describe();
}

export async function describeImage(
  picture: Uint8Array | RawPicture,
  maxBytes = USUAL_BYTES,
): Promise<Description> {
  return (await openImage(picture, maxBytes)).describe();
}

function describeSquare(rgb: Uint8Array): Description {
  const raster = toRaster({ edge: DECODED_SIDE, rgb });
  if (raster === undefined)
    return { kind: 'nothing', reason: 'It shows too little for a comparison.', hasTooLittle: true };
  const turned = turnRaster(raster).map(describeRaster);
  const vector = turned[0] ?? new Float32Array();
  return toDescription({ method: IMAGE_METHOD, vector, evidence: toLumaBytes(raster), turned });
}

/** `isPassing`: a higher limit of memory may change the result. */
function toUnread(reason: string): OpenedContent {
  const passing = isForMemory(reason) ? { isPassing: true as const } : {};
  return {
    ...passing,
    describe: () => ({ kind: 'nothing', reason, ...passing }),
    readUnit: async () => undefined,
  };
}

/** Returns the pixels, or the reason why there are none. */
async function decode(picture: Uint8Array | RawPicture, maxBytes: number): Promise<Uint8Array | string> {
  try {
    const decoder = await openPicture(picture, maxBytes);
    if (typeof decoder === 'string') return decoder;
    return await decoder
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha()
      .resize(DECODED_SIDE, DECODED_SIDE, { fit: 'fill', kernel: 'lanczos3' })
      .timeout({ seconds: LIMIT_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer();
  } catch (error) {
    return toReason(error);
  }
}
