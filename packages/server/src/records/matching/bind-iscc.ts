import { encodeIsccSequence, ISCC_BINDING, type StoredSoftBinding, toBase64 } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { Kind } from '../../search/descriptor.js';
import { hasStoredTextUnit } from '../../search/iscc/content-unit.js';
import type { RecordDeps } from '../deps.js';
import { DECODER_LIMIT_MS, decodeVideo } from './decode-video.js';
import { codableAs, codeBytes, turnToCode } from './describe-content.js';
import { readFilePart } from './search-file.js';

interface FileToBind {
  path: string;
  mediaType: string;
  sizeBytes: number;
  signal: AbortSignal | undefined;
}

/** Returns the ISCC as a soft binding. Undefined when there is no Content-Code, and after a timeout. */
export async function bindIscc(
  { matching, scheduler }: Pick<RecordDeps, 'matching' | 'scheduler'>,
  projectId: string,
  { path, mediaType, sizeBytes, signal }: FileToBind,
): Promise<StoredSoftBinding | undefined> {
  const kind = codableAs(matching, { mimeType: mediaType, sizeBytes });
  if (kind === undefined || !hasContentCode(kind, { mediaType, sizeBytes })) return undefined;
  const readPart = (start: number, end: number) => readFilePart(path, start, end);
  const turn = await turnToCode(matching, { kind, sizeBytes, readPart });
  const video = {
    mediaType,
    source: { path },
    limitMs: DECODER_LIMIT_MS.search,
    parts: 'signature',
  } as const;
  try {
    const coded = await scheduler.run({ ...turn, projectId, signal }, async (running, hold) => {
      const decoded = kind === 'video' ? await decodeVideo(matching, video, running) : {};
      if (kind === 'video' && decoded.signature === undefined) return undefined;
      const bytes = await readFilePart(path, 0, sizeBytes);
      const place = { signal: running, hold, moved: [bytes.buffer] };
      return codeBytes(matching.pool, { kind, mediaType, bytes, iscc: 'only', ...decoded }, place);
    });
    // Signing the file changes all other units, so a binding without a Content-Code would find nothing.
    const units = coded?.units;
    if (units?.some(({ mainType }) => mainType === 'content') !== true) return undefined;
    return { alg: ISCC_BINDING, value: toBase64(encodeIsccSequence(units)) };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Timeout') return undefined;
    throw error;
  }
}

function hasContentCode(kind: Kind, file: Pick<FileToBind, 'mediaType' | 'sizeBytes'>): boolean {
  return kind === 'text' ? hasStoredTextUnit(file) : kind !== 'pdf' && kind !== 'svg';
}
