import { detectImageMark, embedImageMark } from '@colophon/model/watermark';
import { WAVE_MARK } from '../image-mark.js';
import type { NeuralModel } from '../neural/neural-model.js';
import type { ImageMarkAlgorithm } from './image-mark-algorithm.js';
import { createNeuralMark } from './neural-mark.js';

/** `readers` read the watermarks of `marker` and `WAVE_MARK`, but not those of an earlier model. */
export interface ImageMarks {
  marker: ImageMarkAlgorithm;
  readers: readonly ImageMarkAlgorithm[];
}

const waveMark: ImageMarkAlgorithm = {
  ...WAVE_MARK,
  embed: async (raster, payload) => embedImageMark(raster, payload),
  async detect(raster) {
    const found = detectImageMark(raster);
    return found && WAVE_MARK.toBinding(found.payload);
  },
};

export function chooseImageMarks(model: NeuralModel | undefined): ImageMarks {
  if (model === undefined) return { marker: waveMark, readers: [waveMark] };
  const neuralMark = createNeuralMark(model);
  return { marker: neuralMark, readers: [neuralMark, waveMark] };
}
