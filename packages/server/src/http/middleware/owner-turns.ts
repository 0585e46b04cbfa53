import type { FastifyReply } from 'fastify';
import { callerIdOf, type Principal } from '../../control/principal.js';
import { createGroupedLimit } from '../../platform/work/limit-concurrency.js';
import { signalOfCaller, whenClosed } from '../wire/caller-signal.js';
import { hasLargeBody } from '../wire/receive-body.js';

/** Maximum time for which a request counts. After it, limits of expensive work or of the caller's speed apply. */
const MAX_COUNTED_MS = 250;
/** The same for a large body. Such a request waits for its bytes, and usually for a thread. */
const MAX_COUNTED_LARGE_MS = 100;
/** Interval in which the service counts the responses to an owner. */
const MEASURED_MS = 100;
/** Response time that the growth of the limit assumes. */
const ASSUMED_MS = 20;

/**
 * Limits the requests of one owner that are in progress together, so that a burst does not fill the event loop, the
 * threads and the database. The projects of an owner take turns, and so do the callers of a project. While no other
 * owner has requests, all begin at once.
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

export function createOwnerTurns(options: OwnerTurnOptions): OwnerTurns {
  /** Owners with requests in progress. */
  const owners = new Map<string, OwnerQueue>();
  let waiting = 0;

  async function runInTurn(principal: Principal, reply: FastifyReply, begin: () => void): Promise<void> {
    const { projectId } = principal;
    const owner = principal.owner ?? projectId;
    const queue = owners.get(owner) ?? createOwnerQueue(projectId, options);
    owners.set(owner, queue);
    queue.open += 1;
    try {
      const run = () => {
        begin();
        return endOf(reply, queue.noteResponse);
      };
      const turn = { group: projectId, caller: callerIdOf(principal) };
      await queue.limit(turn, run, signalOfCaller(reply));
    } finally {
      queue.open -= 1;
      if (queue.open === 0) owners.delete(owner);
    }
  }

  return {
    waiting: () => waiting,
    async wait(principal, reply) {
      if (!options.hasOtherOwners(principal.projectId)) return;
      waiting += 1;
      try {
        await new Promise<void>((resolve, reject) => {
          runInTurn(principal, reply, resolve).catch(reject);
        });
      } finally {
        waiting -= 1;
      }
    },
  };
}

type OwnerQueue = ReturnType<typeof createOwnerQueue>;

/** `projectId`: one of the projects of the owner. */
function createOwnerQueue(projectId: string, { atOnce, maxWaitMs, hasOtherOwners }: OwnerTurnOptions) {
  let most = atOnce;
  let responses = 0;
  let sinceMs = performance.now();
  const limit = {
    atOnce() {
      if (!hasOtherOwners(projectId)) return Number.POSITIVE_INFINITY;
      // Without recent responses, an earlier rate says nothing about the present requests.
      return performance.now() - sinceMs > 2 * MEASURED_MS ? atOnce : most;
    },
    maxWaitMs,
    bound: 'OWNER_REQUESTS_AT_ONCE',
    message: `This request waited more than ${maxWaitMs} ms for other requests of its owner (OWNER_REQUESTS_AT_ONCE, WORK_MAX_WAIT_MS).`,
    recovery: 'Send the request again in a moment, or ask the operator to raise OWNER_REQUESTS_AT_ONCE.',
  };
  /** Little's law: requests in progress = responses per millisecond × milliseconds. */
  function noteResponse(): void {
    responses += 1;
    const nowMs = performance.now();
    const tookMs = nowMs - sinceMs;
    if (tookMs < MEASURED_MS) return;
    most = Math.max(atOnce, Math.round((responses / tookMs) * ASSUMED_MS));
    responses = 0;
    sinceMs = nowMs;
  }
  return { limit: createGroupedLimit({ all: limit, ofGroup: limit }), noteResponse, open: 0 };
}

/**
 * Resolves when the request has its response, and after a time limit. When the caller disconnects, the work of the
 * request can continue, so it still counts.
 */
function endOf(reply: FastifyReply, noteResponse: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      resolve,
      hasLargeBody(reply.request.headers) ? MAX_COUNTED_LARGE_MS : MAX_COUNTED_MS,
    );
    whenClosed(reply, () => {
      if (!reply.raw.writableFinished) return;
      clearTimeout(timer);
      noteResponse();
      resolve();
    });
  });
}
