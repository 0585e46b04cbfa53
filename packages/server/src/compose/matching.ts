import type { Logger } from 'pino';
import type { SearchConfig } from '../config/search.js';
import { ConfigError } from '../config.js';
import type { Database } from '../platform/db/database.js';
import { type Job, moveJob } from '../platform/jobs/outbox.sql.js';
import type { JobHandler, JobRunner } from '../platform/jobs/run-jobs.js';
import type { RecordDeps } from '../records/deps.js';
import type { RecordItem } from '../records/draft/record-item.js';
import type { MatchingDeps } from '../records/matching/deps.js';
import { describeEarlierContent, type EarlierContent } from '../records/matching/describe-earlier.js';
import { createDescribeHandler } from '../records/matching/describe-job.js';
import { createEmbedHandler, EMBED_JOB } from '../records/matching/embed-job.js';
import { DESCRIBE_JOB, DESCRIBE_VIDEO_JOB, describeJobOf } from '../records/write/match-upload.js';
import type { Outcome } from '../records/write/outcome.js';
import type { Recorder } from '../records/write/recorder.js';
import { KINDS, type Kind } from '../search/descriptor.js';
import { createTextEmbedder, type TextEmbedder } from '../search/embed-text.js';
import { hasHeifDecoder } from '../search/heif-decoder.js';
import { toModelFormat, WAVE_MARK } from '../search/image-mark.js';
import { createLocalEmbedder } from '../search/local-model.js';
import { createMemoryIndex, type MemoryIndex } from '../search/memory-index.js';
import { memoryOfModel } from '../search/neural/neural-model.js';
import { createSearchPool } from '../search/search-pool.js';
import type { DescribingTarget } from '../search/undescribed.sql.js';

/** The decoders on the machine determine the supported kinds of content. */
export function createMatching(
  search: SearchConfig,
  { provenance, logger }: { provenance: Database; logger: Logger },
): MatchingDeps {
  const { waitMs, fpcalc, ffmpeg, pdftoppm, pdftotext, maxPictureBytes, storesIscc, maxModels } = search;
  const kinds = new Set<Kind>(['image', 'svg', 'text']);
  if (hasHeifDecoder()) kinds.add('heif');
  if (fpcalc !== undefined) kinds.add('audio');
  if (ffmpeg !== undefined) kinds.add('video');
  if (pdftotext !== undefined) kinds.add('pdf');
  const pool = createSearchPool(search);
  const reportFailure = (err: unknown) =>
    logger.warn({ err }, 'the search index failed; the database is searched instead');
  const index = createMemoryIndex(provenance, { maxBytes: search.indexBytes, reportFailure });
  const embedder = createEmbedder(search);
  const { watermarkModel } = search;
  const pictureMark = watermarkModel === undefined ? WAVE_MARK : toModelFormat(watermarkModel);
  const modelBytes = memoryOfModel(watermarkModel);
  const marking = { maxPictureBytes, pictureMark, modelBytes };
  return { pool, index, kinds, storesIscc, ffmpeg, pdftoppm, ...marking, waitMs, maxModels, embedder };
}

/** Maximum memory of a watermark model without a warning, as a part of `WORKER_MEMORY_BYTES`. */
const MODEL_SHARE = 1 / 3;

export function warnOfLargeModel(
  { modelBytes }: Pick<MatchingDeps, 'modelBytes'>,
  memoryBytes: number,
  logger: Pick<Logger, 'warn'>,
): void {
  if (modelBytes <= memoryBytes * MODEL_SHARE) return;
  logger.warn(
    { modelBytes, memoryBytes },
    `The model of WATERMARK_MODEL_DIR counts as ${modelBytes} bytes in each task that uses it, which is more than a third of WORKER_MEMORY_BYTES. Other tasks wait for it. If the machine has the memory, set WORKER_MEMORY_BYTES to at least ${Math.ceil(modelBytes / MODEL_SHARE)}.`,
  );
}

