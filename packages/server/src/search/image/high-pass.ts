import { EDGE } from './raster.js';

/** Neighbours on each side of a pixel that count in the mean. */
const REACH = 4;

/** Subtracts the mean of the surroundings, and compresses the rest. Plain areas and slow gradients become zero. */
export function highPass(luma: ArrayLike<number>): Float32Array {
  const columns = blur(luma, { step: 1, line: EDGE });
  const means = blur(columns, { step: EDGE, line: 1 });
  return Float32Array.from(means, (mean, at) => {
    const value = (luma[at] ?? 0) - mean;
    return Math.sign(value) * (Math.sqrt(Math.abs(value) + 1) - 1);
  });
}

/** Computes means of up to 9 pixels along lines. `step`: distance of two pixels; `line`: distance of two lines. */
function blur(values: ArrayLike<number>, { step, line }: { step: number; line: number }): Float64Array {
  const means = new Float64Array(EDGE * EDGE);
  for (let index = 0; index < EDGE; index++) {
    for (let at = 0; at < EDGE; at++) {
      const [first, last] = [Math.max(0, at - REACH), Math.min(EDGE - 1, at + REACH)];
      let sum = 0;
      for (let near = first; near <= last; near++) sum += values[index * line + near * step] ?? 0;
      means[index * line + at * step] = sum / (last - first + 1);
    }
  }
  return means;
}
