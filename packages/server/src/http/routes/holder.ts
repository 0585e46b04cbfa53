import type { FastifyRequest } from 'fastify';

/** The project of an authenticated request. */
export function projectOf(request: FastifyRequest): string {
  if (request.holder === undefined) throw new Error('A /v1 route ran before authentication');
  return request.holder.projectId;
}
