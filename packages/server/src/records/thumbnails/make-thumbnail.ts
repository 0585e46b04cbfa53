import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import { soundDemuxerOf } from '../../search/audio/read-samples.js';
import { KINDS, kindOf, MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { MARKABLE_SOUND } from '../../search/sound-mark.js';
import { demuxerOf } from '../../search/video/frames.js';
import type { ContentThumbnail } from '../write/thumbnails.sql.js';
import { pdfDrawer, soundDrawer, videoDrawer } from './decoded-drawers.js';
import { imageDrawer, textDrawer, wavDrawer } from './direct-drawers.js';
import type { Drawer, DrawnContent, ThumbnailDeps } from './drawer.js';
import { noThumbnail } from './no-thumbnail.js';

export async function makeThumbnail(
  deps: ThumbnailDeps,
  content: DrawnContent,
  signal: AbortSignal,
): Promise<ContentThumbnail> {
  const { projectId, cid, mimeType } = content;
  await deps.copies.ensureStored(content, cid, signal);
  const drawer = KINDS.text.types.test(mimeType)
    ? textDrawer(deps, content)
    : await pictureDrawerOf(deps, content);
  const { draw, ...turn } = drawer;
  return deps.scheduler.run({ ...turn, projectId, signal }, (running, hold) =>
    draw({ signal: running, hold }),
  );
}

async function pictureDrawerOf(deps: ThumbnailDeps, content: DrawnContent): Promise<Drawer> {
  const { mimeType, sizeBytes } = content;
  const drawer = (await holdPictureLibrary()) ? chooseDrawer(deps, content) : undefined;
  if (drawer === undefined)
    throw noThumbnail(content, 'unsupported', `This service draws no thumbnails of ${mimeType}.`);
  // The waveform of a WAV file needs only its beginning.
  if (sizeBytes > MAX_DESCRIBED_BYTES && !MARKABLE_SOUND.test(mimeType))
    throw noThumbnail(content, 'unsupported', `It has more than ${MAX_DESCRIBED_BYTES} bytes.`);
  return drawer();
}

/** Returns undefined when the service does not read this type, or lacks its decoder. */
function chooseDrawer(
  deps: ThumbnailDeps,
  content: DrawnContent,
): (() => Drawer | Promise<Drawer>) | undefined {
  const { ffmpeg, pdftoppm, kinds } = deps.matching;
  const { mimeType } = content;
  const kind = kindOf(mimeType);
  if ((kind === 'image' || kind === 'heif') && kinds.has(kind)) return () => imageDrawer(deps, content, kind);
  if (MARKABLE_SOUND.test(mimeType)) return () => wavDrawer(deps, content);
  const [sound, video] = [soundDemuxerOf(mimeType), demuxerOf(mimeType)];
  if (ffmpeg !== undefined && sound !== undefined)
    return () => soundDrawer(deps, content, { program: ffmpeg, demuxer: sound });
  if (ffmpeg !== undefined && video !== undefined)
    return () => videoDrawer(deps, content, { program: ffmpeg, demuxer: video });
  if (pdftoppm !== undefined && mimeType === 'application/pdf')
    return () => pdfDrawer(deps, content, pdftoppm);
  return undefined;
}
