import { open } from 'node:fs/promises';
import type { CheckCode, ErrorCode, SearchResult } from '@colophon/model';
import { type ErrorExtras, ServiceError } from '../../errors.js';
import { readFully } from '../../platform/files/transfer-fully.js';
import {
  type Described,
  isDescribable,
  type Kind,
  kindOf,
  MAX_DESCRIBED_BYTES,
} from '../../search/descriptor.js';
import { readExact } from '../../search/descriptors.sql.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { Undescribable } from '../../search/worker/protocol.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { requireContent } from '../pinning/read-content.js';
import { DECODER_LIMIT_MS, decodeVideo } from './decode-video.js';
import { describeAndSearch } from './describe-and-search.js';
import {
  describableAs,
  describeBytes,
  describeStored,
  toUndescribed,
  type Undescribed,
} from './describe-content.js';
import { type ClassifiedMatch, findMatches } from './find-matches.js';

export const EXACT_METHOD = 'sha256';

/** `checkCode`: the code of the check in the public detector. */
export class FileRejection extends ServiceError {
  readonly checkCode: CheckCode;

  constructor(
    checkCode: CheckCode,
    { code, message, ...extras }: ErrorExtras & { code: ErrorCode; message: string },
  ) {
    super(code, message, extras);
    this.checkCode = checkCode;
  }
}

/** Finds content with the same bytes or, without such content, similar content. */
export async function searchFile(
  deps: RecordDeps,
  projectId: string,
  { file, limit, signal }: { file: StagedMedia; limit: number; signal: AbortSignal },
): Promise<SearchResult> {
  const { cid, aliases } = file.digests;
  const exact = await readExact(deps.reads, projectId, [cid, ...aliases]);
  if (exact !== undefined)
    return { verdict: 'exact', matches: [{ ...exact, score: 1, method: EXACT_METHOD }] };
  const queried = toQueried(deps, file);
  const steps = {
    content: queried,
    describe: (place: SearchContext) =>
      describeFile(deps, { ...queried, file, limitMs: DECODER_LIMIT_MS.search }, place),
    search: (described: Described, place: SearchContext) =>
      findMatches({ db: deps.reads, matching: deps.matching }, projectId, { described, place }),
  };
  const found = await describeAndSearch(deps, steps, { projectId, signal });
  return toResult(found, limit);
}

export async function listSimilar(
  deps: RecordDeps,
  projectId: string,
  { cid, limit, signal }: { cid: string; limit: number; signal: AbortSignal },
): Promise<SearchResult> {
  const content = await requireContent({ ...deps, provenance: deps.reads }, projectId, { cid, signal });
  const kind = describableAs(deps.matching, content);
  if (kind === undefined) return { verdict: 'no-match', matches: [] };
  await content.ready();
  const stored = { projectId, ...content };
  const video = { mediaType: content.mimeType, source: { blobs: deps.blobs, stored } };
  const steps = {
    content: toUndescribed(deps.blobs, kind, stored),
    async describe(place: SearchContext) {
      const limitMs = DECODER_LIMIT_MS.search;
      const decoded = await decodeVideo(deps.matching, { ...video, limitMs }, place.signal);
      const description = await describeStored(deps, { ...stored, ...decoded }, place);
      return description.kind === 'nothing' ? undefined : description.described;
    },
    search: (described: Described, place: SearchContext) => {
      const query = { described, except: content.cid, place };
      return findMatches({ db: deps.reads, matching: deps.matching }, projectId, query);
    },
  };
  return toResult(await describeAndSearch(deps, steps, { projectId, signal }), limit);
}

function toResult(found: readonly ClassifiedMatch[], limit: number): SearchResult {
  const [best] = found;
  return {
    verdict: best?.judgement ?? 'no-match',
    matches: found.slice(0, limit).map(({ match }) => match),
  };
}

/** Throws when the service cannot describe a file of this type or size. */
export function toQueried(
  { matching }: Pick<RecordDeps, 'matching'>,
  { path, mediaType, digests: { sizeBytes } }: StagedMedia,
): Undescribed {
  const kind = kindOf(mediaType);
  if (kind === undefined || !matching.kinds.has(kind))
    throw new FileRejection('unsupported', {
      code: 'Unsupported',
      message: `Content of type ${mediaType} is found only by its exact bytes.`,
      recovery:
        'Send a picture (JPEG, PNG, WebP, GIF, TIFF, AVIF, SVG) or a text. The operator can install libheif-js for HEIC, fpcalc for sound (MP3, M4A, WAV, FLAC, Ogg, AAC, AIFF), ffmpeg for video (MP4, MOV, WebM, Matroska, AVI), and pdftotext for PDF.',
    });
  if (sizeBytes > MAX_DESCRIBED_BYTES)
    throw new FileRejection('tooLarge', {
      code: 'PayloadTooLarge',
      message: `Content of more than ${MAX_DESCRIBED_BYTES} bytes is found only by its exact bytes.`,
    });
  if (!isDescribable(kind, sizeBytes))
    throw indescribable({ reason: 'It is too small to be compared with other content.', hasTooLittle: true });
  return { kind, sizeBytes, readPart: (start, end) => readFilePart(path, start, end) };
}

/**
 * `end` is exclusive. Does not use `readFile` of Node.js, which copies a large file once more and blocks the main
 * thread.
 */
export async function readFilePart(
  path: string,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(end - start);
    return bytes.subarray(0, await readFully(file, bytes, start));
  } finally {
    await file.close();
  }
}

/** For a video, describes the frames that the decoder returns within `limitMs`. */
export async function describeFile(
  { matching }: Pick<RecordDeps, 'matching'>,
  { kind, file, limitMs }: { kind: Kind; file: StagedMedia; limitMs: number },
  place: SearchContext,
): Promise<Described> {
  const { path, mediaType } = file;
  const decoded = await decodeVideo(matching, { mediaType, source: { path }, limitMs }, place.signal);
  const bytes = await readFilePart(path, 0, file.digests.sizeBytes);
  const content = { kind, mediaType, bytes, ...decoded };
  const description = await describeBytes(matching.pool, content, { ...place, moved: [bytes.buffer] });
  if (description.kind === 'nothing') throw indescribable(description);
  return description.described;
}

function indescribable({ reason, hasTooLittle }: Omit<Undescribable, 'kind'>): FileRejection {
  return new FileRejection(hasTooLittle ? 'tooLittle' : 'unreadable', {
    code: 'ValidationError',
    message: `The service cannot search with this file. ${reason}`,
    recovery: 'Send another copy of the content.',
    details: [{ path: 'file', message: reason }],
  });
}
