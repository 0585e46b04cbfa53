import type { Logger } from 'pino';
import { createSigner } from '../access/ed25519.js';
import type { SignatureChecker } from '../access/signatures/signature-checker.js';
import type { Config } from '../config.js';
import type { Job } from '../platform/jobs/outbox.sql.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import { type JobHandler, type JobRunner, startJobs } from '../platform/jobs/run-jobs.js';
import { createFairLimit } from '../platform/work/limit-concurrency.js';
import type { Proofs, RecordDeps } from '../records/deps.js';
import { createOpenCar } from '../records/pinning/read-content.js';
import { createAnswers } from '../records/read/answers.js';
import { createBundleRows } from '../records/read/bundle-rows.js';
import { toMaxSerialActions } from '../records/write/batch-kind.js';
import { createIdentifyEntity } from '../records/write/entity-ids.js';
import { createRecorder } from '../records/write/recorder.js';
import type { OpenLimits } from './limits.js';
import { createMatchingHandlers, createVideoHandlers, withIndexedDescriptors } from './matching.js';

export function createRecords(
  config: Config,
  { provenance, reads }: Pick<RecordDeps, 'provenance' | 'reads'>,
  {
    logger,
    checker,
    limits,
    ...parts
  }: Pick<RecordDeps, 'blobs' | 'matching' | 'scheduler' | 'converter' | 'createHasher' | 'copies'> & {
    logger: Logger;
    checker: SignatureChecker;
    limits: OpenLimits;
  },
): RecordDeps {
  // The embedded engine runs one statement at a time.
  const atOnceOfOne = provenance.engine === 'pglite' ? 1 : 2;
  const maxSerialActions = toMaxSerialActions(provenance.engine, config.work.maxBatchRecords);
  return {
    provenance,
    reads,
    bundles: createBundleRows(reads, atOnceOfOne),
    limitLists: createFairLimit({
      ...{ atOnce: Number.POSITIVE_INFINITY, atOnceOfOne, maxWaitMs: config.work.maxWaitMs },
      message: `This list waited more than ${config.work.maxWaitMs} ms for other lists of the project (WORK_MAX_WAIT_MS).`,
    }),
    answers: createAnswers(reads, config.answerCacheBytes),
    recorder: withIndexedDescriptors(
      createRecorder(provenance, {
        proofsMayRepeat: config.proofs.policy !== 'enforce',
        scheduler: parts.scheduler,
        maxSerialActions,
      }),
      parts.matching.index,
    ),
    identifyEntity: createIdentifyEntity(provenance),
    proofs: createProofs(config, { logger, checker }),
    openCar: createOpenCar(),
    maxListRows: config.work.maxListRows,
    maxBatchRecords: config.work.maxBatchRecords,
    maxSerialActions,
    hasOtherRequests: limits.windows.requests.hasOthers,
    ...parts,
  };
}

/** `signer` countersigns a proof if the service received the output. */
function createProofs(
  { proofs: { policy, maxFaults, signingKeyHex } }: Config,
  { logger, checker }: { logger: Logger; checker: SignatureChecker },
): Proofs {
  return {
    policy,
    checker,
    maxFaults,
    signer: signingKeyHex === undefined ? undefined : createSigner(signingKeyHex),
    warn: (message, facts) => logger.warn(facts, message),
  };
}

/** Seconds, including the wait for a slot. A description takes up to 110 s, or 230 s for a video. */
const MAX_RUN_SECONDS = { other: 240, video: 480 };

/** Maximum number of concurrent jobs of a project while at least half of the slots of a runner are in use. */
const AT_ONCE_WHEN_BUSY = 1;

interface RecordJobSettings {
  logger: Logger;
  more: Readonly<Record<string, JobHandler>> | undefined;
  polls: PollInterval;
  /** Number of videos that are described at the same time. */
  videoPlaces: number;
}

/** Videos have their own runner, so that no other job waits for them. */
export function startRecordJobs(
  records: RecordDeps,
  { logger, more, polls, videoPlaces }: RecordJobSettings,
): JobRunner {
  const settings = {
    db: records.provenance,
    pace: polls,
    reportFailure: (err: unknown, job?: Job) =>
      logger.error({ err, job: job?.id, kind: job?.kind }, 'a job failed'),
  };
  const others = startJobs({
    ...settings,
    handlers: { ...createMatchingHandlers(records), ...more },
    maxPerProject: 2,
    maxPerProjectWhenBusy: AT_ONCE_WHEN_BUSY,
    maxRunSeconds: MAX_RUN_SECONDS.other,
  });
  if (!records.matching.kinds.has('video')) return others;
  const videos = startJobs({
    ...settings,
    handlers: createVideoHandlers(records),
    // The additional job waits for the next free slot, so that another project can have the next turn.
    concurrency: videoPlaces + 1,
    maxPerProject: Math.max(1, videoPlaces - 1),
    maxPerProjectWhenBusy: AT_ONCE_WHEN_BUSY,
    maxRunSeconds: MAX_RUN_SECONDS.video,
  });
  return {
    wake() {
      others.wake();
      videos.wake();
    },
    async close() {
      await Promise.all([others.close(), videos.close()]);
    },
  };
}
