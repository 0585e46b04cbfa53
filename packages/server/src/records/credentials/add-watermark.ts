import type { MarkInput } from '@colophon/model';
import { MARKABLE } from '../../search/image-mark.js';
import { MARKABLE_SOUND } from '../../search/sound-mark.js';
import type { RecordDeps } from '../deps.js';
import { isMarkableCompressed, markCompressedSound } from '../matching/mark-compressed-sound.js';
import { markPicture } from '../matching/mark-picture.js';
import { markSoundFile } from '../matching/mark-sound-file.js';
import { isMarkableVideo, markVideoFile } from '../matching/mark-video-file.js';
import type { Watermarking } from '../matching/write-marked-copy.js';
import { readKnownActions } from '../read/records.sql.js';
import { assertDisclosed } from './assert-disclosed.js';
import { chooseSigner } from './choose-signer.js';
import type { CredentialDeps } from './deps.js';
import { canSign, type Embedding } from './embedding.js';
import { requireEntity } from './require-entity.js';

/** Writes a watermarked copy of the file, or returns the reason why the file gets no watermark. */
export async function addWatermark(
  { records, credentials }: { records: RecordDeps; credentials: CredentialDeps },
  projectId: string,
  { input, media, signal }: Embedding & { input: MarkInput },
): Promise<Watermarking> {
  const { watermark = input.aiDisclosure !== null } = input;
  if (!watermark)
    return {
      reason:
        input.watermark === false
          ? 'The request turns the watermark off.'
          : 'Content without AI gets a watermark only with `watermark: true`.',
    };
  const mark = markerOf(media.mediaType);
  if (mark === undefined) return { reason: `The service adds no watermark to ${media.mediaType}.` };
  // Rejects an invalid request before the slow marking.
  assertDisclosed(input, await requireEntity(records, projectId, input.entityId));
  if (canSign(media.mediaType)) await chooseSigner(credentials, projectId, input);
  const isSlow = mark === markVideoFile || mark === markCompressedSound;
  const ids = isSlow && input.actionId !== undefined ? [input.actionId] : [];
  // A repeated request changes nothing, so it needs no new copy.
  if (ids.length > 0 && (await readKnownActions(records.provenance, projectId, ids)).size > 0)
    return { reason: 'An earlier request recorded the action.' };
  return mark(records, projectId, { media, signal });
}

function markerOf(mediaType: string): typeof markPicture | undefined {
  if (MARKABLE.test(mediaType)) return markPicture;
  if (MARKABLE_SOUND.test(mediaType)) return markSoundFile;
  if (isMarkableCompressed(mediaType)) return markCompressedSound;
  return isMarkableVideo(mediaType) ? markVideoFile : undefined;
}
