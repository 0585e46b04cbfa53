import type { ErrorCode } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../control/principal.js';
import { type ErrorExtras, ServiceError } from '../../errors.js';
import type { ProjectTotals } from '../../management/project-totals.js';
import { whenClosed } from '../wire/caller-signal.js';
import { isSafe } from '../wire/is-safe.js';

/**
 * Rejects a request of a project that has reached its limits. Only `requestsPerMonth` applies to reads and erasures.
 * The bytes of an upload are reserved until the response, so that concurrent uploads cannot exceed the limit together.
 */
export async function assertWithinLimits(
  totals: ProjectTotals,
  { projectId, limits }: Principal,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const { storedBytes = null, records = null, requestsPerMonth = null } = limits ?? {};
  const mayStore = storedBytes !== null && isUpload(request);
  if (requestsPerMonth !== null || mayStore) {
    const used = await totals.read(projectId);
    if (requestsPerMonth !== null && used.requestsThisMonth >= requestsPerMonth)
      throw refusal(request, { name: 'requestsPerMonth', limit: requestsPerMonth }, monthIsOver());
    if (mayStore) {
      // A stream of unknown length reserves all remaining bytes.
      const bytes = Number(request.headers['content-length'] ?? Math.max(1, storedBytes - used.storedBytes));
      const release = totals.reserve(projectId, { bytes, used: used.storedBytes, limit: storedBytes });
      if (release === undefined)
        throw refusal(request, { name: 'storedBytes', limit: storedBytes, used: used.storedBytes });
      // The totals contain the stored bytes by then.
      whenClosed(reply, release);
    }
  }
  if (records === null || !mayRecord(request)) return;
  const used = await totals.countRecords(projectId);
  if (used >= records) throw refusal(request, { name: 'records', limit: records, used });
}

/** Whether the request can add records. Publishing and erasing add none. */
function mayRecord({ method, routeOptions }: FastifyRequest): boolean {
  const { permission, forProject } = routeOptions.config;
  return permission === 'write' && forProject !== true && !isSafe(method) && method !== 'DELETE';
}

function isUpload(request: FastifyRequest): boolean {
  return mayRecord(request) && /^multipart\//i.test(request.headers['content-type'] ?? '');
}

function refusal(
  request: FastifyRequest,
  { name, limit, used }: { name: string; limit: number; used?: number },
  { code = 'Forbidden', ...extras }: { code?: ErrorCode } & ErrorExtras = {},
): ServiceError {
  request.metBound = `limits.${name}`;
  const soFar = used === undefined ? '' : `; ${used} are used`;
  return new ServiceError(code, `This project has reached its limit \`${name}\` of ${limit}${soFar}.`, {
    recovery: `Ask the operator to raise limits.${name} of the project.`,
    details: { limit: name, value: limit },
    ...extras,
  });
}

/** The count restarts with the next month in UTC. */
function monthIsOver() {
  const now = new Date();
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const seconds = Math.ceil((next - now.getTime()) / 1000);
  return { code: 'TooManyRequests' as const, headers: { 'retry-after': String(seconds) } };
}
