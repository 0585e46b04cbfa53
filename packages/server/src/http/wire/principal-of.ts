import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../control/principal.js';

export function principalOf({ principal }: FastifyRequest): Principal {
  if (principal === undefined) throw new Error('A /v1 route ran before authentication');
  return principal;
}

export function projectOf(request: FastifyRequest): string {
  return principalOf(request).projectId;
}
