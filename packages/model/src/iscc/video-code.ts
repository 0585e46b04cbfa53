import { IsccError, type IsccUnit } from './header.js';
import { packBits } from './pack-bits.js';
import { WINNER_PAIRS } from './winner-pairs.js';

/** The number of values in the signature of a frame (MPEG-7 video signature). */
export const FRAME_SIGNATURE_VALUES = 380;

/**
 * Returns the Video-Code of the frame signatures of a film. Equal signatures count once. Throws IsccError if there are
 * no frames, or if a signature does not have 380 values.
 */
export function videoUnit(frames: Iterable<readonly number[]>): IsccUnit {
  const sums = new Float64Array(FRAME_SIGNATURE_VALUES);
  const seen = new Set<string>();
  for (const frame of frames) {
    if (frame.length !== sums.length) {
      throw new IsccError(`A frame signature has ${sums.length} values, not ${frame.length}`);
    }
    const text = frame.join(' ');
    if (seen.has(text)) continue;
    seen.add(text);
    for (const [at, value] of frame.entries()) sums[at] = (sums[at] ?? 0) + value;
  }
  if (seen.size === 0) throw new IsccError('A Video-Code needs at least one frame signature');
  const bits = WINNER_PAIRS.map(([first, second]) => (sums[second] ?? 0) > (sums[first] ?? 0));
  return { mainType: 'content', medium: 'video', digest: packBits(bits) };
}
