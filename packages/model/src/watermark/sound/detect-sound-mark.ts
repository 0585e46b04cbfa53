import { type Folded, foldParts, MAX_ANALYSED_SECONDS, readSoftBits } from './fold-periods.js';
import { readRows } from './rows.js';
import { assertSound, type Sound, toMono } from './sound.js';
import { decodeSoundBits } from './sound-code.js';
import { scoreOfBits, smallestSoundScore, soundFalsePositiveRate } from './sound-score.js';

/** A mark that a sound carries. */
export interface SoundMark {
  /** The 32 bits. */
  payload: bigint;
  /**
   * Correlation of the payload's code with the sound. The unit is the standard deviation of this correlation in
   * unmarked sounds.
   */
  score: number;
  /** Upper bound for the probability that an unmarked sound reaches this score; at most 1e-6. */
  falsePositiveRate: number;
}

/**
 * Returns the mark in the first 10 minutes of a sound; undefined if this part has no mark. The original sound is not
 * needed. The mark carries a payload. A mark does not prove an origin, because it can be copied to another sound.
 *
 * @throws RangeError if the sample rate is not from 8000 to 768000 Hz, or if the sound has no channels or channels of
 * different lengths
 */
export function detectSoundMark(sound: Sound): SoundMark | undefined {
  assertSound(sound);
  const { sampleRate } = sound;
  const longest = MAX_ANALYSED_SECONDS * sampleRate;
  const channels = sound.channels.map((channel) => channel.subarray(0, longest));
  for (const part of foldParts(readRows(toMono({ sampleRate, channels }), sampleRate))) {
    const mark = readMark(part);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

function readMark(part: Folded): SoundMark | undefined {
  for (const soft of readSoftBits(part)) {
    const { bits, payload } = decodeSoundBits(soft);
    if (payload === undefined) continue;
    const score = scoreOfBits(soft, bits);
    if (score >= smallestSoundScore)
      return { payload, score, falsePositiveRate: soundFalsePositiveRate(score) };
  }
  return undefined;
}
