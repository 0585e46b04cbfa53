import { createHash } from 'node:crypto';
import { createContentHasher, parseContentId } from '@colophon/model';
import type { BlobRef, BlobStore, StoredBlob } from '../blobs/blob-store.js';
import { AlteredContentError } from '../blobs/verify-content.js';
import type { Database } from '../platform/db/database.js';
import type { PinningDeps } from '../records/pinning/pin-content.js';
import { type PinnedContent, restorePinned } from '../records/pinning/restore-pinned.js';
import {
  filterStored,
  listStoredContents,
  listStoredTotals,
  type StoredContentRow,
} from '../records/read/stored-contents.sql.js';
import { deleteThumbnail } from '../records/write/thumbnails.sql.js';

export interface CheckDeps {
  provenance: Database;
  blobs: BlobStore;
  pinnerOf: PinningDeps['pinnerOf'];
}

export interface StoreCheckOptions {
  /** Compares sizes and does not hash the bytes. */
  quick: boolean;
  /** Removes orphans, and restores missing or altered content from a pinned copy. */
  repair: boolean;
  /**
   * Together with `repair`, removes altered content that no pinned copy restores. A later upload of the bytes restores
   * this content.
   */
  dropAltered: boolean;
  /** Receives the number of bytes that were checked since its last call. */
  onProgress: (checkedBytes: number) => void | Promise<void>;
}

/** `misnamed`: the bytes match the recorded digest but not the CID. */
export type ContentProblem = 'missing' | 'altered' | 'misnamed';

/** `missing`: recorded but not stored. `orphaned`: stored but not recorded. */
export interface Finding {
  problem: ContentProblem | 'orphaned';
  projectId: string;
  /** Absent for orphans. */
  cid?: string;
  contentDigest: string;
  sizeBytes: number;
  repaired?: 'restored' | 'removed';
  /** Errors of pinning services. */
  faults?: string[];
}

/** Newer bytes may belong to a recording that is not written yet. */
const ORPHANED_AFTER_MS = 60 * 60 * 1000;
const BATCH = 200;

/**
 * Yields the differences between records and stored bytes. With `repair`, nothing else may write, because the removal
 * of an orphan would also remove the bytes of a concurrent upload.
 */
export async function* checkStore(deps: CheckDeps, options: StoreCheckOptions): AsyncGenerator<Finding> {
  for (const { projectId } of await listStoredTotals(deps.provenance)) {
    yield* checkRecorded(deps, options, projectId);
  }
  yield* findOrphans(deps, options);
}

async function* checkRecorded(
  deps: CheckDeps,
  options: StoreCheckOptions,
  projectId: string,
): AsyncGenerator<Finding> {
  for (let after = ''; ; ) {
    const rows = await listStoredContents(deps.provenance, projectId, { after, limit: BATCH });
    for (const row of rows) {
      const ref = { projectId, contentDigest: row.contentDigest };
      const problem = await findContentProblem(deps.blobs, { ref, row, options });
      if (problem === undefined) continue;
      const { pinned, ...facts } = row;
      const content = { ref, pinned, sizeBytes: row.sizeBytes };
      // Misnamed bytes may be the valid content of another record, so they are not touched.
      const mayRepair = options.repair && problem !== 'misnamed';
      const outcome = mayRepair ? await repair(deps, content, { problem, options }) : {};
      // The thumbnail may show bytes that are altered or gone.
      if (mayRepair) await deleteThumbnail(deps.provenance, projectId, row.contentDigest);
      yield { problem, projectId, ...facts, ...outcome };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.cid;
  }
}

export interface CheckedContent {
  ref: BlobRef;
  row: StoredContentRow;
  options: Pick<StoreCheckOptions, 'quick' | 'onProgress'>;
}

export async function findContentProblem(
  blobs: BlobStore,
  { ref, row, options }: CheckedContent,
): Promise<ContentProblem | undefined> {
  const sizeBytes = await blobs.readSize(ref);
  if (sizeBytes === row.sizeBytes && !options.quick) return findByteProblem(blobs, { ref, row, options });
  await options.onProgress(row.sizeBytes);
  if (sizeBytes === undefined) return 'missing';
  return sizeBytes === row.sizeBytes ? undefined : 'altered';
}

async function findByteProblem(
  blobs: BlobStore,
  { ref, row, options }: CheckedContent,
): Promise<ContentProblem | undefined> {
  const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
  try {
    for await (const chunk of (await blobs.readContent(ref)) ?? []) {
      hasher.update(chunk);
      await options.onProgress(chunk.length);
    }
  } catch (error) {
    if (error instanceof AlteredContentError) return 'altered';
    throw error;
  }
  const { contentDigest, cid } = hasher.finish();
  if (contentDigest !== ref.contentDigest) return 'altered';
  return cid === row.cid ? undefined : 'misnamed';
}

interface Diagnosis {
  problem: Exclude<ContentProblem, 'misnamed'>;
  options: StoreCheckOptions;
}

async function repair(
  { blobs, pinnerOf }: CheckDeps,
  content: PinnedContent,
  { problem, options }: Diagnosis,
): Promise<Pick<Finding, 'repaired' | 'faults'>> {
  const { isRestored, faults } = await restorePinned({ blobs, pinnerOf }, content);
  if (isRestored) return { repaired: 'restored' };
  // A service that fails now may still have the copy, so nothing is removed.
  if (faults.length > 0) return { faults };
  if (problem !== 'altered' || !options.dropAltered) return {};
  await blobs.remove(content.ref);
  return { repaired: 'removed' };
}

async function* findOrphans(deps: CheckDeps, options: StoreCheckOptions): AsyncGenerator<Finding> {
  let batch: StoredBlob[] = [];
  for await (const blob of deps.blobs.listContents()) {
    // A batch has contents of one project. Most stores list content by project, so most batches are full.
    if (batch.length === BATCH || batch.some(({ projectId }) => projectId !== blob.projectId)) {
      yield* findOrphansOf(deps, options, batch);
      batch = [];
    }
    batch.push(blob);
  }
  yield* findOrphansOf(deps, options, batch);
}

async function* findOrphansOf(
  { provenance, blobs }: CheckDeps,
  { repair }: StoreCheckOptions,
  batch: readonly StoredBlob[],
): AsyncGenerator<Finding> {
  const [first] = batch;
  if (first === undefined) return;
  const nameOf = ({ contentDigest }: StoredBlob) => parseContentId(contentDigest) ?? contentDigest;
  const stored = await filterStored(provenance, first.projectId, batch.map(nameOf));
  for (const blob of batch) {
    const isOld = Date.now() - blob.storedAt.getTime() > ORPHANED_AFTER_MS;
    if (stored.has(nameOf(blob)) || !isOld) continue;
    if (repair) await blobs.remove(blob);
    const { projectId, contentDigest, sizeBytes } = blob;
    yield {
      problem: 'orphaned',
      projectId,
      contentDigest,
      sizeBytes,
      ...(repair && { repaired: 'removed' }),
    };
  }
}