/** Runs the watermark model once, in a thread. Throws ConfigError if the model fails. */
export async function assertModelWorks(
  { pool }: Pick<MatchingDeps, 'pool'>,
  { watermarkModel }: Pick<SearchConfig, 'watermarkModel'>,
): Promise<void> {
  if (watermarkModel === undefined) return;
  const { signal } = new AbortController();
  const problem = await pool.run({ kind: 'tryModel' }, { signal, hold: () => {} }).then(
    (answer) => (answer.kind === 'tried' ? answer.problem : answer.kind),
    (error: Error) => error.message,
  );
  if (problem === undefined) return;
  throw new ConfigError([
    `WATERMARK_MODEL_DIR names ${watermarkModel.directory}, whose model fails: ${problem}`,
  ]);
}

function createEmbedder({ embeddings, modelDirectory }: SearchConfig): TextEmbedder | undefined {
  if (modelDirectory !== undefined) return createLocalEmbedder(modelDirectory);
  return embeddings === undefined ? undefined : createTextEmbedder(embeddings);
}

/** Wraps the recorder, so that the next search in this process finds the new descriptors. */
export function withIndexedDescriptors(recorder: Recorder, index: MemoryIndex): Recorder {
  const indexDescriptor = (projectId: string, item: RecordItem, outcome: Outcome) => {
    if (item.descriptor === undefined || outcome.outcome !== 'recorded') return;
    const { cid } = item.descriptor;
    const resource = outcome.resources.find((one) => one.cid === cid);
    // The content has another canonical CID than its descriptor. So the next search reads the descriptor from the
    // database.
    if (resource === undefined) index.noteChange(projectId);
    else index.addRecorded(projectId, { ...item.descriptor, type: resource.type });
  };
  return {
    ...recorder,
    async record(projectId, item, wait) {
      const outcome = await recorder.record(projectId, item, wait);
      indexDescriptor(projectId, item, outcome);
      return outcome;
    },
    async recordTogether(projectId, batch) {
      const outcomes = await recorder.recordTogether(projectId, batch);
      if (!batch.isTrial && batch.items.some(({ descriptor }) => descriptor !== undefined))
        index.noteChange(projectId);
      return outcomes;
    },
  };
}

export function createMatchingHandlers({
  provenance,
  blobs,
  copies,
  matching,
  scheduler,
}: RecordDeps): Record<string, JobHandler> {
  const { embedder, index } = matching;
  const describe = createDescribeHandler({ provenance, blobs, copies, matching, scheduler });
  return {
    [DESCRIBE_JOB]: (job, signal) => moveVideo(provenance, job) ?? describe(job, signal),
    ...(embedder === undefined
      ? {}
      : { [EMBED_JOB]: createEmbedHandler({ provenance, blobs, copies, embedder, index }) }),
  };
}

/** Earlier versions queued videos as `DESCRIBE_JOB`. Returns undefined for other jobs. */
function moveVideo(db: Database, job: Job): Promise<void> | undefined {
  const { mimeType } = job.payload as { mimeType?: string };
  return KINDS.video.types.test(mimeType ?? '') ? moveJob(db, job, DESCRIBE_VIDEO_JOB) : undefined;
}

export function createVideoHandlers(deps: RecordDeps): Record<string, JobHandler> {
  return { [DESCRIBE_VIDEO_JOB]: createDescribeHandler(deps) };
}

/** Describes content that has no descriptor of the current method, for example after a failed job. */
export function startDescribingEarlier(
  { provenance, matching: { kinds, storesIscc, embedder } }: RecordDeps,
  { jobs, logger, againMs }: { jobs: JobRunner; logger: Logger; againMs?: number },
): EarlierContent {
  const targets: DescribingTarget[] = [...kinds].map((kind) => ({
    ...KINDS[kind],
    jobKind: describeJobOf(kind),
    alsoIscc: storesIscc,
  }));
  if (embedder !== undefined)
    targets.push({ method: embedder.method, types: KINDS.text.types, jobKind: EMBED_JOB });
  return describeEarlierContent({
    db: provenance,
    targets,
    wake: jobs.wake,
    againMs,
    reportFailure: (err) =>
      logger.warn({ err }, 'content without a descriptor could not be described; the service tries again'),
  });
}
