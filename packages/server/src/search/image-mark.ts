import { IMAGE_MARK_BINDING, TRUSTMARK_CODES, toImageMarkBinding, toTrustMarkBinding } from '@colophon/model';
import type { MarkFormat } from './mark-format.js';
import type { NeuralModel } from './neural/neural-model.js';

/** The method of the service's own watermark. A change of its format needs a new name. */
export const IMAGE_MARK_METHOD = 'image-mark/1';

export const MARKABLE = /^image\/(jpeg|png|webp|avif|tiff)$/;

/** In pixels. */
export const SMALLEST_MARKED_SIDE = 128;

/** Copies of the pixels in memory while a picture is marked. The library sharp names AVIF after its container, HEIF. */
const COPIES: Readonly<Record<string, number>> = { 'image/webp': 7, 'image/avif': 16, 'image/heif': 16 };

export function copiesToMark(mediaType: string): number {
  return COPIES[mediaType] ?? 5;
}

export const WAVE_MARK: MarkFormat = {
  alg: IMAGE_MARK_BINDING,
  payloadBits: 48,
  toBinding: toImageMarkBinding,
};

export function toModelFormat({ algorithm: alg, code }: Pick<NeuralModel, 'algorithm' | 'code'>): MarkFormat {
  const { dataBits } = TRUSTMARK_CODES[code];
  return { alg, payloadBits: dataBits, toBinding: (payload) => toTrustMarkBinding({ alg, code }, payload) };
}
