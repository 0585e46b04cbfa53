import type { Logger } from 'pino';
import { type Allowance, createLimiter, type Limiter } from '../access/limiter.js';
import { createOpenUnits } from '../access/open-units.js';
import { createProjectOwners, OWNERS_APART_MS } from '../access/project-owners.js';
import type { SharedLimits } from '../access/shared-limiter.js';
import { createUploadPace } from '../access/upload-pace.js';
import type { Config } from '../config.js';
import type { Readiness } from '../http/app.js';
import type { Limits } from '../http/middleware/limit-requests.js';
import { createOwnerTurns } from '../http/middleware/owner-turns.js';

/** Factor on the limit of an address. A browser reads up to this number of files to load the page once. */
const FILES_OF_PAGE = 20;
/** Factor on the limit of an API key. The page sends up to this number of reads to show one view. */
const READS_OF_VIEW = 5;

export interface OpenLimits {
  windows: Limits;
  /** With REDIS_URL, all nodes share the limiters that have the same name. */
  create(name: string, allowance: Allowance): Limiter;
  readiness: Readiness;
  close(): Promise<void>;
}

export async function openLimits(config: Config, logger: Logger): Promise<OpenLimits> {
  const { rateLimit, projectRateLimit, redisUrl } = config;
  const reportFailure = (err: unknown) =>
    logger.warn(
      { err },
      'The Redis of REDIS_URL does not answer. Until it does, this node applies the rate limits only to its own requests. Check that Redis runs.',
    );
  const shared = redisUrl === undefined ? undefined : await openShared(redisUrl, reportFailure);
  const create: OpenLimits['create'] = (name, allowance) => {
    const local = createLimiter(allowance);
    return shared === undefined ? local : shared.createLimiter(name, allowance, local);
  };
  const owners = createProjectOwners();
  const requests = createOpenUnits(config.maxProjectRequests, owners.ownerOf);
  const hasOtherOwners = (projectId: string) => requests.hasOtherOwners(projectId, OWNERS_APART_MS);
  const { ownerRequestsAtOnce: atOnce, maxWaitMs } = config.work;
  return {
    windows: {
      byKey: create('key', rateLimit),
      byProject: create('project', projectRateLimit),
      byProjectMembers: create('project-members', projectRateLimit),
      byMemberReader: create('member-reader', multiply(rateLimit, READS_OF_VIEW)),
      byMember: create('member', rateLimit),
      uploads: createOpenUnits(config.maxProjectUploads),
      uploadPace: createUploadPace(config.projectUploadBytesPerSecond),
      bodies: createOpenUnits(config.maxProjectBodyBytes),
      requests,
      hasOtherOwners,
      turns: createOwnerTurns({ atOnce, maxWaitMs, hasOtherOwners }),
      owners,
      answers: createOpenUnits(config.maxProjectAnswerBytes),
      maxConnections: config.maxAddressConnections,
      byAddress: create('address', rateLimit),
      byVisitor: create('visitor', rateLimit),
      byFileReader: createLimiter(multiply(rateLimit, FILES_OF_PAGE)),
      byPage: create('page', rateLimit),
      byPageReader: createLimiter(multiply(rateLimit, FILES_OF_PAGE)),
      byUser: create('user', multiply(rateLimit, READS_OF_VIEW)),
    },
    create,
    readiness: shared === undefined ? {} : { limits: () => describe(shared) },
    close: async () => shared?.close(),
  };
}

function multiply({ perMinute, burst }: Allowance, factor: number): Allowance {
  return { perMinute: factor * perMinute, burst: factor * burst };
}

async function openShared(url: string, reportFailure: (error: unknown) => void): Promise<SharedLimits> {
  const { openSharedLimits } = await import('../access/shared-limiter.js');
  return openSharedLimits(url, reportFailure);
}

function describe(shared: SharedLimits): Promise<string> {
  return shared.ping().then(
    () => 'ok (shared)',
    () => 'impaired: REDIS_URL does not answer, each node limits only its own requests',
  );
}
