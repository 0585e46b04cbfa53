import type { MarkRaster } from '@colophon/model/watermark';
import { includesBinding } from '../mark-format.js';
import type { ImageMarkAlgorithm } from './image-mark-algorithm.js';

const SIDE = 512;
const PAYLOAD = 0x5a3c_96e1_0f87_b4d2_69c5n;
const MIN_PSNR_DB = 30;

/**
 * Marks a picture, and reads its mark. Throws when a part of the model does not work, the payload differs, or the mark
 * changes the picture too much.
 */
export async function tryNeuralMark(algorithm: ImageMarkAlgorithm): Promise<void> {
  const { payloadBits, embed, detect, toBinding } = algorithm;
  const payload = BigInt.asUintN(payloadBits, PAYLOAD);
  const picture = drawTexture();
  const marked = { ...picture, data: await embed(picture, payload) };
  const read = await detect(marked);
  if (read === undefined || !includesBinding([read], toBinding(payload)))
    throw new Error(
      'The decoder does not read the mark of the encoder. Use two files of the same model, and state its `range`, `side` and `code` in model.json.',
    );
  const psnr = measurePsnr(picture.data, marked.data);
  if (psnr < MIN_PSNR_DB)
    throw new Error(
      `The mark is visible: its PSNR is ${psnr.toFixed(1)} dB, and must be at least ${MIN_PSNR_DB} dB. Check \`range\` in model.json, or state a smaller \`strength\`.`,
    );
}

/** Draws the same coloured picture in every call, with coarse and fine structures. */
function drawTexture(): MarkRaster {
  const data = new Uint8Array(3 * SIDE * SIDE);
  for (let at = 0; at < data.length; at++) {
    const [pixel, channel] = [Math.floor(at / 3), at % 3];
    const [x, y] = [pixel % SIDE, Math.floor(pixel / SIDE)];
    const coarse = 50 * Math.sin(x / 41 + channel) * Math.cos(y / 57 - channel);
    const middle = 30 * Math.sin((x + 2 * y) / 17 + Math.sin(y / 29));
    const fine = 20 * Math.sin(x / 3.1) * Math.sin(y / 4.3 + x / 90);
    data[at] = Math.round(128 + coarse + middle + fine);
  }
  return { width: SIDE, height: SIDE, channels: 3, data };
}

function measurePsnr(before: MarkRaster['data'], after: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < before.length; at++) sum += ((before[at] ?? 0) - (after[at] ?? 0)) ** 2;
  return 10 * Math.log10((255 ** 2 * before.length) / sum);
}
