import type { BlobRef, BlobStore } from '../../blobs/blob-store.js';
import type { Queryable } from '../../platform/db/database.js';
import { whenAborted } from '../../platform/sleep-until.js';
import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { BUSY, withinLimit } from '../../platform/work/within-limit.js';
import { type Kind, kindOf, MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { PublicationSettings } from '../conversion/published-terms.js';
import type { MatchingDeps } from '../matching/deps.js';
import { readStored, toUndescribed, turnToDescribe } from '../matching/describe-content.js';
import type { Copies } from '../pinning/copies.js';
import { type Content, lost, requireContent } from '../pinning/read-content.js';
import type { Answer } from '../read/answer-cache.js';
import { toAnswer } from '../read/answers.js';
import { readStoredContent } from '../read/records.sql.js';
import { createSharedRead } from './brief-cache.js';

export interface PictureDeps {
  reads: Queryable;
  blobs: BlobStore;
  copies: Copies;
  matching: Pick<MatchingDeps, 'pool' | 'kinds' | 'maxPictureBytes'>;
  scheduler: Pick<Scheduler, 'run'>;
}

/** The bytes of a content never change, so a cached picture is never out of date. */
const MEMORY = { forMs: 600_000, entries: 400, bytes: 2 ** 24 };
/** Includes the wait behind the work of projects. */
const MAX_WAIT_MS = 20_000;
const PICTURES = ['image', 'heif'] as const;

type PictureKind = (typeof PICTURES)[number];

export function picturesOf({ kinds }: Pick<MatchingDeps, 'kinds'>): readonly Kind[] {
  return PICTURES.filter((kind) => kinds.has(kind));
}

/** Concurrent readers of a picture share one decoding, which waits behind the work of all projects. */
export function createReadPicture(
  deps: PictureDeps,
): (options: PublicationSettings, signal: AbortSignal) => Promise<Answer | undefined> {
  const read = createSharedRead(MEMORY);
  return async ({ projectId, cid, picture }, signal) => {
    const stored = picture ? await readStoredContent(deps.reads, projectId, cid) : undefined;
    const kind = stored === undefined ? undefined : pictureKind(deps, stored);
    if (stored === undefined || kind === undefined) return undefined;
    const name = stored.contentDigest;
    return read({ owner: projectId, name }, signal, (allGone) =>
      withinLimit({ ...BUSY, signal: allGone, limitMs: MAX_WAIT_MS }, (running) => {
        const making = makePicture(deps, projectId, { cid, kind, signal: running });
        // Rejects as soon as `running` aborts, so that the next reader starts another attempt.
        return Promise.race([making, whenAborted(running)]);
      }),
    );
  };
}

function pictureKind(
  { matching }: Pick<PictureDeps, 'matching'>,
  { mimeType, sizeBytes }: Pick<Content, 'mimeType' | 'sizeBytes'>,
): PictureKind | undefined {
  const kind = PICTURES.find((one) => one === kindOf(mimeType));
  const isDecodable = kind !== undefined && matching.kinds.has(kind) && sizeBytes <= MAX_DESCRIBED_BYTES;
  return isDecodable ? kind : undefined;
}

interface PictureRequest {
  cid: string;
  kind: PictureKind;
  signal: AbortSignal;
}

async function makePicture(
  deps: PictureDeps,
  projectId: string,
  { cid, kind, signal }: PictureRequest,
): Promise<Answer | undefined> {
  if (!(await holdPictureLibrary())) return undefined;
  const { matching, scheduler } = deps;
  const found = await requireContent({ ...deps, provenance: deps.reads }, projectId, { cid, signal });
  await found.ready();
  const content = { ...found, projectId };
  const turn = await turnToDescribe(matching, toUndescribed(deps.blobs, kind, content));
  const place = { ...turn, projectId, signal, isBackground: true, hasCaller: true };
  return scheduler.run(place, (running, hold) => decode(deps, { content, kind }, { signal: running, hold }));
}

async function decode(
  { blobs, matching: { pool } }: PictureDeps,
  { content, kind }: { content: Content & BlobRef; kind: PictureKind },
  place: SearchContext,
): Promise<Answer | undefined> {
  const { cid, sizeBytes: end } = content;
  const bytes = await readStored(blobs, content, { start: 0, end, signal: place.signal });
  if (bytes === undefined) throw lost(cid);
  const made = await pool.run({ kind: 'preview', as: kind, bytes }, { ...place, moved: [bytes.buffer] });
  if (made.kind === 'preview') return toAnswer([Buffer.from(made.bytes)]);
  if (made.kind === 'unread') return undefined;
  throw new Error(`The search thread returned "${made.kind}", but a picture was requested`);
}
