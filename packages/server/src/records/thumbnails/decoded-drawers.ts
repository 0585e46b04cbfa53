import { LARGE_CHUNK_BYTES } from '../../blobs/blob-store.js';
import type { TemporaryUse } from '../../platform/files/temporary-directory.js';
import { withTemporaryFile } from '../../platform/files/temporary-file.js';
import type { WorkKind } from '../../platform/work/scheduler.js';
import { MAX_SAMPLES_BYTES, readSamples } from '../../search/audio/read-samples.js';
import { readPdfPage } from '../../search/read-pdf-page.js';
import { DECODER_BYTES, type DecoderBounds } from '../../search/run-decoder.js';
import { readStill } from '../../search/video/read-still.js';
import { lost } from '../pinning/read-content.js';
import { DRAWING_BYTES, type Drawer, type DrawnContent, drawInThread, type ThumbnailDeps } from './drawer.js';
import { noThumbnail } from './no-thumbnail.js';

/** Longest run of a decoder. With the drawing, a thumbnail takes at most 30 s. */
const DECODER_TIME = { cpuSeconds: 10, limitMs: 20_000 };

interface Decoder {
  program: string;
  demuxer: string;
}

type FileToDecode = Omit<DecoderBounds, 'maxBytes'> & { path: string };

/** `decode` returns no bytes when the decoder fails. */
interface Decoding {
  kind: WorkKind;
  use: TemporaryUse;
  as: 'image' | 'samples';
  decode(file: FileToDecode): Promise<Uint8Array<ArrayBuffer>>;
}

/** Draws the waveform of the first minute. */
export function soundDrawer(
  deps: ThumbnailDeps,
  content: DrawnContent,
  { program, demuxer }: Decoder,
): Drawer {
  return drawerOf(deps, content, {
    ...{ kind: 'video', use: 'sound', as: 'samples' },
    decode: (file) => readSamples(program, { ...file, demuxer }),
  });
}

/** Draws a frame from the beginning. */
export function videoDrawer(
  deps: ThumbnailDeps,
  content: DrawnContent,
  { program, demuxer }: Decoder,
): Drawer {
  return drawerOf(deps, content, {
    ...{ kind: 'video', use: 'video', as: 'image' },
    decode: (file) => readStill(program, { ...file, demuxer }),
  });
}

/** Draws the first page. */
export function pdfDrawer(deps: ThumbnailDeps, content: DrawnContent, program: string): Drawer {
  return drawerOf(deps, content, {
    ...{ kind: 'describe', use: 'page', as: 'image' },
    decode: (file) => readPdfPage(program, file),
  });
}

function drawerOf(deps: ThumbnailDeps, content: DrawnContent, { kind, use, as, decode }: Decoding): Drawer {
  return {
    kind,
    // The decoder ends before the thread draws, so only the larger of their two amounts of memory counts.
    memoryBytes: MAX_SAMPLES_BYTES + Math.max(DECODER_BYTES, DRAWING_BYTES),
    async draw(place) {
      const { signal } = place;
      const stored = await deps.blobs.readContent(content, undefined, LARGE_CHUNK_BYTES);
      if (stored === undefined) throw lost(content.cid);
      const bytes = await withTemporaryFile(use, { content: stored, signal }, (path) =>
        decode({ path, signal, ...DECODER_TIME }),
      );
      if (bytes.length > 0) return drawInThread(deps, content, { as, bytes, place });
      throw noThumbnail(
        content,
        'undecodable',
        'The decoder could not read the beginning of the content within the limits of time and memory.',
      );
    },
  };
}
