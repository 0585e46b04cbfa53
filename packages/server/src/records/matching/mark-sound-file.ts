import { memoryToMarkSound, SOUND_MARK } from '../../search/sound-mark.js';
import {
  type MarkedCopyDeps,
  type MediaToMark,
  toFileToMark,
  type Watermarking,
  writeMarkedCopy,
} from './write-marked-copy.js';

/** The media type must match `MARKABLE_SOUND`. Rejects with `Timeout` or `Unavailable`, and the caller can repeat. */
export function markSoundFile(
  deps: MarkedCopyDeps,
  projectId: string,
  { media, signal }: MediaToMark,
): Promise<Watermarking> {
  const memoryBytes = memoryToMarkSound(media.digests.sizeBytes);
  const method = { as: 'sound', format: SOUND_MARK } as const;
  return writeMarkedCopy(deps, projectId, { file: toFileToMark(media), signal, memoryBytes, method });
}
