import type { FastifyReply } from 'fastify';
import type { Principal } from '../../control/principal.js';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';
import { signalOfCaller, whenClosed } from '../wire/caller-signal.js';
import { announcedBytes } from '../wire/receive-body.js';

/** Maximum time for which a request counts. After it, limits of expensive work or of the caller's speed apply. */
const MAX_COUNTED_MS = 250;
/** For a large body, which waits for its bytes, and usually for a thread. */
const MAX_COUNTED_LARGE_MS = 100;
const LARGE_BODY_BYTES = 64 * 1024;
/** Interval in which the service counts the responses to an owner. */
const MEASURED_MS = 100;
/** A request of an owner with many quick requests should have a response after this time. */
const AIM_MS = 20;

/**
 * Limits the requests of one owner that are in progress together, so that a burst does not fill the event loop, the
 * threads and the database. The projects of an owner take turns. While no other owner has requests, all begin at once.
 */
export interface OwnerTurns {
  /** Rejects with `Unavailable` after `maxWaitMs`, and when the caller disconnects. */
  wait(principal: Principal, reply: FastifyReply): Promise<void>;
  /** Number of waiting requests. */
  waiting(): number;
}

interface OwnerTurnOptions {
  /** Minimum of the limit for one owner. The limit grows with the number of responses per second. */
  atOnce: number;
  maxWaitMs: number;
  /** Whether projects of other owners have requests. */
  hasOtherOwners(projectId: string): boolean;
}

export function createOwnerTurns({ hasOtherOwners, ...options }: OwnerTurnOptions): OwnerTurns {
  /** Owners with requests in progress. */
  const owners = new Map<string, OwnerQueue>();

  async function runInTurn(principal: Principal, reply: FastifyReply, begin: () => void): Promise<void> {
    const { projectId } = principal;
    const owner = principal.owner ?? projectId;
    const queue = owners.get(owner) ?? createOwnerQueue(options);
    owners.set(owner, queue);
    try {
      const run = () => {
        begin();
        return endOf(reply, queue.noteResponse);
      };
      await queue.limit(projectId, run, signalOfCaller(reply));
    } finally {
      const { running, waiting } = queue.limit.counts();
      if (running + waiting === 0) owners.delete(owner);
    }
  }

  return {
    async wait(principal, reply) {
      if (!hasOtherOwners(principal.projectId)) return;
      await new Promise<void>((resolve, reject) => {
        runInTurn(principal, reply, resolve).catch(reject);
      });
    },
    waiting: () => [...owners.values()].reduce((sum, { limit }) => sum + limit.counts().waiting, 0),
  };
}

type OwnerQueue = ReturnType<typeof createOwnerQueue>;

function createOwnerQueue({ atOnce, maxWaitMs }: Omit<OwnerTurnOptions, 'hasOtherOwners'>) {
  let most = atOnce;
  let responses = 0;
  let sinceMs = performance.now();
  const limit = createFairLimit({
    atOnce: () => most,
    maxWaitMs,
    bound: 'OWNER_REQUESTS_AT_ONCE',
    message: `This request waited more than ${maxWaitMs} ms for other requests of its owner (OWNER_REQUESTS_AT_ONCE, WORK_MAX_WAIT_MS).`,
  });
  /** Little's law: requests in progress = responses per millisecond × milliseconds. */
  function noteResponse(): void {
    responses += 1;
    const nowMs = performance.now();
    const tookMs = nowMs - sinceMs;
    if (tookMs < MEASURED_MS) return;
    most = Math.max(atOnce, Math.round((responses / tookMs) * AIM_MS));
    responses = 0;
    sinceMs = nowMs;
  }
  return { limit, noteResponse };
}

/** Resolves when the request has its response or no caller any more, and after a time limit. */
function endOf(reply: FastifyReply, noteResponse: () => void): Promise<void> {
  const isLarge = announcedBytes(reply.request.headers) > LARGE_BODY_BYTES;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, isLarge ? MAX_COUNTED_LARGE_MS : MAX_COUNTED_MS);
    whenClosed(reply, () => {
      clearTimeout(timer);
      // Unlike a disconnected caller, a caller with a response cannot begin requests faster than the service works.
      if (reply.raw.writableFinished) noteResponse();
      resolve();
    });
  });
}
