import { memoryToMarkSound, SOUND_MARK } from '../../search/sound-mark.js';
import {
  type MarkedCopyDeps,
  type MediaToMark,
  toFileToMark,
  type Watermarking,
  writeMarkedCopy,
} from './write-marked-copy.js';

/**
 * Writes a copy of a sound with a new watermark, in the directory of the file. The media type must match
 * `MARKABLE_SOUND`. Returns the reason when the sound gets no watermark. When the thread is too slow or stops, rejects
 * with `Timeout` or `Unavailable`, and the caller can repeat the request.
 */
export function markSoundFile(
  deps: MarkedCopyDeps,
  projectId: string,
  { media, signal }: MediaToMark,
): Promise<Watermarking> {
  const memoryBytes = memoryToMarkSound(media.digests.sizeBytes);
  const method = { as: 'sound', format: SOUND_MARK } as const;
  return writeMarkedCopy(deps, projectId, { file: toFileToMark(media), signal, memoryBytes, method });
}
