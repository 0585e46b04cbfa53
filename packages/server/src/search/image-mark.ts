import { IMAGE_MARK_BINDING, TRUSTMARK_CODES, toImageMarkBinding, toTrustMarkBinding } from '@colophon/model';
import type { MarkFormat } from './mark-format.js';
import type { NeuralModel } from './neural/neural-model.js';

/** The method of the service's own watermark for pictures. A change of its format needs a new name. */
export const IMAGE_MARK_METHOD = 'image-mark/1';

/** Media types of pictures that the service encodes again with a watermark. */
export const MARKABLE = /^image\/(jpeg|png|webp|avif|tiff)$/;

/** Shortest side of a picture with a watermark, in pixels. */
export const SMALLEST_MARKED_SIDE = 128;

/** Formats whose codecs make more copies of the pixels. The library sharp names AVIF after its container, HEIF. */
const COPIES: Readonly<Record<string, number>> = { 'image/webp': 7, 'image/avif': 16, 'image/heif': 16 };

/** Returns the number of copies of the pixels in memory while a picture is marked. */
export function copiesToMark(mediaType: string): number {
  return COPIES[mediaType] ?? 5;
}

/** The payload format of the service's own watermark for pictures and videos. */
export const WAVE_MARK: MarkFormat = {
  alg: IMAGE_MARK_BINDING,
  payloadBits: 48,
  toBinding: toImageMarkBinding,
};

/** Returns the payload format of the watermarks that a model adds. */
export function toModelFormat({ algorithm: alg, code }: Pick<NeuralModel, 'algorithm' | 'code'>): MarkFormat {
  const { dataBits } = TRUSTMARK_CODES[code];
  return { alg, payloadBits: dataBits, toBinding: (payload) => toTrustMarkBinding({ alg, code }, payload) };
}
