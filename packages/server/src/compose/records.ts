import type { Logger } from 'pino';
import { createSigner } from '../access/ed25519.js';
import type { SignatureChecker } from '../access/signatures/signature-checker.js';
import type { Config } from '../config.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import { type JobHandler, type JobRunner, startJobs } from '../platform/jobs/run-jobs.js';
import type { Proofs, RecordDeps } from '../records/deps.js';
import { createAnswers } from '../records/read/answers.js';
import { createBundleRows } from '../records/read/bundle-rows.js';
import { createIdentifyEntity } from '../records/write/entity-ids.js';
import { createRecorder } from '../records/write/recorder.js';
import type { OpenLimits } from './limits.js';
import { createMatchingHandlers, withIndexedDescriptors } from './matching.js';

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
  return {
    provenance,
    reads,
    // Concurrent reads of one project. The embedded engine runs one statement at a time.
    bundles: createBundleRows(reads, provenance.engine === 'pglite' ? 1 : 2),
    answers: createAnswers(reads, config.answerCacheBytes),
    recorder: withIndexedDescriptors(
      createRecorder(provenance, { proofsMayRepeat: config.proofs.policy !== 'enforce' }),
      parts.matching.index,
    ),
    identifyEntity: createIdentifyEntity(provenance),
    proofs: createProofs(config, { logger, checker }),
    hasOtherRequests: limits.windows.requests.hasOthers,
    ...parts,
  };
}

/** `signer` countersigns outputs whose bytes the service received. */
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

export function startRecordJobs(
  records: RecordDeps,
  {
    logger,
    more,
    polls,
  }: { logger: Logger; more: Readonly<Record<string, JobHandler>> | undefined; polls: PollInterval },
): JobRunner {
  return startJobs({
    db: records.provenance,
    pace: polls,
    handlers: { ...createMatchingHandlers(records), ...more },
    maxPerProject: 2,
    reportFailure: (err, job) => logger.error({ err, job: job?.id, kind: job?.kind }, 'a job failed'),
  });
}
