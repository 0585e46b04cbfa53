import type { FastifyRequest } from 'fastify';
import type { KeyHolder } from '../../access/api-keys.sql.js';

/** Whom the key of an authenticated request stands for. */
export function holderOf({ holder }: FastifyRequest): KeyHolder {
  if (holder === undefined) throw new Error('A /v1 route ran before authentication');
  return holder;
}

/** The project of an authenticated request. */
export function projectOf(request: FastifyRequest): string {
  return holderOf(request).projectId;
}
